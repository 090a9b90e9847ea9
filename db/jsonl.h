// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exports records of a tuning log as JSON lines (one object on each line), and imports them into another log: `tune
// records export` and `import`. db/README.md describes the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ios>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"

namespace mmtune {

/// The longest line. Longer ones are refused before they are parsed.
inline constexpr size_t kMaxRecordJsonBytes = size_t{1} << 20;

/// Returns the record as one line, without the newline.
std::string RecordToJson(const TuningRecord& record);
/// Parses a line. Returns InvalidArgument with the field that is wrong. If the outcome is ok but the time is impossible
/// on the device, the returned record has the outcome suspect: it is kept, but never ranked or reused.
absl::StatusOr<TuningRecord> RecordFromJson(std::string_view line);

/// Calls `write` with the line of every record that passes the filter. Returns the number of lines. An error of `write`
/// ends the export, and is returned.
absl::StatusOr<int64_t> ExportJsonl(TuningLogReader& log, const RecordFilter& filter,
                                    const std::function<absl::Status(std::string_view line)>& write);

/// The result of an import.
struct ImportResult {
  int64_t added = 0;
  int64_t present = 0;  ///< Records whose uuid was in the log already.
};
/// Imports one record, and counts it in `result`. Returns InvalidArgument if the log has a different record with the
/// same uuid. `columns` must be MakeColumns(record).
absl::Status ImportRecord(TuningLog& log, const TuningRecord& record, const RecordColumns& columns,
                          ImportResult* result);
/// Imports several records, each as ImportRecord() does, and returns its errors. `columns` has the columns of each.
absl::Status ImportRecords(TuningLog& log, const std::vector<TuningRecord>& records,
                           const std::vector<RecordColumns>& columns, ImportResult* result);
/// A function that reads the next line. It returns false at the end. Its errors end the import.
using LineSource = std::function<absl::StatusOr<bool>(std::string* line)>;
/// A function that returns a source of the same lines from the first one on; nullopt if they cannot be read again.
using LineRestart = std::function<std::optional<LineSource>()>;
/// Imports all records or none, in a transaction of its own. Records whose uuid is in the log are skipped, so that an
/// import can be repeated. Untrusted input must be read with ImportLines(). An error names the line. Imported records
/// can be found, ranked and reused as others can. An import that a deadlock or a concurrent write aborted begins again,
/// if `restart` is given and returns the lines.
absl::StatusOr<ImportResult> ImportJsonl(TuningLog& log, LineSource next_line, const LineRestart& restart = nullptr);

/// Returns the lines of an untrusted stream one by one; InvalidArgument if it cannot be read. After a line that is too
/// long for ImportJsonl() nothing more is read, so memory and time are limited. `input` must outlive the result.
LineSource ImportLines(std::istream& input);
/// Returns the lines from `begin` on, which input.tellg() returned before the first line was read; nullopt if the
/// stream cannot go back there, as a pipe cannot.
std::optional<LineSource> RestartLines(std::istream& input, std::streampos begin);

}  // namespace mmtune
