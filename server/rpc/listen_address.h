// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the server listens: parsed, refused where anybody could call, and checked to be free.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace mmtune {

struct ListenAddress {
  std::string unix_path;  ///< Not empty: a UNIX socket; host and port mean nothing then.
  std::string host;       ///< A numeric address.
  int port = 0;

  /// "unix:/path", "127.0.0.1:7077", "[::1]:7077": what gRPC and clients take.
  std::string Text() const;
  /// The same where this host dials it: a loopback address for one that means every address of the host.
  std::string LocalText() const;
};

/// What protects a TCP port.
enum class PortGuard {
  kNone,      ///< Nothing: it is not opened.
  kLoopback,  ///< Only that it is of the loopback interface: anybody on this host may call, and the user said so.
  kTls,
};

/// InvalidArgument for malformed text and for a TCP address that `guard` does not suffice for.
absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text, PortGuard guard);

/// Whether the address can be bound; changes nothing. Unavailable, saying who or what is in the way.
absl::Status CheckListenAddress(const ListenAddress& address);

/// The right to bind a UNIX socket, until it is destroyed: an flock on `<socket>.lock`, which is removed at the end.
/// Two servers that find the same stale socket do not remove each other's. Move-only; without a file for a TCP port.
class SocketLock {
 public:
  SocketLock() = default;
  SocketLock(SocketLock&& other) noexcept;
  SocketLock& operator=(SocketLock&& other) noexcept;
  ~SocketLock();
  /// Unavailable when another process has it, or when the file cannot be made.
  static absl::StatusOr<SocketLock> Acquire(const std::string& socket_path);

 private:
  std::string path_;
  int fd_ = -1;
};

/// Makes sure the address can be bound: a free port is chosen for port 0, a socket file nobody answers on is removed.
/// Whoever binds a socket holds the lock as long as it is served. Unavailable, saying who is in the way.
absl::StatusOr<SocketLock> PrepareListenAddress(ListenAddress* address);

}  // namespace mmtune
