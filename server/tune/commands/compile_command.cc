// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/compile_command.h"

#include <signal.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"
#include "proto/json/tuning_spec.h"
#include "server/tune/commands/commands.h"
#include "server/tune/commands/options.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/commands/spec_command.h"
#include "server/tune/report/format.h"
#include "server/tune/session/local_worker.h"
#include "server/tune/session/session.h"

namespace mmtune {
namespace {

constexpr char kName[] = "mmtune-compile";
constexpr std::chrono::milliseconds kPoll{50};

void Note(const CompileArguments& arguments, const Console& console, const std::string& text) {
  if (!arguments.quiet) console.err << "tune: " << PlainText(text) << std::endl;
}

/// Returns the log to read; empty if none is named and there is no default one.
absl::StatusOr<std::string> LogToRead(const CompileArguments& arguments, const Console& console) {
  if (!arguments.log.empty()) return ResolveLogPath(arguments.log, /*create_folder=*/false);
  absl::StatusOr<std::string> path = DefaultLogPath();
  if (path.ok() && access(path->c_str(), F_OK) == 0) {
    Note(arguments, console, absl::StrCat("schedules are those of the log ", *path));
    return path;
  }
  Note(arguments, console, "no log and no spec: default schedules; tune matmul finds faster ones");
  return std::string();
}

/// Writes the best schedules of the log. Returns false if it has none.
absl::StatusOr<bool> WriteSpec(const std::string& log_path, const std::string& spec_path, bool allow_unverified,
                               const Console& console) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(log_path));
  DamageNotes notes(*log, console);
  RecordFilter filter;
  filter.verified_only = !allow_unverified;
  ASSIGN_OR_RETURN(const LogSpec found, SpecOfLog(*log, filter, /*arch=*/""));
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

absl::StatusOr<ExitCode> RunChild(std::vector<std::string> argv, std::vector<std::string> environment) {
  const absl::StatusOr<std::string> executable = FindProgram(kName);
  if (!executable.ok()) return ExitWith(ExitCode::kNoResult, executable.status());
  argv.insert(argv.begin(), {*executable, "--as-tune"});
  SubprocessOptions options;
  options.argv = std::move(argv);
  options.extra_environment = std::move(environment);
  options.new_session = false;  // It reads the terminal, and Ctrl-C reaches it too.
  InterruptGuard interrupt;
  ASSIGN_OR_RETURN(Subprocess process, Subprocess::Spawn(options));
  bool passed_on = false;
  for (;;) {
    if (std::optional<ExitStatus> exit = process.Wait(kPoll)) return ExitCodeOfChild(*exit);
    if (InterruptGuard::Requested() && !std::exchange(passed_on, true)) process.Signal(SIGTERM);
  }
}

}  // namespace

absl::StatusOr<CompileArguments> ParseCompileArguments(const std::vector<std::string>& words) {
  CompileArguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--log" || absl::StartsWith(word, "--log=")) {
      const size_t equals = word.find('=');
      if (equals != std::string::npos) arguments.log = word.substr(equals + 1);
      if (equals == std::string::npos && i + 1 < words.size()) arguments.log = words[++i];
      if (arguments.log.empty()) return InvalidArgument("--log needs a file; see tune compile --help");
      continue;
    }
    if (word == "--spec" || absl::StartsWith(word, "--spec=")) arguments.spec = true;
    if (word == "--help" || word == "-h") arguments.help = true;
    if (word == "--quiet") arguments.quiet = true;
    if (word == "--allow-unverified") arguments.allow_unverified = true;
    arguments.rest.push_back(word);
  }
  if (arguments.spec && !arguments.log.empty()) return InvalidArgument("give --log or --spec, not both");
  return arguments;
}

absl::StatusOr<ExitCode> RunCompileCommand(const std::vector<std::string>& words, const Console& console) {
  ASSIGN_OR_RETURN(CompileArguments arguments, ParseCompileArguments(words));
  if (arguments.help) return RunChild({"--help"}, {});
  ASSIGN_OR_RETURN(OwnedFolder folder, CreateRunFolder());
  std::vector<std::string> argv = arguments.rest;
  if (!arguments.spec) {
    ASSIGN_OR_RETURN(std::string log, LogToRead(arguments, console));
    const std::string spec = absl::StrCat(folder.path(), "/spec.json");
    bool written = false;
    if (!log.empty()) {
      ASSIGN_OR_RETURN(written, WriteSpec(log, spec, arguments.allow_unverified, console));
      if (!written) Note(arguments, console, absl::StrCat(log, " has no verified records: default schedules"));
    }
    if (written) argv.insert(argv.end(), {"--spec", spec, "--spec-name", log});
  }
  return RunChild(std::move(argv), {absl::StrCat("TMPDIR=", folder.path())});
}

void AddCompileCommand(Commands& commands, CLI::App& app) {
  CLI::App& command = commands.Add(app, "compile", "Build an MLIR module with the best schedules of the log, or run it",
                                   [&app](const Console& console) {
                                     return RunCompileCommand(app.get_subcommand("compile")->remaining(), console);
                                   });
  command.footer(
      "tune compile MODEL [--log FILE | --spec FILE] --arch ARCH -o libmodel.so; tune compile --help lists the "
      "options.\n\n"
      "Example: tune compile model.mlir --log tuning.db --arch sm_90 -o libmodel.so\n");
  command.set_help_flag();  // mmtune-compile has the options, and their help.
  command.prefix_command();
}

}  // namespace mmtune
