// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the addresses of servers, such as "gpu-a:7077" and "unix:/run/mmtune.sock", and tells whether an address is on
// this host. Without certificates, clients dial only this host.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// Returns the address if it is one that gRPC can dial: "host:port", "[::1]:port" or "unix:/path". Otherwise returns
/// InvalidArgument.
absl::StatusOr<std::string> ParseServerAddress(std::string_view text);

/// True for the address of a UNIX socket.
inline bool IsUnixAddress(std::string_view address) { return address.starts_with("unix:"); }

/// The two parts of a TCP address.
struct HostPort {
  std::string host;  ///< For IPv6, without the brackets.
  int port = 0;      ///< 0 to 65535.
};
/// Parses "host:port" or "[::1]:port"; nullopt for anything else.
std::optional<HostPort> ParseHostPort(std::string_view text);

/// True for an IPv4 or IPv6 address, without brackets.
bool IsNumericHost(std::string_view host);

/// True for "localhost", an address in 127.0.0.0/8, or ::1, without brackets.
bool IsLoopbackHost(std::string_view host);

}  // namespace mmtune
