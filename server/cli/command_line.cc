// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <functional>

#include "absl/strings/str_cat.h"
#include "proto/base/program_options.h"
#include "proto/base/standard_output.h"
#include "proto/base/status.h"
#include "proto/json/verify_json.h"
#include "proto/tls/tls_options.h"
#include "server/cli/certs_command.h"
#include "server/cli/compile_command.h"
#include "server/cli/doctor_command.h"
#include "server/cli/exit_code.h"
#include "server/cli/explain/explain_command.h"
#include "server/cli/format.h"
#include "server/cli/jobs_command.h"
#include "server/cli/ladder_command.h"
#include "server/cli/matmul_command.h"
#include "server/cli/option_groups.h"
#include "server/cli/profile_command.h"
#include "server/cli/records_command.h"
#include "server/cli/records_transfer.h"
#include "server/cli/replay_command.h"
#include "server/cli/report/report_options.h"
#include "server/cli/spec_command.h"
#include "server/cli/status_command.h"
#include "server/cli/verify_command.h"
#include "server/cli/workers_command.h"

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
    AddRecords();
    AddCompile();
    AddReplay();
    AddExplainOptions(AddCommand(app_, "explain", "Say why schedules were run or were not, and what they should take",
                                 [this](const Console& console) { return RunExplainCommand(explain_, console); }),
                      explain_);
    AddReportOptions(AddCommand(app_, "report", "Write what the log says as one page for a browser",
                                [this](const Console& console) { return RunReportCommand(report_, console); }),
                     report_);
    AddStatus();
    AddJobs();
    AddWorkers();
    AddCerts();
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
    command.add_flag("--watch", verify_.watch,
                     absl::StrCat("Watch for races at this size, too: slow, and for up to ", kMaxWatchedProducts,
                                  " products M*N*K"));
    command.add_flag("--json", verify_.json, "One JSON object");
  }

  void AddProfile() {
    CLI::App* profile =
        app_.add_subcommand("profile", "Say what holds one schedule back, as a profiler would, without a GPU");
    profile->require_subcommand(1);
    CLI::App& command = AddCommand(*profile, "matmul", "A schedule of a matrix multiplication",
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
    AddText(command, "--schedule", profile_.schedule, "TEXT",
            "The schedule, written as tables and records write it; without it, --best and --record, the default one");
    command.add_flag("--best", profile_.best, "The fastest valid schedule of the log");
    AddText(command, "--record", profile_.record, "ID",
            "The schedule of a record, by its id or the beginning of its uuid");
    AddLog(command, profile_.log);
    AddText(command, "--arch", profile_.arch, "ARCH",
            absl::StrCat("Generate for one of ", KnownArchitectures(), "; default that of the record, else ",
                         kDefaultProfileArch));
    command.add_flag("--json", profile_.json, "One JSON object");
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
    show.add_flag("--samples", records_.samples, "Every sample, beside their histogram; --json has them anyway");
    AddSpec(records);
    CLI::App& to =
        AddRecordsCommand(records, "export", "Write records as JSON lines, for tune records import", RunRecordsExport);
    AddText(to, "FILE", records_.output, "", "Where to; - is standard output");
    AddFilters(to, true);
    AddForce(to);
    auto* landscape = to.add_flag("--landscape", records_.landscape,
                                  "One record of each schedule of one problem and device, for tune replay: FILE.jsonl, "
                                  "or a table, FILE.csv; warm operands unless --regime says otherwise");
    to.add_flag("--kernel-tuner", records_.kernel_tuner, "The same, as a cache file of Kernel Tuner")
        ->excludes(landscape);
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
    command
        .add_option("--train", replay_.learnt, "Landscapes of other devices or problems, of which a log has records")
        ->type_name("FILE")
        ->allow_extra_args(false);
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
    AddCoordinator(command, status_);
    command.add_flag("--json", status_.json, "One JSON object");
    command
        .add_option_function<std::string>(
            "--watch", [this](const std::string& seconds) { status_.watch = std::stod(seconds); },
            "Again every SECONDS (default 2), until Ctrl-C: in place on a terminal, else one after the other")
        ->expected(0, 1)
        ->default_str("2")
        ->check(NumberFrom(0.1, 86400))
        ->type_name("SECONDS");
  }

  void AddJobs() {
    CLI::App& jobs = *app_.add_subcommand("jobs", "The unfinished jobs of a coordinator, and an end to them");
    jobs.require_subcommand(1);
    jobs.footer(
        "Where there are certificates, a client sees and cancels its own jobs, an admin all.\n\nExamples:\n"
        "  tune jobs list --server tuner.example.org:7077\n"
        "  tune jobs cancel 5f0c1a2b 77d0e93c --server tuner.example.org:7077\n");
    CLI::App& list = AddCommand(jobs, "list", "Those that you may cancel, newest first",
                                [this](const Console& console) { return RunJobsList(jobs_, console); });
    list.add_flag("--json", jobs_.json, "One JSON object");
    CLI::App& cancel = AddCommand(jobs, "cancel", "End jobs; what was measured stays",
                                  [this](const Console& console) { return RunJobsCancel(jobs_, console); });
    cancel.add_option("ID", jobs_.jobs, "As tune jobs list shows it, or more of it; again for another")
        ->required()
        ->type_name("");
    for (CLI::App* command : {&list, &cancel}) AddCoordinator(*command, jobs_);
  }

  /// Which coordinator is asked.
  template <typename Options>
  void AddCoordinator(CLI::App& command, Options& options) {
    CLI::Option* server = AddText(command, "--server", options.server, "ADDR", "HOST:PORT or unix:/path");
    AddTlsOptions(command, options.tls);
    AddText(command, "--log", options.log, "FILE", "Ask the coordinator that has this log")->excludes(server);
  }

  void AddWorkers() {
    CLI::App& workers = *app_.add_subcommand("workers", "The workers of a coordinator, and which of them get leases");
    workers.require_subcommand(1);
    workers.footer(
        "To cordon, uncordon or drain takes a certificate of an admin, where there are certificates.\n\nExamples:\n"
        "  tune workers list --server tuner.example.org:7077\n"
        "  tune workers drain gpu-a/host-7-1f2e --server tuner.example.org:7077\n");
    AddWorkersCommand(workers, "list", "Every worker, its state, labels and devices", [this](const Console& console) {
      return RunWorkersList(workers_, console);
    }).add_flag("--json", workers_.json, "One JSON object");
    AddHold(workers, "cordon", "Give a worker no new leases; what it has, it finishes", v1::WORKER_HOLD_CORDONED);
    AddHold(workers, "uncordon", "Give it leases again, whatever held it: a quarantine, too", v1::WORKER_HOLD_NONE);
    AddHold(workers, "drain",
            "Cordon it, and let it end: it hands back what is not on its device, and has 24 s for the rest",
            v1::WORKER_HOLD_DRAINED);
  }

  CLI::App& AddWorkersCommand(CLI::App& workers, const char* name, const char* help, Action action) {
    CLI::App& command = AddCommand(workers, name, help, std::move(action));
    AddCoordinator(command, workers_);
    return command;
  }

  void AddHold(CLI::App& workers, const char* name, const char* help, v1::WorkerHold hold) {
    AddOperand(
        AddWorkersCommand(workers, name, help,
                          [this, hold](const Console& console) { return RunWorkersHold(workers_, hold, console); }),
        "ID", workers_.worker, "As tune workers list shows it");
  }

  void AddDoctor() {
    CLI::App& command = AddCommand(app_, "doctor", "Whether this host can tune, and what to do where it cannot",
                                   [this](const Console& console) { return RunDoctorCommand(doctor_, console); });
    command.footer(
        "Exit codes: 0 nothing is wrong, 1 something is.\n\nExample: tune doctor --server tuner.example.org:7077\n");
    AddLog(command, doctor_.log);
    AddText(command, "--server", doctor_.server, "ADDR", "Ask this coordinator, too: HOST:PORT or unix:/path");
    AddTlsOptions(command, doctor_.tls);
  }

  void AddCerts() {
    CLI::App& certs =
        *app_.add_subcommand("certs", "Certificates of servers, workers and users, by an authority of our own");
    certs.require_subcommand(1);
    certs.footer(
        "A certificate names a role: admin, client (tune) or worker; a server's names its hosts. Files are PEM, keys "
        "have "
        "mode 0600.\n\nExamples:\n"
        "  tune certs init --ca certs\n"
        "  tune certs issue server coordinator --ca certs --host tuner.example.org --host 10.0.0.5 -o coordinator\n"
        "  tune certs issue worker gpu-a --ca certs -o gpu-a\n"
        "  tune certs revoke gpu-a/gpu-a.crt --ca certs\n");
    CLI::App& init = AddCertsCommand(certs, "init", "Make an authority in a new folder", RunCertsInit);
    AddAuthority(init);
    AddText(init, "--name", certs_.name, "NAME", "Its name");
    AddText(init, "--valid", certs_.valid, "TIME", "How long: 3650d unless given");
    CLI::App& issue = AddCertsCommand(
        certs, "issue", "Make a key and a certificate; with --force, new ones in place of the old", RunCertsIssue);
    AddOperand(issue, "ROLE", certs_.role, "admin, client, worker or server");
    AddOperand(issue, "NAME", certs_.subject, "Whose: of a host or a user; stays when the certificate is renewed");
    AddAuthority(issue);
    issue
        .add_option("--host", certs_.hosts, "Of a server: a name or address by which it is dialled; again for another")
        ->type_name("HOST");
    AddText(issue, "--valid", certs_.valid, "TIME", "How long: 30s, 12h, 90d; 90d unless given");
    AddText(issue, "-o,--output", certs_.output, "DIR", "Where NAME.crt and NAME.key go");
    issue.add_flag("--force", certs_.force, "Replace files that exist");
    CLI::App& revoke =
        AddCertsCommand(certs, "revoke", "Put a certificate on the list that servers refuse", RunCertsRevoke);
    AddOperand(revoke, "FILE", certs_.file, "The certificate");
    AddAuthority(revoke);
    CLI::App& show = AddCertsCommand(certs, "show", "Whose a certificate is, and how long it is valid", RunCertsShow);
    AddOperand(show, "FILE", certs_.file, "The certificate");
  }

  void AddAuthority(CLI::App& command) {
    AddText(command, "--ca", certs_.authority, "DIR", "The authority's folder")->required();
  }

  using CertsAction = absl::StatusOr<ExitCode> (*)(const CertsOptions&, const Console&);
  CLI::App& AddCertsCommand(CLI::App& certs, const char* name, const char* help, CertsAction run) {
    return AddCommand(certs, name, help, [this, run](const Console& console) { return run(certs_, console); });
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
  ProfileOptions profile_;
  RecordsOptions records_;
  ReplayCommandOptions replay_;
  ExplainOptions explain_;
  ReportOptions report_;
  StatusOptions status_;
  WorkersOptions workers_;
  JobsOptions jobs_;
  CertsOptions certs_;
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
