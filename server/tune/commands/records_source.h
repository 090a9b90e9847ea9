// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads records of a log for the commands of `tune`: all that pass a filter, or the one whose schedule a command uses.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "proto/types/matmul_problem.h"
#include "server/tune/commands/problem_options.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// The options of all `tune records` commands. An empty text selects everything unless said otherwise.
struct RecordsOptions {
  std::string log;         ///< Empty: the default.
  ProblemOptions problem;  ///< An empty shape: any problem.
  std::string device;      ///< Part of a device's name, or a device kind.
  std::string outcome;     ///< OutcomeName(): "ok", "skipped", ...
  std::string since;       ///< Text for ParseSince().
  std::string regime;      ///< "warm" or "cold" caches; empty: any.
  /// Includes records that are not canonical: those that do not count for their candidates (tuning_log.h).
  bool all = false;
  bool allow_unverified = false;  ///< Includes unverified records in rankings and specs.
  std::optional<int64_t> limit;   ///< 0: all; absent: the command's default.
  int64_t before = 0;             ///< Selects ids below it; 0: any.
  OutputFormat format = OutputFormat::kTable;
  std::string id;             ///< The record to show.
  std::string input;          ///< "-" is standard input. For a copy: the log to read.
  std::string output = "-";   ///< "-" is standard output. For a copy: the log to write.
  bool force = false;         ///< Replaces an output file that exists.
  bool samples = false;       ///< Prints the values of the samples, too.
  bool landscape = false;     ///< Exports one record of each schedule.
  bool kernel_tuner = false;  ///< Exports one record of each schedule, as a cache file of Kernel Tuner.
  /// Exports the best schedules in this format (ParseSeedFormat()); empty: exports records instead.
  std::string seeds;
  bool repair = false;         ///< Restores damaged records, or removes those of which there is no other copy.
  std::string arch;            ///< Selects code for this architecture in a spec.
  bool any_toolchain = false;  ///< Ranks records of all toolchains.
};

/// Returns the filter that the options describe. Errors are InvalidArgument.
absl::StatusOr<RecordFilter> MakeRecordFilter(const RecordsOptions& options);
/// Opens the log for reading. Errors have the exit code of LogExitCode() and name the log.
absl::StatusOr<std::unique_ptr<TuningLogReader>> OpenLogForReading(const std::string& log);
/// Calls `visit` with every record that passes the filter, oldest first. Keeps one page of records in memory at a time.
/// Returns the errors of the log.
absl::Status ForEachRecord(TuningLogReader& log, const RecordFilter& filter,
                           const std::function<void(TuningRecord record)>& visit);
/// Writes `text` to the file `output`, which it replaces only with `force`, or to standard output if `output` is "-".
/// Returns the errors of WriteOutput() (output_file.h), and Internal if the text cannot be written.
absl::Status WriteText(const std::string& output, bool force, const std::string& text, const Console& console);

/// Names on `console.err` the first few damaged records that `log` leaves out, and their number when it is destroyed.
/// `log` and `console` must outlive it.
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

/// Returns "; did you mean 4x5x6 epilogue=relu, which it has?" if `log` has times of problems of the same sizes with
/// another type, epilogue or layout; otherwise "".
std::string SuggestProblem(TuningLogReader& log, const MatmulProblem& problem);

/// Returns the record that ranks first for the problem in the log at `log_path` (empty: the default log). Records of
/// CUDA devices come before those of the SIMT device unless `prefer_simt`, verified ones before others. Errors have
/// exit code kNoResult, kLog, or that of OpenLogForReading().
absl::StatusOr<TuningRecord> BestRecord(const MatmulProblem& problem, const std::string& log_path, bool prefer_simt);

/// Returns the record of this id. Errors are those of BestRecord(), and InvalidArgument if it has another problem.
absl::StatusOr<TuningRecord> NamedRecord(const MatmulProblem& problem, const std::string& id,
                                         const std::string& log_path);

}  // namespace mmtune
