// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/server_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <charconv>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

bool IsLoopbackHost(std::string_view host) {
  if (host == "localhost") return true;
  const std::string text(host);
  in_addr v4;
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6;
  return inet_pton(AF_INET6, text.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

bool IsNumericHost(std::string_view host) {
  const std::string text(host);
  in6_addr address;
  return inet_pton(AF_INET, text.c_str(), &address) == 1 || inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

std::optional<HostPort> ParseHostPort(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  std::string_view host = text.substr(0, colon), port = text.substr(colon + 1);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;
  }
  HostPort address{std::string(host)};
  auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size() || address.port < 0 || address.port > 65535) {
    return std::nullopt;
  }
  return address;
}

absl::StatusOr<std::string> ParseServerAddress(std::string_view text) {
  if (IsUnixAddress(text)) {
    if (text.size() > 6 && text[5] == '/') return std::string(text);
    return InvalidArgument(absl::StrCat("bad server address '", ToAbsl(text), "': write unix:/absolute/path"));
  }
  const std::optional<HostPort> address = ParseHostPort(text);
  if (!address || address->port == 0) {
    return InvalidArgument(
        absl::StrCat("bad server address '", ToAbsl(text), "': write host:port, [::1]:port or unix:/path"));
  }
  return std::string(text);
}

}  // namespace mmtune
