// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies the records of one tuning log into another one, also from SQLite to PostgreSQL and back: `tune records copy`.
#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "db/jsonl.h"
#include "db/tuning_log.h"

namespace mmtune {

/// A function that is called after each group of records (those that were copied in one transaction) was stored, with
/// the counts so far. Must not be null.
using CopyProgress = std::function<void(const ImportResult& so_far)>;

/// Copies every record, also those that are not canonical (kept for inspection, but never ranked; tuning_log.h), in
/// groups. Each group is durable once it was committed. Records whose uuid is in `to` already are skipped, so that an
/// interrupted copy can be repeated. Returns InvalidArgument if the record in `to` is different. Jobs, candidates and
/// attempts are not copied, as with an import. `to` should be opened with TuningLogOptions::bulk.
absl::StatusOr<ImportResult> CopyRecords(TuningLogReader& from, TuningLog& to, const CopyProgress& progress);

}  // namespace mmtune
