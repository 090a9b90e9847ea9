// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/commands.h"

#include <algorithm>
#include <cctype>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "proto/base/output_file.h"
#include "proto/base/program_options.h"
#include "proto/base/status.h"
#include "server/tune/commands/options.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

/// Returns CLI11's message with a lower-case first letter and the word "command" for "subcommand".
std::string UsageText(const CLI::ParseError& error) {
  std::string text = PlainText(error.what());
  if (text == "A subcommand is required") return "a command is required";
  if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') text[0] = static_cast<char>(std::tolower(text[0]));
  return text;
}

/// Parses a command line. Not thread-safe.
class CommandLine {
 public:
  CommandLine()
      : app_(
            "Finds the fastest schedule of a matrix multiplication for a device, and remembers it.\n"
            "Every result is compiled, verified, timed, and kept in a tuning log.",
            "tune") {
    app_.set_version_flag("--version", absl::StrCat("mmtune ", MMTUNE_VERSION));
    app_.require_subcommand(1);
    AddMatmulCommand(commands_, app_);
    AddLadderCommand(commands_, app_);
    AddVerifyCommand(commands_, app_);
    AddProfileCommand(commands_, app_);
    AddRecordsCommands(commands_, app_);
    AddCompileCommand(commands_, app_);
    AddReplayCommand(commands_, app_);
    AddExplainCommand(commands_, app_);
    AddReportCommand(commands_, app_);
    AddFleetCommands(commands_, app_);
    AddCertsCommands(commands_, app_);
    AddDoctorCommand(commands_, app_);
    AddHelp();
    // Last, because a command inherits the footer that is there when it is added.
    app_.footer(absl::StrCat("Example: tune matmul 1024x1024x1024\n\n", std::string(ExitCodeHelp())));
    RefuseEmptyValues(app_);
  }

  /// Returns the action of the named command, or none when help or the version has been printed to `console.out`.
  /// Throws CLI::ParseError for usage errors.
  Commands::Action Parse(std::vector<std::string> args, const Console& console) {
    CheckCommandWords(args);
    std::reverse(args.begin(), args.end());
    try {
      app_.parse(args);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) throw;
      app_.exit(error, console.out, console.err);
      return nullptr;
    }
    return commands_.chosen();
  }

  Console Styled(const Console& console) const { return commands_.Styled(console); }

  /// Returns the command to ask for help: "tune matmul" after `tune matmul --bad`.
  std::string HelpCommand() const {
    std::string command = "tune";
    for (const CLI::App* app = &app_; !app->get_subcommands().empty();) {
      app = app->get_subcommands().front();
      absl::StrAppend(&command, " ", app->get_name());
    }
    return command;
  }

 private:
  static CLI::App* FindCommand(CLI::App* app, const std::string& name) {
    const auto found = app->get_subcommands([&name](CLI::App* child) { return child->check_name(name); });
    return found.empty() ? nullptr : found.front();
  }

  /// Throws for a word that stands where a command is expected and is not one.
  void CheckCommandWords(const std::vector<std::string>& args) {
    CLI::App* app = &app_;
    for (const std::string& word : args) {
      if (word.empty() || word[0] == '-' || app->get_subcommands([](CLI::App*) { return true; }).empty()) return;
      CLI::App* next = FindCommand(app, word);
      if (next == nullptr) throw CLI::ArgumentMismatch(absl::StrCat("there is no command '", word, "'"));
      app = next;
    }
  }

  void AddHelp() {
    CLI::App& command = commands_.Add(app_, "help", "This text, or that of a command",
                                      [this](const Console& console) { return PrintHelp(console); });
    command.add_option("COMMAND", help_of_, "Its words: tune help records list")->type_name("");
  }

  absl::StatusOr<ExitCode> PrintHelp(const Console& console) {
    CLI::App* app = &app_;
    std::string name = app_.get_name();
    for (const std::string& word : help_of_) {
      app = FindCommand(app, word);
      if (app == nullptr) {
        return InvalidArgument(absl::StrCat("there is no command '", PlainText(word), "'; see tune --help"));
      }
      absl::StrAppend(&name, " ", word);
    }
    console.out << app->get_formatter()->make_help(app, name, CLI::AppFormatMode::Normal);
    return ExitCode::kOk;
  }

  CLI::App app_;
  Commands commands_;
  std::vector<std::string> help_of_;
};

int RunCommand(std::vector<std::string> args, const Console& console) {
  CommandLine command_line;
  Commands::Action action;
  try {
    action = command_line.Parse(std::move(args), console);
  } catch (const CLI::ParseError& error) {
    console.err << "tune: " << UsageText(error) << "; see " << command_line.HelpCommand() << " --help" << std::endl;
    return static_cast<int>(ExitCode::kUsage);
  }
  if (!action) return static_cast<int>(ExitCode::kOk);
  absl::StatusOr<ExitCode> code = action(command_line.Styled(console));
  if (code.ok()) return static_cast<int>(*code);
  console.err << "tune: " << PlainText(std::string(code.status().message())) << std::endl;
  return static_cast<int>(ExitCodeOf(code.status()));
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

void Commands::AddStyle(CLI::App& command) {
  AddText(command, "--color", color_, "WHEN", "Colours: auto (on a terminal, unless NO_COLOR is set), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  CLI::Option* markdown = command.add_flag("--markdown", markdown_, "Tables in Markdown");
  for (const char* other : {"--json", "--csv"}) {
    if (CLI::Option* option = command.get_option_no_throw(other)) markdown->excludes(option);
  }
}

Console Commands::Styled(const Console& console) const {
  Console styled = console.WithColor(color_);
  styled.tables.markdown = markdown_;
  return styled;
}

int RunCommandLine(std::vector<std::string> args, const Console& console) {
  const std::ios::iostate exceptions = console.out.exceptions();
  try {
    // A write that fails ends the command at once, wherever it is made.
    console.out.exceptions(std::ios::badbit | std::ios::failbit);
    const int code = RunCommand(std::move(args), console);
    console.out << std::flush;
    console.out.exceptions(exceptions);
    return code;
  } catch (const std::ios::failure&) {
    const int reason = ReasonOfFailure(console.out);
    if (reason == EPIPE) return static_cast<int>(ExitCode::kReaderLeft);
    const absl::Status status = OutputError(reason);
    console.err << "tune: " << std::string(status.message()) << std::endl;
    return static_cast<int>(ExitCodeOf(status));
  }
}

}  // namespace mmtune
