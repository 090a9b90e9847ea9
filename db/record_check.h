// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the records of a log one by one, and restores damaged ones from redundant data of the log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "db/database.h"
#include "db/tuning_log.h"

namespace mmtune {

/// A text and its SHA-256.
struct DigestedText {
  std::string text, digest;
};

/// Repairs a text and its SHA-256 if at most one byte of the two has changed. Returns nullopt if more bytes have
/// changed, or if the text is too long to try.
std::optional<DigestedText> RepairByte(std::string_view text, std::string_view digest);

/// Returns the first text that matches its digest; nullopt if none does. `select` is a query whose rows are a text and
/// its digest. Its only parameter is `id`.
absl::StatusOr<std::optional<DigestedText>> FirstIntact(Database& database, std::string_view select, int64_t id);

/// Returns the records that are damaged, or whose redundant columns (such as gflops) do not agree with the record.
/// Reads all records, or only the one with the id `only`, and adds the number of records that were read to `*records`.
absl::StatusOr<std::vector<DamagedRecord>> FindDamage(Database& database, std::optional<int64_t> only,
                                                      int64_t* records);

/// Repairs a damaged record: computes its redundant columns again or, if that is not enough, restores its schedule.
/// Returns false if the record is still damaged.
absl::StatusOr<bool> RestoreRecord(Database& database, int64_t id);

}  // namespace mmtune
