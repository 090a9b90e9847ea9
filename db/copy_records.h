// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies the records of one tuning log into another one, also from SQLite to PostgreSQL and back: `tune records copy`.
#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "db/jsonl.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Called after each group of records that was stored.
using CopyProgress = std::function<void(const ImportResult& so_far)>;

/// Copies every record, non-canonical ones included, in groups that are durable one by one. Records whose uuid is in
/// `to` are skipped, so that a copy that was interrupted can be repeated; one that says something else there is an
/// error. Jobs, candidates and attempts are not copied, as with an import. `to` should be opened with
/// TuningLogOptions::bulk.
absl::StatusOr<ImportResult> CopyRecords(TuningLogReader& from, TuningLog& to, const CopyProgress& progress);

}  // namespace mmtune
