// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/program_options.h"
#include "proto/base/output_file.h"
#include "proto/base/status.h"
#include "proto/json/request_json.h"
#include "proto/tls/tls_options.h"
#include "server/tune/commands/certs_subcommands.h"
#include "server/tune/commands/commands.h"
#include "server/tune/commands/compile_command.h"
#include "server/tune/commands/doctor_command.h"
#include "server/tune/commands/explain_command.h"
#include "server/tune/commands/fleet_subcommands.h"
#include "server/tune/commands/ladder_command.h"
#include "server/tune/commands/matmul_command.h"
#include "server/tune/commands/option_groups.h"
#include "server/tune/commands/profile_command.h"
#include "server/tune/commands/records_subcommands.h"
#include "server/tune/commands/replay_command.h"
#include "server/tune/commands/report_options.h"
#include "server/tune/commands/verify_command.h"
#include "server/tune/report/format.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {
namespace {

// CLI11's message in our manner: it begins in lower case and says "command".
std::string UsageText(const CLI::ParseError& error) {
  std::string text = PlainText(error.what());
  if (text == "A subcommand is required") return "a command is required";
  if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') text[0] = static_cast<char>(std::tolower(text[0]));
  return text;
}

// The commands and the options they fill in. The one chosen leaves its action.
class CommandLine {
 public:
  CommandLine()
      : app_(
            "Finds the fastest schedule of a matrix multiplication for a device, and remembers it.\n"
            "Every result is compiled, proven correct, timed, and kept in a tuning log.",
            "tune") {
    app_.set_version_flag("--version", absl::StrCat("mmtune ", MMTUNE_VERSION));
    app_.require_subcommand(1);
    AddMatmul();
    AddLadder();
    AddVerify();
    AddProfile();
    records_.AddTo(app_);
    AddCompile();
    AddReplay();
    AddExplainOptions(
        commands_.Add(app_, "explain", "Say why schedules were run or were not, and what they should take",
                      [this](const Console& console) { return RunExplainCommand(explain_, console); }),
        explain_);
    AddReportOptions(commands_.Add(app_, "report", "Write what the log says as one page for a browser",
                                   [this](const Console& console) { return RunReportCommand(report_, console); }),
                     report_);
    fleet_.AddTo(app_);
    certs_.AddTo(app_);
    AddDoctor();
    AddHelp();
    // Last, because a command inherits the footer that is there when it is added.
    app_.footer(absl::StrCat("Example: tune matmul 1024x1024x1024\n\n", std::string(ExitCodeHelp())));
    RefuseEmptyValues(app_);
  }

