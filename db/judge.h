// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of before there were rules for them.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "db/sqlite/database.h"

namespace mmtune {

/// From this version of the schema on, what is stored as ok may be.
inline constexpr int64_t kJudgedVersion = 5;

/// Within a transaction: every ok record that is read as suspect (Distrust of proto/types/validate.h) becomes so in its
/// row, with the reason. Reads each ok record once; those that are damaged stay as they are.
absl::Status JudgeStoredRecords(Database& database);

}  // namespace mmtune
