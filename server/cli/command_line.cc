// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <functional>
#include <memory>

#include "absl/strings/str_cat.h"
#include "proto/base/program_options.h"
#include "proto/base/standard_output.h"
#include "server/cli/compile_command.h"
#include "server/cli/exit_code.h"
#include "server/cli/format.h"
#include "server/cli/ladder_command.h"
#include "server/cli/matmul_command.h"
#include "server/cli/records_command.h"
#include "server/cli/status_command.h"
#include "server/cli/verify_command.h"

namespace mmtune {
namespace {

using Action = std::function<absl::StatusOr<ExitCode>(const Console&)>;

constexpr char kLogHelp[] =
    "The tuning log; default $XDG_DATA_HOME/mmtune/tuning.db or ~/.local/share/mmtune/tuning.db";
constexpr char kAllowUnprovenHelp[] = "Rank what was timed without a proof, too, and mark it";
constexpr char kShapeHelp[] = "Sizes of C[M,N] = A[M,K] * B[K,N]: 4x5x6 is M=4, N=5, K=6, so A is 4x6 and B is 6x5";

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
    AddRecords();
    AddCompile();
    AddStatus();
    AddHelp();
    // Last, because commands inherit what is there when they are added.
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

  // A word where a command is expected and that is none.
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
    CLI::App* command = app_.add_subcommand("matmul", "Search the fastest schedule of one matrix multiplication");
    command->footer(
        "Run again with the same log, it reuses what was measured. Ctrl-C keeps what was measured and prints the "
        "table\n"
        "so far. Progress goes to standard error, the table to standard output.\n\n"
        "Examples:\n"
        "  tune matmul 1024x1024x1024 --trials 128\n"
        "  tune matmul 1001x37x513 --device simt --strategy random --seed 7\n"
        "  tune matmul 512x512x64 --batch 16 --transpose-b --epilogue scale:0.125\n"
        "  tune matmul 4096x4096x4096 --seconds 300 --server 127.0.0.1:7077\n");
    AddJobOptions(*command, matmul_.job);
    command
        ->add_option(
            "--finalists", matmul_.job.finalists,
            "So many of the fastest are timed against one of them in turn, in fresh processes, on top of --seconds; "
            "0: none. 4, or as --precise and --quick say")
        ->check(IntegerFrom<int64_t>(0))
        ->type_name("N");
    command->add_option("--top", matmul_.top, "Rows of the table")
        ->check(IntegerFrom<int64_t>(1))
        ->type_name("N")
        ->capture_default_str();
    command->callback(
        [this] { action_ = [this](const Console& console) { return RunMatmulCommand(matmul_, console); }; });
  }

  void AddLadder() {
    CLI::App* command = app_.add_subcommand(
        "ladder", "Measure naive, register-blocked, shared-memory and tuned schedules side by side");
    command->footer(
        "The tuned schedule is the best one of the log; when the log has none, it is searched first.\n\n"
        "Example: tune ladder 1024x1024x1024\n");
    AddJobOptions(*command, ladder_);
    command->callback(
        [this] { action_ = [this](const Console& console) { return RunLadderCommand(ladder_, console); }; });
  }

  static void AddVariant(CLI::App& command, ProblemOptions& options, const std::string& dtype_help) {
    command.add_option("--dtype", options.dtype, dtype_help)->type_name("TYPE")->capture_default_str();
    command.add_option("--out", options.out, "Type of C: f32, or that of A and B (default)")->type_name("TYPE");
    command.add_option("--math", options.math, "How f32 is multiplied: ieee (default), or tf32 on tensor cores")
        ->type_name("MODE");
    command.add_option("--batch", options.batch, "Products; A, B and C hold this many matrices, one after the other")
        ->check(IntegerFrom<int64_t>(1))
        ->type_name("N")
        ->capture_default_str();
    command.add_flag("--transpose-a", options.transpose_a, "A is stored as K x M");
    command.add_flag("--transpose-b", options.transpose_b, "B is stored as N x K");
    command
        .add_option("--epilogue", options.epilogue,
                    "What is done with each element of the product before it is stored, in order: bias (one for each "
                    "column), add (an operand of C's size), relu, scale:<factor>; such as bias,relu")
        ->type_name("STEPS");
  }

  static void AddWait(CLI::App& command, std::optional<double>& wait) {
    command
        .add_option("--wait", wait,
                    "End with 5 when another process has held the device for this long; default: wait for ever")
        ->check(NumberFrom(0, 1e7))
        ->type_name("S");
  }