  // The action of the command named, or none when the answer (help, version) has been printed to `console.out`.
  // Throws CLI::ParseError for usage errors.
  Action Parse(std::vector<std::string> args, const Console& console) {
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

  // "tune matmul" for `tune matmul --bad`: where to ask for help.
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

  // Throws for a word that stands where a command is expected and is none.
  void CheckCommandWords(const std::vector<std::string>& args) {
    CLI::App* app = &app_;
    for (const std::string& word : args) {
      if (word.empty() || word[0] == '-' || app->get_subcommands([](CLI::App*) { return true; }).empty()) return;
      CLI::App* next = FindCommand(app, word);
      if (next == nullptr) throw CLI::ArgumentMismatch(absl::StrCat("there is no command '", word, "'"));
      app = next;
    }
  }

  void AddMatmul() {
    CLI::App& command = commands_.Add(app_, "matmul", "Search for the fastest schedule of one matrix multiplication",
                                      [this](const Console& console) { return RunMatmulCommand(matmul_, console); });
    command.footer(
        "With the same log, a second run reuses what the first has measured. Ctrl-C keeps what was measured and "
        "prints\nthe table so far. Progress goes to standard error, the table to standard output.\n\n"
        "Examples:\n"
        "  tune matmul 1024x1024x1024 --trials 128\n"
        "  tune matmul 1001x37x513 --device simt --strategy random --seed 7\n"
        "  tune matmul 512x512x64 --batch 16 --transpose-b --epilogue scale:0.125\n"
        "  tune matmul 4096x4096x4096 --seconds 300 --server 127.0.0.1:7077\n");
    AddJobOptions(command, matmul_.job);
    AddCount(command, "--finalists", matmul_.job.finalists, 0,
             "How many of the fastest are timed in turn with one of them, in fresh processes, on top of --seconds; "
             "0: none. Default 4, or what --precise or --quick say");
    AddCount(command, "--top", matmul_.top, 1, "Rows of the table")->capture_default_str();
  }

  void AddLadder() {
    CLI::App& command =
        commands_.Add(app_, "ladder", "Measure naive, register-blocked, shared-memory and tuned schedules side by side",
                      [this](const Console& console) { return RunLadderCommand(ladder_, console); });
    command.footer(
        "The tuned schedule is the best one of the log; when the log has none, it is searched for first.\n\n"
        "Example: tune ladder 1024x1024x1024\n");
    AddJobOptions(command, ladder_);
  }

  void AddVerify() {
    CLI::App* verify =
        app_.add_subcommand("verify", "Prove one schedule correct and free of races, and say what was shown");
    verify->require_subcommand(1);
    CLI::App& command = commands_.Add(*verify, "matmul", "A schedule of a matrix multiplication",
                                      [this](const Console& console) { return RunVerifyCommand(verify_, console); });
    command.footer(
        "The schedule runs at small shapes in the SIMT device's watch and stress modes, then at this size on the "
        "device.\nExit codes: 0 proven, 1 not proven or output lost, 2 usage, 3 no such log, 5 no such device.\n\n"
        "Examples:\n"
        "  tune verify matmul 1024x1024x1024 --best --log tuning.db\n"
        "  tune verify matmul 64x64x64 --device simt --arch sm_90 --stress 20 --schedule 'fma bm=32 bn=32 ...'\n");
    AddProblem(command, verify_.problem);
    AddChosenSchedule(command, verify_, "");
    AddLog(command, verify_.log);
    AddDevice(command, verify_);
    AddCount(command, "--stress", verify_.stress, 0, "Stress runs of each small shape")->capture_default_str();
    command.add_flag("--watch", verify_.watch,
                     absl::StrCat("Watch for races at this size, too: slow, and for up to ", kMaxRaceDetectionMultiplyAdds,
                                  " products M*N*K"));
    AddJson(command, verify_.json);
  }

  void AddProfile() {
    CLI::App* profile =
        app_.add_subcommand("profile", "Say what holds one schedule back, as a profiler would, without a GPU");
    profile->require_subcommand(1);
    CLI::App& command = commands_.Add(*profile, "matmul", "A schedule of a matrix multiplication",
                                      [this](const Console& console) { return RunProfileCommand(profile_, console); });
    command.footer(
        "Counts are of the SIMT device, instructions of the machine code (with ptxas and nvdisasm), times and shares "
        "of peak\n"
        "those of a model. Exit codes: 0 printed, 1 the schedule does not compile or output lost, 2 usage, 3 no such "
        "log.\n\n"
        "Examples:\n"
        "  tune profile matmul 4096x4096x4096 --arch sm_90\n"
        "  tune profile matmul 4096x4096x4096 --arch sm_90 --best --log tuning.db --json\n");
    AddProblem(command, profile_.problem);
    AddChosenSchedule(command, profile_, "without it, --best and --record, the default one");
    AddLog(command, profile_.log);
    AddText(command, "--arch", profile_.arch, "ARCH",
            absl::StrCat("Generate for one of ", KnownArchitectures(), "; default that of the record, else ",
                         kDefaultProfileArch));
    AddJson(command, profile_.json);
  }

  void AddCompile() {
    CLI::App& command =
        commands_.Add(app_, "compile", "Build an MLIR module with the best schedules of the log, or run it",
                      [this](const Console& console) {
                        return RunCompileCommand(FindCommand(&app_, "compile")->remaining(), console);
                      });
    command.footer(
        "tune compile MODEL [--log FILE | --spec FILE] --arch ARCH -o libmodel.so; tune compile --help lists the "
        "options.\n\n"
        "Example: tune compile model.mlir --log tuning.db --arch sm_90 -o libmodel.so\n");
    command.set_help_flag();  // mmtune-compile has the options, and their help.
    command.prefix_command();
  }

  void AddReplay() {
    CLI::App& command = commands_.Add(app_, "replay", "Let strategies search recorded landscapes, and say how they did",
                                      [this](const Console& console) { return RunReplayCommand(replay_, console); });
    command.footer(
        "A landscape is what every schedule of a space took: FILE.jsonl with records of one problem and device (tune "
        "records\nexport), or a table in CSV of any tunable kernel, a row for each configuration. No device is "
        "used.\n\n"
        "Example: tune replay gemm-rtx-3090.csv --strategies model,random --seeds 100 --budgets 16,32,64\n");
    command.add_option("LANDSCAPE", replay_.landscapes, "Files; before --train, or behind --")->type_name("");
    command
        .add_option("--train", replay_.learnt,
                    "Landscapes of other devices or problems, of which a log has records: every file up to the next "
                    "option")
        ->type_name("FILE ...");
    AddText(command, "--strategies", replay_.strategies, "NAMES", "With commas, or all");
    AddCount(command, "--seeds", replay_.seeds, 1, "How often each strategy searches")->capture_default_str();
    AddText(command, "--budgets", replay_.budgets, "LIST", "Numbers of trials to report");
    AddCount(command, "--in-flight", replay_.in_flight, 1, "Schedules measured at a time")->capture_default_str();
    command.add_option("--noise", replay_.noise_percent, "Spread of measured times, in percent (1 sigma)")
        ->check(NumberFrom(0, 100))
        ->type_name("P");
    command.add_option("--failures", replay_.failure_percent, "Schedules that fail, drawn for each seed, in percent")
        ->check(NumberFrom(0, 100))
        ->type_name("P");
    AddText(
        command, "--time", replay_.time_column, "COLUMN",
        "Of a table: the time, or a rate with \"flop\" in its name; default the only one with \"time\" or \"flop\"");
    AddText(command, "--params", replay_.parameter_columns, "COLUMNS",
            "Of a table: the parameters, with commas; default the columns before the time");
    AddText(command, "--features", replay_.description, "FILE",
            "Of a table: what its parameters mean, in JSON (docs/search.md); default FILE.json beside FILE.csv, or "
            "nothing. Those of --train are always described by the file beside them");
    auto* json = command.add_flag_callback(
        "--json", [this] { replay_.format = OutputFormat::kJson; }, "One JSON object per landscape, with every trial");
    command.add_flag_callback(
               "--csv", [this] { replay_.format = OutputFormat::kCsv; }, "Comma-separated values")
        ->excludes(json);
  }

  void AddDoctor() {
    CLI::App& command = commands_.Add(app_, "doctor", "Whether this host can tune, and what to do where it cannot",
                                      [this](const Console& console) { return RunDoctorCommand(doctor_, console); });
    command.footer(
        "Exit codes: 0 nothing is wrong, 1 something is.\n\nExample: tune doctor --server tuner.example.org:7077\n");
    AddLog(command, doctor_.log);
    AddText(command, "--spool", doctor_.spool, "FOLDER", "The worker's, where that is not the default");
    AddText(command, "--server", doctor_.server, "ADDR", "Ask this coordinator, too: HOST:PORT or unix:/path");
    AddTlsOptions(command, doctor_.tls);
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
  MatmulOptions matmul_;
  JobOptions ladder_;
  VerifyOptions verify_;
  ProfileOptions profile_;
  RecordsSubcommands records_{commands_};
  ReplayCommandOptions replay_;
  ExplainOptions explain_;
  ReportOptions report_;
  FleetSubcommands fleet_{commands_};
  CertsSubcommands certs_{commands_};
  DoctorOptions doctor_;
  std::vector<std::string> help_of_;
};

int RunCommand(std::vector<std::string> args, const Console& console) {
  CommandLine command_line;
  Action action;
  try {
    action = command_line.Parse(std::move(args), console);
  } catch (const CLI::ParseError& error) {
    console.err << "tune: " << UsageText(error) << "; see " << command_line.HelpCommand() << " --help" << std::endl;
    return static_cast<int>(ExitCode::kUsage);
  }
  if (!action) return static_cast<int>(ExitCode::kOk);
  absl::StatusOr<ExitCode> code = action(console);
  if (code.ok()) return static_cast<int>(*code);
  console.err << "tune: " << PlainText(std::string(code.status().message())) << std::endl;
  return static_cast<int>(ExitCodeOf(code.status()));
}

// The errno of a stream that failed; 0: unknown. Tried again with an empty line, since the way here had errors of its
// own.
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

int RunCommandLine(std::vector<std::string> args, const Console& console) {
  const std::ios::iostate exceptions = console.out.exceptions();
  try {
    // So that a write that fails ends the command at once, wherever it is made.
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
