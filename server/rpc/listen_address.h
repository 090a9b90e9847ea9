// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address on which the server listens: parsed, refused if anybody could call, and checked to be free.
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

  /// Returns "unix:/path", "127.0.0.1:7077" or "[::1]:7077", as gRPC and clients take it.
  std::string Text() const;
  /// Returns the address that this host dials: a loopback address instead of one that means every address of the host.
  std::string LocalText() const;
};

/// The protection of a TCP port.
enum class PortGuard {
  kNone,      ///< None: the port is not opened.
  kLoopback,  ///< It must be on the loopback interface: anybody on this host may call, and the user said so.
  kTls,
};

/// Parses an address. InvalidArgument if it is malformed, or a TCP address that `guard` does not suffice for.
absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text, PortGuard guard);

/// Checks that the address can be bound; changes nothing. Unavailable says who or what is in the way.
absl::Status CheckListenAddress(const ListenAddress& address);

/// The right to bind a UNIX socket, until it is destroyed: an flock on `<socket>.lock`, which is removed at the end.
/// Two servers that find the same stale socket do not remove each other's. Move-only; without a file for a TCP port.
class SocketLock {
 public:
  SocketLock() = default;
  SocketLock(SocketLock&& other) noexcept;
  SocketLock& operator=(SocketLock&& other) noexcept;
  ~SocketLock();
  /// Takes the lock. Unavailable if another process has it or the file cannot be made.
  static absl::StatusOr<SocketLock> Acquire(const std::string& socket_path);

 private:
  std::string path_;
  int fd_ = -1;
};

/// Makes sure that the address can be bound: chooses a free port for port 0, removes a socket file that nobody answers
/// on. The lock is held as long as the socket is served. Unavailable says who is in the way.
absl::StatusOr<SocketLock> PrepareListenAddress(ListenAddress* address);

}  // namespace mmtune
