// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of servers, and which hosts are this one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// Checks an address that gRPC dials: "host:port", "[::1]:port" or "unix:/path". InvalidArgument for anything else.
absl::StatusOr<std::string> ParseServerAddress(std::string_view text);

inline bool IsUnixAddress(std::string_view address) { return address.starts_with("unix:"); }

struct HostPort {
  std::string host;  ///< Without brackets.
  int port = 0;      ///< 0 to 65535.
};
/// Parses "host:port" or "[::1]:port"; nullopt for anything else.
std::optional<HostPort> ParseHostPort(std::string_view text);

/// True for an IPv4 or IPv6 address, without brackets.
bool IsNumericHost(std::string_view host);

/// True for "localhost", an address in 127.0.0.0/8, or ::1, without brackets.
bool IsLoopbackHost(std::string_view host);

}  // namespace mmtune
