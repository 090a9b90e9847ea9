// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the records of a log one by one and restores damaged ones, with what else the log says of them.
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

/// Restores a text and its SHA-256 of which one byte has changed; nullopt when more than one has.
std::optional<DigestedText> MendByte(std::string_view text, std::string_view digest);

/// Returns the first text that agrees with its digest; nullopt when none does. `select` gives texts and digests, and
/// has the one parameter `id`.
absl::StatusOr<std::optional<DigestedText>> FirstWhole(Database& database, std::string_view select, int64_t id);

/// Returns the records that are damaged, or whose columns differ from what they repeat. Reads all records, or `only`
/// the one with this id, and adds to `records` how many were there.
absl::StatusOr<std::vector<DamagedRecord>> FindDamage(Database& database, std::optional<int64_t> only,
                                                      int64_t* records);

/// Restores the columns that follow from a damaged record, or its schedule. Returns false if it is still damaged.
absl::StatusOr<bool> RestoreRecord(Database& database, int64_t id);

}  // namespace mmtune
