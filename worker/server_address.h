// Where the coordinator is.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// "host:port", "[::1]:port" or "unix:/path" as gRPC dials it. InvalidArgument when it is none of these, and for a host
/// that is not this one ("localhost", 127.x.y.z, ::1): there is no TLS yet, a tunnel is the way.
absl::StatusOr<std::string> ParseServerAddress(std::string_view text);

}  // namespace mmtune
