// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address of the coordinator, for its clients; and what counts as this host.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// "host:port", "[::1]:port" or "unix:/path" as gRPC dials it. InvalidArgument when it is none of these.
absl::StatusOr<std::string> ParseServerAddress(std::string_view text);

inline bool IsUnixAddress(std::string_view address) { return address.starts_with("unix:"); }

struct HostPort {
  std::string host;  ///< Without brackets.
  int port = 0;      ///< 0 to 65535.
};
/// Of "host:port" or "[::1]:port"; nullopt for anything else.
std::optional<HostPort> ParseHostPort(std::string_view text);

/// An IPv4 or IPv6 address, without brackets.
bool IsNumericHost(std::string_view host);

/// "localhost", an address in 127.0.0.0/8, or ::1, without brackets.
bool IsLoopbackHost(std::string_view host);

}  // namespace mmtune
