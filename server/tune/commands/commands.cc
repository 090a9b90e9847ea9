// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/commands.h"

#include <cerrno>
#include <optional>
#include <string>
#include <vector>

#include "proto/base/output_file.h"
#include "proto/base/status.h"
#include "proto/command_line/help.h"
#include "proto/command_line/option_table.h"
#include "proto/command_line/settings.h"
#include "proto/command_line/validators.h"
#include "server/tune/commands/options.h"
#include "server/tune/commands/verify_kernel_command.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

/// The program `tune` with all its commands.
class Tune {
 public:
  Tune() {
    commands_.Group(kTuningCommands);
    AddMatmulCommand(commands_, program_);
    AddModelCommand(commands_, program_);
    AddLadderCommand(commands_, program_);
    AddCompileCommand(commands_, program_);
    commands_.Group(kResultCommands);
    AddRecordsCommands(commands_, program_);
    AddReportCommand(commands_, program_);
    AddExplainCommand(commands_, program_);
    AddProfileCommand(commands_, program_);
    AddVerifyCommand(commands_, program_);
    AddReplayCommand(commands_, program_);
    commands_.Group(kFleetCommands);
    AddFleetCommands(commands_, program_);
    AddCertsCommands(commands_, program_);
    commands_.Group(kHostCommands);
    AddDoctorCommand(commands_, program_);
    AddConfigCommand(commands_, program_);
    AddHelp();
    program_.SetGivenByWord(SettingsInWord);
    // Last, because a command inherits the footer that is there when it is added.
    program_.footer("Example: tune matmul 1024x1024x1024\ntune help COMMAND shows the options of a command.");
  }

  Program& program() { return program_; }
  const Commands& commands() const { return commands_; }

  /// Returns the width of help on this console.
  static size_t WidthOf(const Console& console) { return HelpWidth(console.tables.width); }

 private:
  /// Adds the command `help`. Completion offers the commands that were added before it.
  void AddHelp() {
    std::vector<std::string> names;
    for (const CLI::App* command : CommandsOf(program_)) names.push_back(command->get_name());
    CLI::App& command = commands_.Add(program_, "help", "This text, or that of a command",
                                      [this](const Console& console) { return PrintHelp(console); });
    command.add_option("COMMAND", help_of_, "Its words: tune help records list")
        ->check(SuggestValues(names))
        ->type_name("");
  }

  absl::StatusOr<ExitCode> PrintHelp(const Console& console) {
    std::vector<std::string> words = help_of_;
    words.emplace_back("--help");
    const auto text = Tune().program().Parse(words, Settings(), WidthOf(console));
    if (!text.ok()) return text.status();
    console.out << **text;
    return ExitCode::kOk;
  }

  Program program_{
      "Finds the fastest schedule of a matrix multiplication for a device, and remembers it.\n"
      "Every result is compiled, verified, timed, and kept in a tuning log.",
      "tune"};
  Commands commands_{program_};
  std::vector<std::string> help_of_;
};

/// Returns the user's settings, of which each is an option of some command. The other programs take the same, or fewer.
absl::StatusOr<Settings> ReadSettings(const Program& program) {
  ASSIGN_OR_RETURN(Settings settings, Settings::ReadUserSettings());
  std::vector<std::string> names;
  for (const auto& [name, option] : SettingOptions(program)) names.push_back(name);
  RETURN_IF_ERROR(settings.CheckKeys(names));
  return settings;
}

absl::StatusOr<ExitCode> RunCommand(const std::vector<std::string>& words, const Console& console) {
  Tune tune;
  tune.program().require_subcommand(1);
  const absl::StatusOr<std::optional<std::string>> text =
      tune.program().Parse(WithKernelCommand(words), ReadSettings(tune.program()), Tune::WidthOf(console));
  if (!text.ok()) {
    // The help lists the commands.
    if (tune.program().misses_command()) {
      console.err << HelpText(tune.program().called(), /*all=*/false, Tune::WidthOf(console)) << "\n";
    }
    return text.status();
  }
  if (*text) {
    console.out << **text;
    return ExitCode::kOk;
  }
  return tune.commands().chosen()(tune.commands().Styled(console));
}

/// Returns the errno of a stream that failed, 0 if unknown. It writes once more, as errno has changed since the
/// failure.
int ReasonOfFailure(std::ostream& out) {
  out.exceptions(std::ios::goodbit);
  out.clear();
  errno = 0;
  out << std::endl;
  const int reason = out.good() ? 0 : errno;
  out.setstate(std::ios::badbit);
  return reason;
}

}  // namespace

void Commands::AddFormats(CLI::App& command, OutputFormat& format, const FormatHelp& help) {
  const auto choose_json = [&format] { format = OutputFormat::kJson; };
  const auto choose_csv = [this, &format] {
    format = OutputFormat::kCsv;
    csv_ = true;
  };
  AtMostOne(command, {command.add_flag_callback("--json", choose_json, help.json)->group(kFirstGroup),
                      command.add_flag_callback("--csv", choose_csv, help.csv)->group(kOutputGroup),
                      command.add_flag("--markdown", markdown_, "Tables in Markdown")->group(kOutputGroup)});
  AsSetting(AddText(command, "--color", color_, "WHEN",
                    "Colours: auto (on a terminal, unless NO_COLOR is set), always or never"))
      ->check(OneOf({"auto", "always", "never"}))
      ->group(kOutputGroup);
}

Console Commands::Styled(const Console& console) const {
  Console styled = console.WithColor(color_);
  styled.tables.markdown = markdown_;
  styled.tables.csv = csv_;
  return styled;
}

int RunCommandLine(const std::vector<std::string>& args, const Console& console) {
  const std::ios::iostate exceptions = console.out.exceptions();
  try {
    // A write that fails ends the command at once, wherever it is made.
    console.out.exceptions(std::ios::badbit | std::ios::failbit);
    const absl::StatusOr<ExitCode> code = RunCommand(args, console);
    if (!code.ok()) console.err << "tune: " << PlainText(std::string(code.status().message())) << std::endl;
    console.out << std::flush;
    console.out.exceptions(exceptions);
    return Number(code.ok() ? *code : ExitCodeOf(code.status()));
  } catch (const std::ios::failure&) {
    const int reason = ReasonOfFailure(console.out);
    if (reason == EPIPE) return Number(ExitCode::kBrokenPipe);
    const absl::Status status = OutputError(reason);
    console.err << "tune: " << std::string(status.message()) << std::endl;
    return Number(ExitCodeOf(status));
  }
}

}  // namespace mmtune
