// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the coordinator is that a command asks.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "proto/tls/server_endpoint.h"

namespace mmtune {

/// `server`, or where that is empty, the process that has `log` (empty: the default one) open for writing. kServer when
/// there is none, kLog when there is no such log, kUsage for an address that cannot be read.
absl::StatusOr<ServerEndpoint> FindCoordinator(const std::string& server, const TlsFiles& tls, const std::string& log);

}  // namespace mmtune
