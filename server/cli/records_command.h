// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune records`: reading the tuning log, and moving records in and out of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "server/cli/console.h"
#include "server/cli/exit_code.h"
#include "server/cli/problem_options.h"

namespace mmtune {

enum class OutputFormat { kTable, kJson, kCsv };

struct RecordsOptions {
  std::string log;         ///< Empty: the default.
  ProblemOptions problem;  ///< An empty shape: any.
  std::string device;
  std::string outcome;
  std::string since;
  std::string regime;           ///< Empty: any.
  bool all = false;             ///< Non-canonical records too.
  bool allow_unproven = false;  ///< Of rankings.
  int64_t limit = -1;           ///< 0: all; negative: the command's default.
  int64_t before = 0;           ///< Only ids below; 0: any.
  bool force = false;           ///< Replace an output file that exists.
  OutputFormat format = OutputFormat::kTable;
};

struct SpecOptions {
  std::string file = "-";  ///< "-" is standard output.
  std::string arch;        ///< Only measurements of code for this architecture; empty: any.
  bool any_toolchain = false;
};

/// Errors are InvalidArgument.
absl::StatusOr<RecordFilter> MakeRecordFilter(const RecordsOptions& options, int64_t now_unix_millis);
/// Opens the log for reading; errors have exit code kLog and say which file.
absl::StatusOr<std::unique_ptr<TuningLogReader>> OpenLogForReading(const std::string& log);
/// Calls `visit` with every record that passes, oldest first, a page in memory at a time.
absl::Status ForEachRecord(TuningLogReader& log, const RecordFilter& filter,
                           const std::function<void(TuningRecord record)>& visit);

/// While it lives, names on `console.err` the damaged records that `log` leaves out, the first few of them; at its end
/// says how many there were. Both outlive it.
class DamageNotes {
 public:
  DamageNotes(TuningLogReader& log, const Console& console);
  ~DamageNotes();
  DamageNotes(const DamageNotes&) = delete;
  DamageNotes& operator=(const DamageNotes&) = delete;

 private:
  TuningLogReader& log_;
  const Console& console_;
  std::set<int64_t> ids_;
};

absl::StatusOr<ExitCode> RunRecordsList(const RecordsOptions& options, const Console& console);
absl::StatusOr<ExitCode> RunRecordsBest(const RecordsOptions& options, const Console& console);
absl::StatusOr<ExitCode> RunRecordsShow(const RecordsOptions& options, const std::string& id, const Console& console);
absl::StatusOr<ExitCode> RunRecordsSpec(const RecordsOptions& options, const SpecOptions& spec_options,
                                        const Console& console);
/// `file`: "-" is standard output or input.
absl::StatusOr<ExitCode> RunRecordsExport(const RecordsOptions& options, const std::string& file,
                                          const Console& console);
/// Names every damaged record; ends with kLog where one is left damaged.
absl::StatusOr<ExitCode> RunRecordsCheck(const std::string& log, bool repair, const Console& console);
absl::StatusOr<ExitCode> RunRecordsImport(const std::string& log, const std::string& file, const Console& console);

}  // namespace mmtune
