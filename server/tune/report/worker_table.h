// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The workers of a coordinator as text.
#pragma once

#include <string>

#include "mmtune/v1/tuning.pb.h"
#include "server/tune/report/table.h"

namespace mmtune {

/// Labels and reasons have columns where some worker has them.
Table WorkersTable(const v1::ServerInfo& info);

/// How long a certificate is still valid: "89 d", "expired".
std::string TimeLeft(double seconds);

}  // namespace mmtune
