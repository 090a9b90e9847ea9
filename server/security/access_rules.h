// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which roles may call which method: one table for all services.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "proto/tls/certificate.h"

namespace mmtune {

/// PermissionDenied, naming the roles that may, unless `role` may call the method at this path, such as
/// "/mmtune.v1.Tuning/GetJob". What is not in the table nobody may call.
absl::Status CheckAccess(Role role, std::string_view path);

}  // namespace mmtune
