// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address on which the server listens. An address is parsed, refused if it lets more callers in than the options of
// the server allow, and checked to be free.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace mmtune {

struct ListenAddress {
  std::string unix_path;  ///< The path of a UNIX socket; empty for a TCP address.
  std::string host;       ///< The numeric IP address; empty for a UNIX socket. Names of hosts are refused.
  int port = 0;           ///< The TCP port; 0 for any free port.

  /// Returns "unix:/path", "127.0.0.1:7077" or "[::1]:7077", the form that gRPC and clients accept.
  std::string Text() const;
  /// Returns the address by which programs on this host connect: a loopback address instead of 0.0.0.0 or [::].
  std::string LocalText() const;
};

/// The protection of a TCP port, which decides on which addresses it may be opened.
enum class PortGuard {
  kNone,      ///< No protection: no TCP port may be opened.
  kLoopback,  ///< The user allows every user of this host to call: only loopback addresses.
  kTls,       ///< Callers need certificates: any address.
};

/// Parses an address. Returns InvalidArgument if it is malformed, or if `guard` does not allow it.
absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text, PortGuard guard);

/// Checks that the address can be bound, without changing anything. Returns Unavailable with the obstacle.
absl::Status CheckListenAddress(const ListenAddress& address);

/// The exclusive right to bind a UNIX socket: an flock on the file `<socket>.lock`, held until the object is destroyed,
/// which also removes the file. It prevents two servers that find the same stale socket from removing each other's new
/// one. Move-only. A default object, which is used for TCP ports, holds no lock.
class SocketLock {
 public:
  SocketLock() = default;
  SocketLock(SocketLock&& other) noexcept;
  SocketLock& operator=(SocketLock&& other) noexcept;
  ~SocketLock();
  /// Takes the lock. Returns Unavailable if another process has it, or if the file cannot be made.
  static absl::StatusOr<SocketLock> Acquire(const std::string& socket_path);

 private:
  std::string path_;
  int fd_ = -1;
};

/// Makes sure that the address can be bound. Replaces port 0 by a free port, and removes a socket file on which no
/// process answers. The caller keeps the lock as long as it serves the socket. Returns Unavailable with the obstacle.
absl::StatusOr<SocketLock> PrepareListenAddress(ListenAddress* address);

}  // namespace mmtune
