// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of `tune`. Each has a function that adds it to the command line, and a file of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/command_line/program.h"
#include "server/tune/report/table.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// The groups of commands, in the order in which help shows them.
inline constexpr char kTuningCommands[] = "Tuning", kResultCommands[] = "Results", kFleetCommands[] = "Fleet",
                      kHostCommands[] = "This host";

/// The help texts of --json and --csv.
struct FormatHelp {
  const char* json = "One JSON object";
  const char* csv = "The table as comma-separated values, with all columns and without the lines around it";
};

/// The help texts for a command that prints several tables, and for one that prints the values of one thing
/// (FieldList).
inline constexpr FormatHelp kSeveralTables = {
    .csv = "The tables as comma-separated values, an empty line between them, without the lines around them"};
inline constexpr FormatHelp kOneThing = {.csv = "Comma-separated values: a line of names, and one of values"};

/// Collects the commands of one command line and owns their options. After parsing, chosen() is the action of the
/// command that was given. Must outlive the parsing and the action. Not thread-safe.
class Commands {
 public:
  using Action = std::function<absl::StatusOr<ExitCode>(const Console&)>;

  explicit Commands(const Program& program) : program_(program) {}

  /// Adds a command to `parent`. If the parsed command line has this command, chosen() is `action`.
  CLI::App& Add(CLI::App& parent, const char* name, const char* help, Action action) {
    CLI::App* command = parent.add_subcommand(name, help);
    command->group(group_);
    command->callback([this, action = std::move(action)] { chosen_ = action; });
    return *command;
  }

  /// Adds a command whose action is run(options, console); `options` is from Keep().
  template <typename Options>
  CLI::App& Add(CLI::App& parent, const char* name, const char* help,
                absl::StatusOr<ExitCode> (*run)(const Options&, const Console&), const Options& options) {
    return Add(parent, name, help, [run, &options](const Console& console) { return run(options, console); });
  }

  /// Adds a command that only groups subcommands. They are added to the command that is returned.
  CLI::App& AddParent(CLI::App& parent, const char* name, const char* help) {
    CLI::App* command = parent.add_subcommand(name, help);
    command->group(group_)->require_subcommand(1);
    return *command;
  }

  /// Adds the options of a command that prints a table: --json, --csv and --markdown, of which at most one may be
  /// given, and --color. Sets `format` to what is asked for; it is kTable for Markdown, too.
  void AddFormats(CLI::App& command, OutputFormat& format, const FormatHelp& help = {});
  /// Returns `console` with the style that --color, --markdown and --csv ask for.
  Console Styled(const Console& console) const;

  /// Shows the commands that are added from now on in this group.
  void Group(const char* group) { group_ = group; }

  /// Creates options that live as long as this object.
  template <typename Options>
  Options& Keep() {
    const auto options = std::make_shared<Options>();
    kept_.push_back(options);
    return *options;
  }

  /// Returns the action of the parsed command line; empty if the user asked for help.
  const Action& chosen() const { return chosen_; }

  /// Returns the description of the program: its options, and the words of the command line.
  const Program& program() const { return program_; }

 private:
  const Program& program_;
  Action chosen_;
  std::string group_;
  std::string color_ = "auto";
  bool markdown_ = false, csv_ = false;
  std::vector<std::shared_ptr<void>> kept_;
};

// Each of these functions adds the command of its name, and its options, to the command line `app`.
void AddCertsCommands(Commands& commands, CLI::App& app);
void AddCompileCommand(Commands& commands, CLI::App& app);
void AddConfigCommand(Commands& commands, CLI::App& app);
void AddDoctorCommand(Commands& commands, CLI::App& app);
void AddExplainCommand(Commands& commands, CLI::App& app);
/// Adds the commands that ask a coordinator: status, jobs and workers.
void AddFleetCommands(Commands& commands, CLI::App& app);
void AddLadderCommand(Commands& commands, CLI::App& app);
void AddMatmulCommand(Commands& commands, CLI::App& app);
void AddModelCommand(Commands& commands, CLI::App& app);
void AddProfileCommand(Commands& commands, CLI::App& app);
void AddRecordsCommands(Commands& commands, CLI::App& app);
void AddReplayCommand(Commands& commands, CLI::App& app);
void AddReportCommand(Commands& commands, CLI::App& app);
void AddVerifyCommand(Commands& commands, CLI::App& app);

struct JobOptions;
/// Measures the schedules of LadderSchedules() (registry.h), from the simplest kernel to the most optimised one, and
/// then the best schedule of the log. If the log has none, a search within the limits of `options` comes first.
absl::StatusOr<ExitCode> RunLadderCommand(const JobOptions& options, const Console& console);

/// Runs mmtune-compile with these words, as `tune compile` does, and returns its exit code. Temporary files go to
/// `folder`. Its standard output and error go to the file `output_path` or, if that is empty, to those of this process.
/// An interrupt ends it. Returns an error with an exit code if it crashes or is not installed.
absl::StatusOr<ExitCode> RunCompiler(std::vector<std::string> words, const std::string& folder,
                                     const std::string& output_path = "");

/// Runs one command, and returns the exit code. An error is written to `console.err` as one line. `args` does not
/// contain the program's name.
int RunCommandLine(const std::vector<std::string>& args, const Console& console);

}  // namespace mmtune
