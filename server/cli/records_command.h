// `tune records`: reading the tuning log, and moving records in and out of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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

absl::StatusOr<ExitCode> RunRecordsList(const RecordsOptions& options, const Console& console);
absl::StatusOr<ExitCode> RunRecordsBest(const RecordsOptions& options, const Console& console);
absl::StatusOr<ExitCode> RunRecordsShow(const RecordsOptions& options, const std::string& id, const Console& console);
absl::StatusOr<ExitCode> RunRecordsSpec(const RecordsOptions& options, const SpecOptions& spec_options,
                                        const Console& console);
/// `file`: "-" is standard output or input.
absl::StatusOr<ExitCode> RunRecordsExport(const RecordsOptions& options, const std::string& file,
                                          const Console& console);
absl::StatusOr<ExitCode> RunRecordsImport(const std::string& log, const std::string& file, const Console& console);

}  // namespace mmtune
