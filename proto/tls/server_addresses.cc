// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/tls/server_addresses.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/server_address.h"

namespace mmtune {
namespace {

constexpr size_t kMostAddresses = 16;

/// Returns the numeric addresses of a host of one family, without repetitions.
std::vector<std::string> AddressesOf(const addrinfo* found, int family, int port) {
  std::vector<std::string> addresses;
  for (; found != nullptr && addresses.size() < kMostAddresses; found = found->ai_next) {
    char host[NI_MAXHOST];
    if (found->ai_family != family ||
        getnameinfo(found->ai_addr, found->ai_addrlen, host, sizeof(host), nullptr, 0, NI_NUMERICHOST) != 0) {
      continue;
    }
    const std::string address =
        family == AF_INET6 ? absl::StrCat("[", host, "]:", port) : absl::StrCat(host, ":", port);
    if (std::ranges::find(addresses, address) == addresses.end()) addresses.push_back(address);
  }
  return addresses;
}

/// Returns the endpoint of an address that `of` resolved to.
ServerEndpoint Numeric(const ServerEndpoint& of, const std::string& address) {
  ServerEndpoint numeric{address, of.tls};
  if (const std::optional<HostPort> name = ParseHostPort(of.address); name && address != of.address) {
    numeric.host = name->host;
  }
  return numeric;
}

/// Returns the addresses to dial: of a name with one address, or none that is known, the name itself, which gRPC
/// resolves.
std::vector<std::string> ToDial(const std::string& address, const AddressResolver& resolve) {
  std::vector<std::string> found = resolve(address);
  if (found.size() < 2) return {address};
  return found;
}

}  // namespace

std::vector<std::string> ResolveAddresses(const std::string& address) {
  const std::optional<HostPort> name = IsUnixAddress(address) ? std::nullopt : ParseHostPort(address);
  if (!name || IsNumericHost(name->host) || IsLoopbackHost(name->host)) return {};
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;  // Only families in which this host has an address.
  addrinfo* found = nullptr;
  if (getaddrinfo(name->host.c_str(), nullptr, &hints, &found) != 0) return {};
  std::vector<std::string> v4 = AddressesOf(found, AF_INET, name->port), v6 = AddressesOf(found, AF_INET6, name->port);
  freeaddrinfo(found);
  return v6.size() > v4.size() ? v6 : v4;
}

std::vector<ServerEndpoint> EachCoordinator(const ServerEndpoint& endpoint, const AddressResolver& resolve) {
  std::vector<ServerEndpoint> each;
  for (const ServerEndpoint& given : endpoint.Each()) {
    for (const std::string& address : ToDial(given.address, resolve)) each.push_back(Numeric(given, address));
  }
  return each;
}

ServerAddresses::ServerAddresses(const ServerEndpoint& endpoint, AddressResolver resolve)
    : endpoint_(endpoint),
      resolve_(std::move(resolve)),
      dialled_(ToDial(endpoint.address, resolve_)),
      size_(dialled_.size()) {}

ServerEndpoint ServerAddresses::At(size_t index) const {
  MutexLock lock(&mutex_);
  return Numeric(endpoint_, dialled_[index]);
}

ServerEndpoint ServerAddresses::Next(size_t index) {
  // Without the lock, as it may take seconds.
  const std::vector<std::string> found = size_ > 1 ? resolve_(endpoint_.address) : std::vector<std::string>();
  MutexLock lock(&mutex_);
  const auto has = [](const std::vector<std::string>& addresses, const std::string& address) {
    return std::ranges::find(addresses, address) != addresses.end();
  };
  if (!has(found, dialled_[index])) {
    const auto free = std::ranges::find_if(found, [&](const std::string& other) { return !has(dialled_, other); });
    if (free != found.end()) dialled_[index] = *free;
  }
  return Numeric(endpoint_, dialled_[index]);
}

}  // namespace mmtune
