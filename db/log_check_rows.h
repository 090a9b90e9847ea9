// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of a log that are not records: the ranking, problems, devices, toolchains, jobs, candidates and attempts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "db/log_check.h"
#include "db/sqlite/database.h"

namespace mmtune {

struct DigestedText {
  std::string text, digest;
};
/// Restores a text and its SHA-256 of which one byte has changed; nullopt when more than one has.
std::optional<DigestedText> MendByte(std::string_view text, std::string_view digest);

/// The first text that agrees with its digest; nullopt when none does. `select` gives texts and digests, and has the
/// one parameter `id`.
absl::StatusOr<std::optional<DigestedText>> FirstWhole(Database& database, std::string_view select, int64_t id);

/// Makes the ranking anew from the records.
absl::Status RebuildRanking(Database& database);

/// Compares the ranking with the records, and columns with the texts that they repeat parts of. Adds a line to
/// `check->rows` for each row that is damaged or refers to a missing row. With `mend`, within a
/// transaction, each is restored or removed, as its line says and `check` counts. The records of a removed problem,
/// device or toolchain are removed with it; those of a removed candidate stay, as imported ones do.
absl::Status CheckRows(Database& database, bool mend, LogCheck* check);

/// Ranks the records anew, and compares the rows of the table `best` with what comes first; `check` and `mend` as
/// above. For a log in which nothing else is damaged.
absl::Status CheckBest(Database& database, bool mend, LogCheck* check);

}  // namespace mmtune