  static void AddJobOptions(CLI::App& command, JobOptions& options) {
    command.add_option("MxNxK", options.problem.shape, kShapeHelp)->type_name("")->required();
    AddVariant(command, options.problem, "Type of A and B: f32, f16, bf16, or tf32 (f32 on tensor cores)");
    command
        .add_option_function<int64_t>(
            "--trials",
            [&options](int64_t trials) {
              options.trials = trials;
              options.trials_given = true;
            },
            "Schedules to try, those of the log included; 0: no limit. 64, or no limit when --seconds is given")
        ->check(IntegerFrom<int64_t>(0))
        ->type_name("N");
    command.add_option("--seconds", options.seconds, "Stop proposing schedules after this long; 0: no limit")
        ->check(NumberFrom(0))
        ->type_name("S");
    command.add_option("--strategy", options.strategy, "exhaustive, random or evolutionary")
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--seed", options.seed, "The same seed proposes the same schedules")
        ->check(IntegerFrom<uint64_t>(0))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--device", options.device,
                    "auto (a CUDA device, else simt), cuda, cuda:<i>, or simt (the kernel's threads on the CPU)")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--arch", options.arch,
                    "Generate for sm_75, sm_80, sm_86, sm_89 or sm_90; default the device's own")
        ->type_name("ARCH");
    AddWait(command, options.wait);
    command.add_option("--log", options.log, kLogHelp)->type_name("FILE");
    command
        .add_option("--server", options.server,
                    "Tune on the workers of a running mmtune-server: HOST:PORT or unix:/path")
        ->type_name("ADDR");
    command
        .add_option("--measure-seconds", options.measure.budget_seconds,
                    "Timing budget per schedule; 0: the device's default")
        ->check(NumberFrom(0))
        ->type_name("S");
    command
        .add_option("--regime", options.regime,
                    "warm (the same operands every time) or cold (as many in turn as flush the cache)")
        ->type_name("NAME")
        ->capture_default_str();
    command.add_flag("--precise", options.precise,
                     "Time each schedule for up to 2 s, to 0.1 %, and compare the 8 fastest");
    command.add_flag("--quick", options.quick, "Time each schedule for up to 0.1 s, to 2 %, and compare none");
    command.add_flag("--remeasure", options.remeasure, "Measure again what the log already holds");
    command.add_flag_callback(
        "--no-proof", [&options] { options.measure.proof = false; },
        "Do not prove schedules race-free at small shapes before timing them; the records say so, and the "
        "table marks them");
    command.add_flag("--allow-unproven", options.allow_unproven, kAllowUnprovenHelp);
    command.add_flag_callback(
        "--no-baseline", [&options] { options.measure.baseline = false; }, "Do not time cuBLAS beside the schedules");
    command.add_flag("--json", options.json, "One JSON object instead of the table");
    command.add_flag("--quiet", options.quiet, "No progress");
  }

  void AddVerify() {
    CLI::App* verify =
        app_.add_subcommand("verify", "Prove one schedule correct and free of races, and say what was shown");
    verify->require_subcommand(1);
    CLI::App* command = verify->add_subcommand("matmul", "A schedule of a matrix multiplication");
    command->footer(
        "The schedule runs at small shapes in the SIMT device's check and stress modes, then at this size on the "
        "device.\nExit codes: 0 proven, 1 not proven or output lost, 2 usage, 3 no such log, 5 no such device.\n\n"
        "Examples:\n"
        "  tune verify matmul 1024x1024x1024 --best --log tuning.db\n"
        "  tune verify matmul 64x64x64 --device simt --arch sm_90 --stress 20 --schedule 'fma bm=32 bn=32 ...'\n");
    command->add_option("MxNxK", verify_.problem.shape, kShapeHelp)->type_name("")->required();
    AddVariant(*command, verify_.problem, "Type of A and B: f32, f16, bf16, or tf32 (f32 on tensor cores)");
    command->add_option("--schedule", verify_.schedule, "As tables and records write it")->type_name("TEXT");
    command->add_flag("--best", verify_.best, "The fastest valid schedule of the log");
    command->add_option("--record", verify_.record, "That of a record, by its id or the beginning of its uuid")
        ->type_name("ID");
    command->add_option("--log", verify_.log, kLogHelp)->type_name("FILE");
    command->add_option("--device", verify_.device, "Where it runs at full size: auto, cuda, cuda:<i>, or simt")
        ->type_name("NAME")
        ->capture_default_str();
    command->add_option("--arch", verify_.arch, "Generate for this architecture; default the device's own")
        ->type_name("ARCH");
    AddWait(*command, verify_.wait);
    command->add_option("--stress", verify_.stress, "Stress runs of each small shape")
        ->check(IntegerFrom<int64_t>(0))
        ->type_name("N")
        ->capture_default_str();
    command->add_flag(
        "--check", verify_.check,
        absl::StrCat("Check mode at this size, too: slow, and for up to ", kMaxWatchedProducts, " products M*N*K"));
    command->add_flag("--json", verify_.json, "One JSON object");
    Run(command, [this](const Console& console) { return RunVerifyCommand(verify_, console); });
  }

  void AddRecords() {
    CLI::App* records = app_.add_subcommand("records", "Read the tuning log; export and import records");
    records->require_subcommand(1);
    CLI::App* list = records->add_subcommand("list", "The newest records, whatever their outcome");
    AddLog(*list);
    AddFilters(*list, true);
    AddFormat(*list, true);
    list->add_option("--before", records_.before, "Only records with a lower id: the next page of the list")
        ->check(IntegerFrom<int64_t>(1))
        ->type_name("ID");
    Run(list, [this](const Console& console) { return RunRecordsList(records_, console); });
    CLI::App* best = records->add_subcommand(
        "best", "The fastest valid schedules of a problem, or the best one of each problem and device");
    AddLog(*best);
    AddFilters(*best, false);
    AddFormat(*best, true);
    best->add_flag("--allow-unproven", records_.allow_unproven, kAllowUnprovenHelp);
    Run(best, [this](const Console& console) { return RunRecordsBest(records_, console); });
    CLI::App* show = records->add_subcommand("show", "Everything one record holds");
    AddLog(*show);
    show->add_option("ID", file_or_id_, "The record's id, or the first 4 or more characters of its uuid")
        ->type_name("")
        ->required();
    AddFormat(*show, false);
    Run(show, [this](const Console& console) { return RunRecordsShow(records_, file_or_id_, console); });
    AddSpec(*records);
    AddTransfers(*records);
    AddCheck(*records);
  }

  void AddSpec(CLI::App& records) {
    CLI::App* spec = records.add_subcommand(
        "spec", "Write the best schedule of each problem and device as a tuning spec, for final compilation");
    spec->footer(
        "A tuning spec is a JSON file, made to be kept beside the program that is compiled with it. Of each problem "
        "and\nclass of devices, what the toolchain of the newest record measured counts: its code can be made "
        "again.\n\nExample: tune records spec --device cuda -o model.mmtune.json\n");
    AddLog(*spec);
    AddFilters(*spec, false);
    spec->add_option("--arch", spec_.arch, "Only kernels generated for this architecture, such as sm_90")
        ->type_name("ARCH");
    spec->add_flag("--allow-unproven", records_.allow_unproven,
                   "Schedules that were timed without a proof, too; their entries say so");
    spec->add_flag("--any-toolchain", spec_.any_toolchain,
                   "The fastest measurement, whichever toolchain it is of: today's may make other code of it");
    spec->add_option("-o,--output", spec_.file, "Where to; default standard output, which is - too")->type_name("FILE");
    AddForce(*spec);
    Run(spec, [this](const Console& console) { return RunRecordsSpec(records_, spec_, console); });
  }

  void AddTransfers(CLI::App& records) {
    CLI::App* to = records.add_subcommand("export", "Write records as JSON lines, for tune records import");
    AddLog(*to);
    to->add_option("FILE", export_file_, "Where to; default standard output, which is - too")->type_name("");
    AddFilters(*to, true);
    AddForce(*to);
    Run(to, [this](const Console& console) { return RunRecordsExport(records_, export_file_, console); });
    CLI::App* from =
        records.add_subcommand("import", "Add exported records to the log: all of them or, on an error, none");
    AddLog(*from);
    from->add_option("FILE", file_or_id_, "Where from; - is standard input")->type_name("")->required();
    Run(from, [this](const Console& console) { return RunRecordsImport(records_.log, file_or_id_, console); });
  }

  void AddCheck(CLI::App& records) {
    CLI::App* check =
        records.add_subcommand("check", "Look at every record of the log, and name those that are damaged");
    AddLog(*check);
    check->add_flag("--repair", repair_,
                    "Restore what stands elsewhere in the log, too, and remove the rest; keeps a copy of the log");
    Run(check, [this](const Console& console) { return RunRecordsCheck(records_.log, repair_, console); });
  }

  void AddForce(CLI::App& command) { command.add_flag("--force", records_.force, "Replace a file that exists"); }

  void AddLog(CLI::App& command) { command.add_option("--log", records_.log, kLogHelp)->type_name("FILE"); }

  void AddFilters(CLI::App& command, bool any_outcome) {
    command
        .add_option("--problem", records_.problem.shape,
                    "Only this problem: without batch and epilogue, unless --batch and so on say so")
        ->type_name("MxNxK");
    AddVariant(command, records_.problem, "The problem's type");
    command.add_option("--device", records_.device, "Only devices whose name contains this, or a kind: cuda, simt")
        ->type_name("TEXT");
    command.add_option("--since", records_.since, "Only records not older: 90s, 30m, 2h, 7d, 1w, or 2026-01-31 (UTC)")
        ->type_name("TIME");
    command.add_option("--regime", records_.regime, "Only what was timed on warm, or on cold operands")
        ->type_name("NAME");
    if (!any_outcome) return;
    command
        .add_option("--outcome", records_.outcome, "Only this outcome: ok, rejected, compile_failed, wrong_result, ...")
        ->type_name("NAME");
    command.add_flag("--all", records_.all, "Late reports of expired leases too");
  }

  void AddFormat(CLI::App& command, bool many) {
    auto* json = command.add_flag_callback(
        "--json", [this] { records_.format = OutputFormat::kJson; }, "One JSON object per record");
    if (!many) return;
    command.add_flag_callback(
               "--csv", [this] { records_.format = OutputFormat::kCsv; }, "Comma-separated values")
        ->excludes(json);
    command.add_option("--limit", records_.limit, "Records at most; 0: all. Tables show few, --json and --csv all")
        ->check(IntegerFrom<int64_t>(0))
        ->type_name("N");
  }

  void AddCompile() {
    CLI::App* command =
        app_.add_subcommand("compile", "Build an MLIR module with the best schedules of the log, or run it");
    command->footer(
        "tune compile MODEL [--log FILE | --spec FILE] --arch ARCH -o libmodel.so; tune compile --help lists the "
        "options.\n\n"
        "Example: tune compile model.mlir --log tuning.db --arch sm_90 -o libmodel.so\n");
    command->set_help_flag();  // mmtune-compile has the options, and their help.
    command->prefix_command();
    Run(command, [command](const Console& console) { return RunCompileCommand(command->remaining(), console); });
  }

  void AddStatus() {
    CLI::App* command = app_.add_subcommand("status", "Jobs, workers and leases of a running coordinator");
    auto* server = command->add_option("--server", status_.server, "HOST:PORT or unix:/path")->type_name("ADDR");
    command->add_option("--log", status_.log, "Ask the coordinator that has this log")
        ->type_name("FILE")
        ->excludes(server);
    command->add_flag("--json", status_.json, "One JSON object");
    Run(command, [this](const Console& console) { return RunStatusCommand(status_, console); });
  }

  void AddHelp() {
    CLI::App* command = app_.add_subcommand("help", "This text, or that of a command");
    command->add_option("COMMAND", help_of_, "Its words: tune help records list")->type_name("");
    Run(command, [this](const Console& console) -> absl::StatusOr<ExitCode> {
      CLI::App* app = &app_;
      std::string name = app_.get_name();
      for (const std::string& word : help_of_) {
        CLI::App* next = FindCommand(app, word);
        if (next == nullptr) {
          return absl::InvalidArgumentError(
              absl::StrCat("there is no command '", PlainText(word), "'; see tune --help"));
        }
        absl::StrAppend(&name, " ", word);
        app = next;
      }
      console.out << app->get_formatter()->make_help(app, name, CLI::AppFormatMode::Normal);
      return ExitCode::kOk;
    });
  }

  void Run(CLI::App* command, Action action) {
    command->callback([this, action = std::move(action)] { action_ = action; });
  }

  CLI::App app_;
  Action action_;
  MatmulOptions matmul_;
  JobOptions ladder_;
  VerifyOptions verify_;
  RecordsOptions records_;
  SpecOptions spec_;
  StatusOptions status_;
  std::string file_or_id_;
  std::string export_file_ = "-";
  bool repair_ = false;
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
