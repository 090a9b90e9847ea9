// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cfloat>
#include <functional>

#include "absl/strings/str_cat.h"
#include "proto/base/program_options.h"
#include "proto/base/standard_output.h"
#include "proto/base/status.h"
#include "proto/json/verify_json.h"
#include "proto/types/device_info.h"
#include "server/cli/compile_command.h"
#include "server/cli/exit_code.h"
#include "server/cli/format.h"
#include "server/cli/ladder_command.h"
#include "server/cli/matmul_command.h"
#include "server/cli/records_command.h"
#include "server/cli/records_transfer.h"
#include "server/cli/replay_command.h"
#include "server/cli/spec_command.h"
#include "server/cli/status_command.h"
#include "server/cli/verify_command.h"

namespace mmtune {
namespace {

using Action = std::function<absl::StatusOr<ExitCode>(const Console&)>;

// CLI11's message in our manner: it begins in lower case and says "command".
std::string UsageText(const CLI::ParseError& error) {
  std::string text = PlainText(error.what());
  if (text == "A subcommand is required") return "a command is required";
  if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') text[0] = static_cast<char>(std::tolower(text[0]));
  return text;
}

// An option that takes a text. The help shows its default unless that is empty.
CLI::Option* AddText(CLI::App& command, const char* name, std::string& value, const char* kind,
                     const std::string& help) {
  CLI::Option* option = command.add_option(name, value, help)->type_name(kind);
  return value.empty() ? option : option->capture_default_str();
}

// A word of the command that has to be there, such as a file.
void AddOperand(CLI::App& command, const char* name, std::string& value, const char* help) {
  AddText(command, name, value, "", help)->required();
}

// An option that takes a whole number from `least` up.
template <typename T>
CLI::Option* AddCount(CLI::App& command, const char* name, T& value, int64_t least, const char* help) {
  return command.add_option(name, value, help)->check(IntegerFrom<int64_t>(least))->type_name("N");
}

// An option that takes a number of seconds.
template <typename T>
void AddSeconds(CLI::App& command, const char* name, T& value, const char* help, double most = DBL_MAX) {
  command.add_option(name, value, help)->check(NumberFrom(0, most))->type_name("S");
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
    AddRecords();
    AddCompile();
    AddReplay();
    AddStatus();
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
    return action_;
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

  // A command of `parent` that leaves `action` when it is chosen.
  CLI::App& AddCommand(CLI::App& parent, const char* name, const char* help, Action action) {
    CLI::App* command = parent.add_subcommand(name, help);
    command->callback([this, action = std::move(action)] { action_ = action; });
    return *command;
  }

  void AddMatmul() {
    CLI::App& command = AddCommand(app_, "matmul", "Search for the fastest schedule of one matrix multiplication",
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
        AddCommand(app_, "ladder", "Measure naive, register-blocked, shared-memory and tuned schedules side by side",
                   [this](const Console& console) { return RunLadderCommand(ladder_, console); });
    command.footer(
        "The tuned schedule is the best one of the log; when the log has none, it is searched for first.\n\n"
        "Example: tune ladder 1024x1024x1024\n");
    AddJobOptions(command, ladder_);
  }

  static void AddVariant(CLI::App& command, ProblemOptions& options) {
    AddText(command, "--dtype", options.dtype, "TYPE",
            "Type of A and B: f32, f16, bf16, or tf32 (f32 on tensor cores)");
    AddText(command, "--out", options.out, "TYPE", "Type of C: f32, or that of A and B (default)");
    AddText(command, "--math", options.math, "MODE",
            "How f32 is multiplied: ieee (default); on tensor cores: tf32, or as accurate as f32: tf32x3, bf16x6");
    AddCount(command, "--batch", options.batch, 1, "Products; A, B and C hold this many matrices, one after the other")
        ->capture_default_str();
    command.add_flag("--transpose-a", options.transpose_a, "A is stored as K x M");
    command.add_flag("--transpose-b", options.transpose_b, "B is stored as N x K");
    AddText(command, "--epilogue", options.epilogue, "STEPS",
            "What is done with each element of the product before it is stored, in order: bias (one for each "
            "column), add (an operand of C's size), relu, gelu, gelu_tanh, silu, scale:<factor>, clamp:<low>:<high>; "
            "such as bias,relu");
  }

  static void AddProblem(CLI::App& command, ProblemOptions& options) {
    AddOperand(command, "MxNxK", options.shape,
               "Sizes of C[M,N] = A[M,K] * B[K,N]: 4x5x6 is M=4, N=5, K=6, so A is 4x6 and B is 6x5");
    AddVariant(command, options);
  }

  // Where a schedule runs: for commands that measure or verify.
  template <typename Options>
  static void AddDevice(CLI::App& command, Options& options) {
    AddText(command, "--device", options.device, "NAME",
            "auto (a CUDA device, else simt), cuda, cuda:<i>, or simt (the kernel's threads on the CPU)");
    AddText(command, "--arch", options.arch, "ARCH",
            absl::StrCat("Generate for one of ", KnownArchitectures(), "; default the device's own"));
    AddSeconds(command, "--wait", options.wait,
               "End with 5 when another process has held the device for this long; default: wait without limit", 1e7);
  }

  static void AddLog(CLI::App& command, std::string& log) {
    AddText(command, "--log", log, "FILE",
            "The tuning log; default $XDG_DATA_HOME/mmtune/tuning.db or ~/.local/share/mmtune/tuning.db");
  }

  static void AddAllowUnproven(CLI::App& command, bool& allow) {
    command.add_flag("--allow-unproven", allow, "Include what was timed without a proof, and mark it");
  }

  static void AddJobOptions(CLI::App& command, JobOptions& options) {
    AddProblem(command, options.problem);
    AddCount(command, "--trials", options.trials, 0,
             "Schedules to try, those of the log included; 0: no limit. 64, or no limit when --seconds is given");
    AddSeconds(command, "--seconds", options.seconds, "Stop proposing schedules after this long; 0: no limit");
    AddText(command, "--strategy", options.strategy, "NAME", "model, evolutionary, random or exhaustive");
    command.add_option("--seed", options.seed, "The same seed proposes the same schedules")
        ->check(IntegerFrom<uint64_t>(0))
        ->type_name("N")
        ->capture_default_str();
    AddDevice(command, options);
    AddLog(command, options.log);
    AddText(command, "--server", options.server, "ADDR",
            "Tune on the workers of a running mmtune-server: HOST:PORT or unix:/path");
    AddSeconds(command, "--measure-seconds", options.measure.budget_seconds,
               "Timing budget per schedule; 0: the device's default");
    AddText(command, "--regime", options.regime, "NAME",
            "warm (the same operands every time) or cold (several sets in turn, so many that they flush the cache)");
    command.add_flag("--precise", options.precise,
                     "Time each schedule for up to 2 s, to 0.1 %, and compare the 8 fastest");
    command.add_flag("--quick", options.quick, "Time each schedule for up to 0.1 s, to 2 %, and compare none");
    command.add_flag("--remeasure", options.remeasure, "Measure again what the log already holds");
    command.add_flag_callback(
        "--no-proof", [&options] { options.measure.proof = false; },
        "Do not prove schedules race-free at small shapes before timing them; the records say so, and the "
        "table marks them");
    AddAllowUnproven(command, options.allow_unproven);
    command.add_flag_callback(
        "--no-baseline", [&options] { options.measure.baseline = false; }, "Do not time cuBLAS beside the schedules");
    command.add_flag("--json", options.json, "One JSON object instead of the table");
    command.add_flag("--quiet", options.quiet, "No progress");
  }

  void AddVerify() {
    CLI::App* verify =
        app_.add_subcommand("verify", "Prove one schedule correct and free of races, and say what was shown");
    verify->require_subcommand(1);
    CLI::App& command = AddCommand(*verify, "matmul", "A schedule of a matrix multiplication",
                                   [this](const Console& console) { return RunVerifyCommand(verify_, console); });
    command.footer(
        "The schedule runs at small shapes in the SIMT device's watch and stress modes, then at this size on the "
        "device.\nExit codes: 0 proven, 1 not proven or output lost, 2 usage, 3 no such log, 5 no such device.\n\n"
        "Examples:\n"
        "  tune verify matmul 1024x1024x1024 --best --log tuning.db\n"
        "  tune verify matmul 64x64x64 --device simt --arch sm_90 --stress 20 --schedule 'fma bm=32 bn=32 ...'\n");
    AddProblem(command, verify_.problem);
    AddText(command, "--schedule", verify_.schedule, "TEXT", "The schedule, written as tables and records write it");
    command.add_flag("--best", verify_.best, "The fastest valid schedule of the log");
    AddText(command, "--record", verify_.record, "ID",
            "The schedule of a record, by its id or the beginning of its uuid");
    AddLog(command, verify_.log);
    AddDevice(command, verify_);
    AddCount(command, "--stress", verify_.stress, 0, "Stress runs of each small shape")->capture_default_str();
    command.add_flag("--check", verify_.check,
                     absl::StrCat("Watch for races at this size, too: slow, and for up to ", kMaxWatchedProducts,
                                  " products M*N*K"));
    command.add_flag("--json", verify_.json, "One JSON object");
  }

  void AddRecords() {
    CLI::App& records = *app_.add_subcommand("records", "Read the tuning log; export and import records");
    records.require_subcommand(1);
    CLI::App& list = AddRecordsCommand(records, "list", "The newest records, whatever their outcome", RunRecordsList);
    AddFilters(list, true);
    AddFormat(list, true);
    AddCount(list, "--before", records_.before, 1, "Only records with a lower id: the next page of the list")
        ->type_name("ID");
    CLI::App& best = AddRecordsCommand(
        records, "best", "The fastest valid schedules of a problem, or the best one of each problem and device",
        RunRecordsBest);
    AddFilters(best, false);
    AddFormat(best, true);
    AddAllowUnproven(best, records_.allow_unproven);
    CLI::App& show = AddRecordsCommand(records, "show", "Everything that one record holds", RunRecordsShow);
    AddOperand(show, "ID", records_.id, "The record's id, or the first 4 or more characters of its uuid");
    AddFormat(show, false);
    AddSpec(records);
    CLI::App& to =
        AddRecordsCommand(records, "export", "Write records as JSON lines, for tune records import", RunRecordsExport);
    AddText(to, "FILE", records_.output, "", "Where to; - is standard output");
    AddFilters(to, true);
    AddForce(to);
    CLI::App& from = AddRecordsCommand(
        records, "import", "Add exported records to the log: all of them or, on an error, none", RunRecordsImport);
    AddOperand(from, "FILE", records_.input, "Where from; - is standard input");
    CLI::App& check = AddRecordsCommand(
        records, "check", "Look at every record of the log, and name those that are damaged", RunRecordsCheck);
    check.add_flag(
        "--repair", records_.repair,
        "Restore damaged records of which the log holds another copy, and remove the others; keeps a copy of "
        "the log");
  }

  using RecordsAction = absl::StatusOr<ExitCode> (*)(const RecordsOptions&, const Console&);
  CLI::App& AddRecordsCommand(CLI::App& records, const char* name, const char* help, RecordsAction run) {
    CLI::App& command =
        AddCommand(records, name, help, [this, run](const Console& console) { return run(records_, console); });
    AddLog(command, records_.log);
    return command;
  }

  void AddSpec(CLI::App& records) {
    CLI::App& spec = AddRecordsCommand(
        records, "spec", "Write the best schedule of each problem and device as a tuning spec, for final compilation",
        RunRecordsSpec);
    spec.footer(
        "A tuning spec is a JSON file, made to be kept beside the program that is compiled with it. For each problem "
        "and\nclass of devices, only what the toolchain of the newest record measured counts: its code can be made "
        "again.\n\nExample: tune records spec --device cuda -o model.mmtune.json\n");
    AddFilters(spec, false);
    AddText(spec, "--arch", records_.arch, "ARCH", "Only kernels generated for this architecture, such as sm_90");
    AddAllowUnproven(spec, records_.allow_unproven);
    spec.add_flag("--any-toolchain", records_.any_toolchain,
                  "The fastest measurement of any toolchain: today's may make other code of its schedule");
    AddText(spec, "-o,--output", records_.output, "FILE", "Where to; - is standard output");
    AddForce(spec);
  }

  void AddForce(CLI::App& command) { command.add_flag("--force", records_.force, "Replace a file that exists"); }

  void AddFilters(CLI::App& command, bool any_outcome) {
    AddText(command, "--problem", records_.problem.shape, "MxNxK",
            "Only this problem: without batch and epilogue, unless --batch and the other options say so");
    AddVariant(command, records_.problem);
    AddText(command, "--device", records_.device, "TEXT",
            "Only devices whose name contains this, or of a kind: cuda, simt");
    AddText(command, "--since", records_.since, "TIME",
            "Only records not older than this: 90s, 30m, 2h, 7d, 1w, or 2026-01-31 (UTC)");
    AddText(command, "--regime", records_.regime, "NAME", "Only what was timed with warm, or with cold operands");
    if (!any_outcome) return;
    AddText(command, "--outcome", records_.outcome, "NAME",
            "Only this outcome: ok, rejected, compile_failed, wrong_result, ...");
    command.add_flag("--all", records_.all, "Late reports of expired leases too");
  }

  void AddFormat(CLI::App& command, bool many) {
    auto* json = command.add_flag_callback(
        "--json", [this] { records_.format = OutputFormat::kJson; }, "One JSON object per record");
    if (!many) return;
    command.add_flag_callback(
               "--csv", [this] { records_.format = OutputFormat::kCsv; }, "Comma-separated values")
        ->excludes(json);
    AddCount(command, "--limit", records_.limit, 0,
             "Records at most; 0: all. Without it, tables show few, --json and --csv all");
  }

  void AddCompile() {
    CLI::App& command =
        AddCommand(app_, "compile", "Build an MLIR module with the best schedules of the log, or run it",
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
    CLI::App& command = AddCommand(app_, "replay", "Let strategies search recorded landscapes, and say how they did",
                                   [this](const Console& console) { return RunReplayCommand(replay_, console); });
    command.footer(
        "A landscape is what every schedule of a space took: FILE.jsonl with records of one problem and device (tune "
        "records\nexport), or a table in CSV of any tunable kernel, a row for each configuration. No device is "
        "used.\n\n"
        "Example: tune replay gemm-rtx-3090.csv --strategies model,random --seeds 100 --budgets 16,32,64\n");
    command.add_option("LANDSCAPE", replay_.landscapes, "Files")->required()->type_name("");
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
            "nothing");
    auto* json = command.add_flag_callback(
        "--json", [this] { replay_.format = OutputFormat::kJson; }, "One JSON object per landscape, with every trial");
    command.add_flag_callback(
               "--csv", [this] { replay_.format = OutputFormat::kCsv; }, "Comma-separated values")
        ->excludes(json);
  }

  void AddStatus() {
    CLI::App& command = AddCommand(app_, "status", "Jobs, workers and leases of a running coordinator",
                                   [this](const Console& console) { return RunStatusCommand(status_, console); });
    CLI::Option* server = AddText(command, "--server", status_.server, "ADDR", "HOST:PORT or unix:/path");
    AddText(command, "--log", status_.log, "FILE", "Ask the coordinator that has this log")->excludes(server);
    command.add_flag("--json", status_.json, "One JSON object");
  }

  void AddHelp() {
    CLI::App& command = AddCommand(app_, "help", "This text, or that of a command",
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
  Action action_;
  MatmulOptions matmul_;
  JobOptions ladder_;
  VerifyOptions verify_;
  RecordsOptions records_;
  ReplayCommandOptions replay_;
  StatusOptions status_;
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
