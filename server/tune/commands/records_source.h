// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which records of which log `tune records` is about, and how they are read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "server/tune/commands/problem_options.h"
#include "server/tune/session/console.h"

namespace mmtune {

enum class OutputFormat { kTable, kJson, kCsv };

/// The options of all `tune records` commands.
struct RecordsOptions {
  std::string log;         ///< Empty: the default.
  ProblemOptions problem;  ///< An empty shape: any problem.
  std::string device;
  std::string outcome;
  std::string since;
  std::string regime;            ///< Empty: any.
  bool all = false;              ///< Non-canonical records too.
  bool allow_unproven = false;   ///< In rankings and specs.
  std::optional<int64_t> limit;  ///< 0: all; not given: the command's default.
  int64_t before = 0;            ///< Only ids below; 0: any.
  OutputFormat format = OutputFormat::kTable;
  std::string id;             ///< The record to show.
  std::string input;          ///< "-" is standard input.
  std::string output = "-";   ///< "-" is standard output.
  bool force = false;         ///< Replace an output file that exists.
  bool samples = false;       ///< Of the record shown, the values too.
  bool landscape = false;     ///< Export one record of each schedule.
  bool kernel_tuner = false;  ///< The same, as a cache file of Kernel Tuner.
  bool repair = false;
  std::string arch;            ///< For a spec, only code for this architecture; empty: any.
  bool any_toolchain = false;  ///< In rankings and specs.
};

/// Errors are InvalidArgument.
absl::StatusOr<RecordFilter> MakeRecordFilter(const RecordsOptions& options);
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

}  // namespace mmtune
