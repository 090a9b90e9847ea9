// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune compile`: compiles a user's model with the schedules of a log, by mmtune-compile.
#include "server/tune/commands/commands.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/tools/compile_flags.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"
#include "proto/json/tuning_spec.h"
#include "server/tune/commands/export_commands.h"
#include "server/tune/commands/options.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/report/format.h"
#include "server/tune/session/local_worker.h"
#include "server/tune/session/session.h"

namespace mmtune {
namespace {

constexpr char kName[] = "mmtune-compile";
constexpr std::chrono::milliseconds kPoll{50};

/// The options of `tune compile`: those of mmtune-compile, which gets the words of the command line, and the log.
struct CompileCommandOptions {
  CompileOptions model;
  std::string log;  ///< Empty: the default, which need not be there.
};

void Note(const CompileCommandOptions& options, const Console& console, const std::string& text) {
  if (!options.model.quiet) console.err << "tune: " << PlainText(text) << std::endl;
}

/// Returns the log to read; empty if none is named and there is no default one.
absl::StatusOr<std::string> LogToRead(const CompileCommandOptions& options, const Console& console) {
  if (!options.log.empty()) return ResolveLogPath(options.log, /*create_folder=*/false);
  absl::StatusOr<std::string> path = DefaultLogPath();
  if (path.ok() && access(path->c_str(), F_OK) == 0) {
    Note(options, console, absl::StrCat("schedules are those of the log ", *path));
    return path;
  }
  Note(options, console, "no log and no spec: default schedules are used; tune matmul finds faster ones");
  return std::string();
}

/// Writes the best schedules of the log: those of devices that --device-name may mean, or all where it means none, so
/// that the compiler can name the others. Returns false if the log has none.
absl::StatusOr<bool> WriteSpec(const std::string& log_path, const std::string& spec_path, const CompileOptions& model,
                               const Console& console) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(log_path));
  DamageNotes notes(*log, console);
  RecordFilter filter;
  filter.verified_only = !model.allow_unverified;
  if (!model.allow_other_device) filter.device = model.device_name;
  ASSIGN_OR_RETURN(LogSpec found, SpecOfLog(*log, filter, /*arch=*/""));
  if (found.spec.entries.empty() && !filter.device.empty()) {
    filter.device.clear();
    ASSIGN_OR_RETURN(found, SpecOfLog(*log, filter, /*arch=*/""));
  }
  if (found.spec.entries.empty()) return false;
  const absl::Status written = WriteWholeFile(spec_path, TuningSpecToJson(found.spec));
  if (!written.ok()) return ExitWith(ExitCode::kNoResult, written);
  return true;
}

absl::StatusOr<ExitCode> ExitCodeOfChild(const ExitStatus& exit) {
  if (exit.signal == SIGINT || exit.signal == SIGTERM) return ExitCode::kInterrupted;
  if (exit.signal == 0) return static_cast<ExitCode>(exit.code);
  return ExitWith(ExitCode::kNoResult, absl::StrCat(kName, " was ended by ", exit.Text(),
                                                    ": the compiler failed on this module; no output was written"));
}

/// Runs mmtune-compile with the best schedules of the named log, or of the default one if it exists. Its output and
/// exit code become those of the command; a crash is an error.
absl::StatusOr<ExitCode> RunCompileCommand(const CompileCommandOptions& options, std::vector<std::string> words,
                                           const Console& console) {
  const std::string& model = options.model.input;
  if (model != "-" && access(model.c_str(), R_OK) != 0) {
    return InvalidArgument(absl::StrCat("cannot read ", PlainText(model), ": ", strerror(errno)));
  }
  ASSIGN_OR_RETURN(OwnedFolder folder, CreateRunFolder());
  if (options.model.spec.empty()) {
    ASSIGN_OR_RETURN(std::string log, LogToRead(options, console));
    const std::string spec = absl::StrCat(folder.path(), "/spec.json");
    bool written = false;
    if (!log.empty()) {
      ASSIGN_OR_RETURN(written, WriteSpec(log, spec, options.model, console));
      if (!written) Note(options, console, absl::StrCat(log, " has no verified records: default schedules are used"));
    }
    if (written) words.insert(words.begin(), {"--spec", spec, "--spec-name", log});
    // Nobody named the default log: it may be one of other devices.
    if (written && options.log.empty()) words.insert(words.begin(), "--spec-optional");
  }
  InterruptGuard interrupt;
  return RunCompiler(std::move(words), folder.path());
}

}  // namespace

absl::StatusOr<ExitCode> RunCompiler(std::vector<std::string> words, const std::string& folder,
                                     const std::string& output_path) {
  const absl::StatusOr<std::string> executable = FindProgram(kName);
  if (!executable.ok()) return ExitWith(ExitCode::kNoResult, executable.status());
  words.insert(words.begin(), {*executable, "--as-tune"});
  SubprocessOptions options;
  options.argv = std::move(words);
  options.output_path = output_path;
  options.extra_environment = {absl::StrCat("TMPDIR=", folder)};
  options.new_session = false;  // It reads the terminal, and Ctrl-C reaches it too.
  ASSIGN_OR_RETURN(Subprocess process, Subprocess::Spawn(options));
  bool passed_on = false;
  for (;;) {
    if (std::optional<ExitStatus> exit = process.Wait(kPoll)) return ExitCodeOfChild(*exit);
    if (InterruptGuard::Requested() && !std::exchange(passed_on, true)) process.Signal(SIGTERM);
  }
}

void AddCompileCommand(Commands& commands, CLI::App& app) {
  CompileCommandOptions& options = commands.Keep<CompileCommandOptions>();
  CLI::App& command = commands.Add(app, "compile", "Build an MLIR module with the best schedules of the log, or run it",
                                   [&options, &commands](const Console& console) {
                                     return RunCompileCommand(options, commands.program().command_words(), console);
                                   });
  CLI::Option* log = AddLog(command, options.log);
  AddCompileOptions(command, options.model);
  log->excludes(command.get_option("--spec"));
  command.footer(CompileExamples("tune compile", "--log tuning.db"));
}

}  // namespace mmtune
