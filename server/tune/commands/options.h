// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of a tuning job, and functions that add options to commands of `tune`.
#pragma once

#include <CLI/CLI.hpp>
#include <cfloat>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/command_line/option_table.h"
#include "proto/command_line/validators.h"
#include "proto/types/device_info.h"
#include "proto/types/measure_options.h"
#include "server/tune/commands/problem_options.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/session/session.h"

namespace mmtune {

/// The options of a tuning job.
struct JobOptions {
  ProblemOptions problem;
  std::optional<int64_t> trials;  ///< Absent: 64, or no limit if `seconds` is given.
  double seconds = 0;             ///< The time after which nothing more is proposed; 0: no limit.
  /// Ends the search if one more trial is expected to gain less than this, in percent; 0: never.
  double until_plateau = 0;
  double until_baseline = 0;  ///< Ends it at this percentage of the vendor library's speed; 0: never.
  double until_bound = 0;     ///< Ends it at this percentage of the device's peak; 0: never.
  std::string strategy = "model";
  uint64_t seed = 1;
  bool cold_start = false;        ///< Does not learn from other records of the log.
  std::vector<std::string> only;  ///< "fma bm=32,64", one family each; empty: the families searched by default.
  /// Restricts the order of additions (Numerics::Parse()); "same-as=RECORD" names a record of `log`.
  std::string numerics = "any";
  bool no_skip = false;           ///< Also times schedules that are predicted slower than the best one so far.
  bool no_compile_ahead = false;  ///< Chooses schedules without compiling them first.
  std::string device = "auto";
  std::string arch;    ///< Empty: the device's own.
  std::string log;     ///< Empty: the default.
  std::string server;  ///< Empty: the coordinator that has the log, or a new one in this process.
  TlsFiles tls;
  std::optional<double> wait;  ///< Seconds to wait for a device that another process holds; absent: no limit.
  MeasureOptions measure;  ///< A budget of 0 means the default. Regime and precision are taken from the options below.
  std::string regime = "warm";
  bool precise = false;  ///< Times each schedule for longer and more precisely, and compares more at the end.
  bool quick = false;    ///< Times each schedule briefly, and compares none at the end. Not together with `precise`.
  /// The number of schedules that are compared at the end. Absent: 4, or another number with `precise` or `quick`.
  std::optional<int64_t> finalists;
  bool allow_unverified = false;  ///< Shows unverified schedules in the table, too. --no-verification implies it.
  bool remeasure = false;         ///< Measures again what the log has already.
  // How the job shares workers with other jobs (SchedulingPolicy).
  int weight = 1;
  int priority = 0;
  std::vector<std::string> select;  ///< Labels that a worker must have, such as "rack=7"; empty: any worker.
  std::string device_class;         ///< Parsed by ParseDeviceClass(); empty: any.
  std::string trace_id;             ///< Empty: the trace id in $TRACEPARENT, or else one that the server makes.
  bool quiet = false;
  OutputFormat format = OutputFormat::kTable;
  bool progress_json = false;
};

/// Returns the device selector for the values of --device and --arch. Errors are InvalidArgument.
absl::StatusOr<DeviceSelector> MakeSelector(const std::string& device, const std::string& arch);

/// Returns the job that the options describe. Checks them as far as possible without a device. Errors are
/// InvalidArgument with one line of text.
absl::StatusOr<v1::JobSpec> MakeJobSpec(const JobOptions& options);
/// Returns how many of the fastest schedules are compared with each other at the end; 0: none.
int64_t FinalistsOf(const JobOptions& options);
/// Returns how to connect to a coordinator, or to start one. Errors are InvalidArgument.
absl::StatusOr<SessionOptions> MakeSessionOptions(const JobOptions& options);

/// Adds an option that takes a text. `kind` is what the help shows in place of the value, such as "TYPE"; may be empty.
/// If it is "FILE" or "DIR", the shell completes the value with files or folders. The help shows the default unless
/// that is empty.
CLI::Option* AddText(CLI::App& command, const char* name, std::string& value, const char* kind,
                     const std::string& help);

/// Adds a required operand, such as a file.
CLI::Option* AddOperand(CLI::App& command, const char* name, std::string& value, const char* help);

/// Adds an option that takes a whole number from `least` up.
template <typename T>
CLI::Option* AddCount(CLI::App& command, const char* name, T& value, int64_t least, const char* help) {
  return command.add_option(name, value, help)->check(IntegerFrom<int64_t>(least))->type_name("N");
}

/// Adds an option that takes a number of seconds, from 0 to `most`.
template <typename T>
void AddSeconds(CLI::App& command, const char* name, T& value, const char* help, double most = DBL_MAX) {
  command.add_option(name, value, help)->check(NumberFrom(0, most))->type_name("S");
}

/// Adds an option that takes one of these values. The help shows its default unless that is empty.
CLI::Option* AddChoice(CLI::App& command, const char* name, std::string& value, const std::vector<std::string>& values,
                       const std::string& help);

/// Adds the options of a problem other than its shape: types, batch, layouts, epilogue.
void AddVariant(CLI::App& command, ProblemOptions& options);
/// Adds the shape and AddVariant().
void AddProblem(CLI::App& command, ProblemOptions& options);

/// Adds --device, where a schedule runs.
void AddDevice(CLI::App& command, std::string& device);
/// Adds --arch, the architecture for which kernels are generated. `otherwise` is the text for the help that says which
/// one is used by default.
void AddArch(CLI::App& command, std::string& arch, const std::string& otherwise);
/// Adds --wait, which bounds how long a command waits for its device.
void AddWait(CLI::App& command, std::optional<double>& wait);
/// Adds --regime: times with warm or with cold caches.
void AddRegime(CLI::App& command, std::string& regime, const std::string& help);
/// Adds --force, for commands that write files.
void AddForce(CLI::App& command, bool& force);
/// Adds -o,--output, the file that a command writes.
CLI::Option* AddOutput(CLI::App& command, std::string& output, const std::string& help);
/// Adds --server and --log, of which at most one may be given, and the TLS options.
void AddCoordinator(CLI::App& command, std::string& server, const std::string& server_help, std::string& log,
                    const std::string& log_help, TlsFiles& tls);

/// Adds --schedule. `otherwise` is the text for the help that says which schedule is used by default; may be empty.
void AddSchedule(CLI::App& command, std::string& schedule, const std::string& otherwise);

/// Adds --device-name, which selects records. `otherwise` is a text for the help, as in AddSchedule().
void AddDeviceFilter(CLI::App& command, std::string& device, const std::string& otherwise = "");
/// Adds the options that select records: problem (`help` describes it), devices, and a time.
void AddRecordFilters(CLI::App& command, RecordsOptions& options, const std::string& help);

/// Adds an option that takes 0 to `most` percent.
void AddPercent(CLI::App& command, const char* name, double& value, double most, const std::string& help);
/// Adds --log.
CLI::Option* AddLog(CLI::App& command, std::string& log);
/// Adds --allow-unverified, with which unverified schedules count, too.
void AddAllowUnverified(CLI::App& command, bool& allow);

/// Adds the options that `tune model` shares with a single job: device and log, search, and measurement.
void AddTuningOptions(CLI::App& command, JobOptions& options);
/// Adds the options of AddTuningOptions(), with help texts for a single job, and the options of its problem.
void AddJobOptions(CLI::App& command, JobOptions& options);
/// Adds --progress-json.
void AddProgressJson(CLI::App& command, JobOptions& options);
/// Returns the console; with --progress-json, its progress is JSON.
Console ProgressConsole(const JobOptions& options, const Console& console);

}  // namespace mmtune
