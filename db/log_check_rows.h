// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of a log that are no records: what records share, and jobs, candidates and attempts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "db/log_check.h"
#include "db/sqlite/database.h"

namespace mmtune {

struct DigestedText {
  std::string text, digest;
};
/// A text and its SHA-256, one byte of the two having changed: as they were. nullopt: more than one has.
std::optional<DigestedText> MendByte(std::string_view text, std::string_view digest);

/// One line in `check->rows` for each that is damaged, or that leads nowhere. With `mend`, within a transaction, each
/// is restored or removed, which its line says and `check` counts: of what records share, these are set aside with it;
/// the records of a candidate that is removed stay, as imported ones do.
absl::Status CheckRows(Database& database, bool mend, LogCheck* check);

}  // namespace mmtune
