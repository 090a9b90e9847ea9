// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/listen_address.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/server_address.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

constexpr size_t kMaxUnixPath = sizeof(sockaddr_un::sun_path) - 1;

absl::StatusOr<ListenAddress> ParseUnix(std::string_view path) {
  // gRPC accepts unix:///path as another form of unix:/path.
  if (path.starts_with("///")) path.remove_prefix(2);
  if (path.empty()) return InvalidArgument("listen address 'unix:' names no path: like unix:/run/mmtune.sock");
  if (path.size() > kMaxUnixPath) {
    return InvalidArgument(absl::StrCat("the socket path has ", path.size(), " bytes, the system allows ", kMaxUnixPath,
                                        ": choose a shorter one"));
  }
  ListenAddress address;
  address.unix_path = path;
  return address;
}

absl::Status CannotBind(const ListenAddress& address, std::string_view why) {
  return Unavailable(absl::StrCat("cannot listen on ", address.Text(), ": ", ToAbsl(why)));
}

/// Checks that a socket can be made at the path. Sets `stale` if there is a socket file without a server.
absl::Status CheckUnix(const ListenAddress& address, bool* stale) {
  const char* path = address.unix_path.c_str();
  struct stat info;
  if (lstat(path, &info) != 0) {
    if (errno != ENOENT) return CannotBind(address, std::strerror(errno));
    const std::string folder = std::filesystem::absolute(address.unix_path).parent_path();
    return access(folder.c_str(), W_OK | X_OK) == 0 ? absl::OkStatus() : CannotBind(address, std::strerror(errno));
  }
  if (!S_ISSOCK(info.st_mode)) return CannotBind(address, "the file there is not a socket; choose another path");
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, path, address.unix_path.size());
  Descriptor probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (connect(probe.get(), reinterpret_cast<sockaddr*>(&name), sizeof(name)) == 0 || errno != ECONNREFUSED) {
    return CannotBind(address, "another process answers there; stop it or choose another path");
  }
  *stale = true;
  return absl::OkStatus();
}

absl::StatusOr<SocketLock> PrepareUnix(const ListenAddress& address) {
  bool stale = false;
  RETURN_IF_ERROR(CheckUnix(address, &stale));
  absl::StatusOr<SocketLock> lock = SocketLock::Acquire(address.unix_path);
  if (!lock.ok()) return CannotBind(address, ToStd(lock.status().message()));
  // An earlier owner of the lock may have made a socket.
  stale = false;
  RETURN_IF_ERROR(CheckUnix(address, &stale));
  if (stale && unlink(address.unix_path.c_str()) != 0) return CannotBind(address, std::strerror(errno));
  return lock;
}

absl::Status PrepareTcp(ListenAddress* address) {
  sockaddr_storage name{};
  socklen_t size = 0;
  if (auto* v4 = reinterpret_cast<sockaddr_in*>(&name); inet_pton(AF_INET, address->host.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(static_cast<uint16_t>(address->port));
    size = sizeof(*v4);
  } else {
    auto* v6 = reinterpret_cast<sockaddr_in6*>(&name);
    inet_pton(AF_INET6, address->host.c_str(), &v6->sin6_addr);
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(static_cast<uint16_t>(address->port));
    size = sizeof(*v6);
  }
  Descriptor probe(socket(name.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  setsockopt(probe.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (bind(probe.get(), reinterpret_cast<sockaddr*>(&name), size) != 0) {
    std::string why = std::strerror(errno);
    if (errno == EADDRINUSE) why += "; stop the other server or choose another port";
    return CannotBind(*address, why);
  }
  if (address->port == 0) {
    getsockname(probe.get(), reinterpret_cast<sockaddr*>(&name), &size);
    address->port = ntohs(name.ss_family == AF_INET ? reinterpret_cast<sockaddr_in*>(&name)->sin_port
                                                    : reinterpret_cast<sockaddr_in6*>(&name)->sin6_port);
  }
  return absl::OkStatus();
}

}  // namespace

std::string ListenAddress::Text() const {
  if (!unix_path.empty()) return absl::StrCat("unix:", unix_path);
  return absl::StrContains(host, ':') ? absl::StrCat("[", host, "]:", port) : absl::StrCat(host, ":", port);
}

std::string ListenAddress::LocalText() const {
  ListenAddress local = *this;
  if (host == "0.0.0.0") local.host = "127.0.0.1";
  if (host == "::") local.host = "::1";
  return local.Text();
}

absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text, PortGuard guard) {
  if (text.starts_with("unix:")) return ParseUnix(text.substr(5));
  std::optional<HostPort> parsed = ParseHostPort(text);
  if (!parsed) {
    return InvalidArgument(absl::StrCat("listen address '", ToAbsl(text),
                                        "' is malformed: give HOST:PORT, like 127.0.0.1:7077, or unix:/path"));
  }
  ListenAddress address;
  address.port = parsed->port;
  address.host = parsed->host == "localhost" ? "127.0.0.1" : parsed->host;
  if (!IsNumericHost(address.host)) {
    return InvalidArgument(absl::StrCat("listen address '", ToAbsl(text),
                                        "' names a host: give one of its addresses, or 0.0.0.0 for all of them"));
  }
  if (guard == PortGuard::kTls) return address;
  constexpr absl::string_view kWays = "--tls-ca, --tls-cert and --tls-key (tune certs makes the files)";
  if (!IsLoopbackHost(address.host)) {
    return InvalidArgument(absl::StrCat("refusing to listen on ", parsed->host, " without TLS: give ", kWays));
  }
  if (guard == PortGuard::kLoopback) return address;
  return InvalidArgument(absl::StrCat("refusing to listen on ", parsed->host,
                                      " without TLS, where anybody on this host could call: give a socket, like "
                                      "--listen unix:/path, or ",
                                      kWays, ", or --insecure-loopback if that is what you want"));
}

absl::Status CheckListenAddress(const ListenAddress& address) {
  ListenAddress copy = address;
  bool stale = false;
  return address.unix_path.empty() ? PrepareTcp(&copy) : CheckUnix(address, &stale);
}

absl::StatusOr<SocketLock> PrepareListenAddress(ListenAddress* address) {
  if (!address->unix_path.empty()) return PrepareUnix(*address);
  RETURN_IF_ERROR(PrepareTcp(address));
  return SocketLock();
}

SocketLock::SocketLock(SocketLock&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

SocketLock& SocketLock::operator=(SocketLock&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  return *this;
}

SocketLock::~SocketLock() {
  if (fd_ < 0) return;
  if (IsNamed(fd_, path_)) unlink(path_.c_str());
  close(fd_);
}

absl::StatusOr<SocketLock> SocketLock::Acquire(const std::string& socket_path) {
  const std::string path = socket_path + ".lock";
  for (;;) {
    SocketLock lock;
    lock.fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
    if (lock.fd_ < 0) return Unavailable(absl::StrCat("cannot make ", path, ": ", std::strerror(errno)));
    if (flock(lock.fd_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK)
        return Unavailable("another process serves or is starting there; stop it or choose another path");
      return Unavailable(absl::StrCat("cannot lock ", path, ": ", std::strerror(errno)));
    }
    if (!IsNamed(lock.fd_, path)) continue;  // removed by its owner, after it was opened here
    lock.path_ = path;
    return lock;
  }
}

}  // namespace mmtune
