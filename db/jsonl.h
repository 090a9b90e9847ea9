// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records as JSON lines, one object a line, versioned: export and import. The format is described in db/README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"

namespace mmtune {

/// A longer line is refused before it is parsed.
inline constexpr size_t kMaxRecordJsonBytes = size_t{1} << 20;

/// Returns the record as one line, without the newline; used by `tune records --json` too.
std::string RecordToJson(const TuningRecord& record);
/// Parses a line. InvalidArgument names the field that is wrong. An ok time beyond its device is read as suspect.
absl::StatusOr<TuningRecord> RecordFromJson(std::string_view line);

/// Writes every record that passes the filter; returns how many.
absl::StatusOr<int64_t> ExportJsonl(TuningLogReader& log, const RecordFilter& filter,
                                    const std::function<absl::Status(std::string_view line)>& write);

struct ImportResult {
  int64_t added = 0;
  int64_t present = 0;  ///< Their uuid was there already.
};
/// Reads the next line; false at the end. Its error is the import's.
using LineSource = std::function<absl::StatusOr<bool>(std::string* line)>;
/// Imports all records or none, in a group of its own. Input is hostile: take the lines from ImportLines; an error
/// names the line. Idempotent by uuid. Imported records keep the uuid of their own job and can be found, ranked and
/// reused like any other.
absl::StatusOr<ImportResult> ImportJsonl(TuningLog& log, const LineSource& next_line);

/// Returns the lines of an untrusted stream, one by one; InvalidArgument where it cannot be read. A line too long for
/// ImportJsonl is the last one, and only so much of it is read that ImportJsonl refuses it: memory and time stay
/// bounded whatever the input. `input` must outlive the function.
LineSource ImportLines(std::istream& input);

}  // namespace mmtune
