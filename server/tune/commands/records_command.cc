// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune records`: reading the tuning log, moving records in and out of it, and mending it.
#include "server/tune/commands/commands.h"

#include <string.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "db/copy_records.h"
#include "db/jsonl.h"
#include "db/log_check.h"
#include "db/log_exit_code.h"
#include "proto/base/status.h"
#include "server/tune/commands/export_commands.h"
#include "server/tune/commands/options.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/report/best_records.h"
#include "server/tune/report/format.h"
#include "server/tune/report/noise.h"
#include "server/tune/report/record_text.h"
#include "server/tune/report/schedule_table.h"
#include "server/tune/report/table.h"
#include "server/tune/session/session.h"

namespace mmtune {
namespace {

constexpr size_t kDefaultRows = 20;
constexpr size_t kDefaultBest = 10;
constexpr size_t kAll = SIZE_MAX;
constexpr size_t kPageRows = 500;

size_t Limit(const RecordsOptions& options, size_t fallback) {
  if (!options.limit) return options.format == OutputFormat::kTable ? fallback : kAll;
  return *options.limit == 0 ? kAll : static_cast<size_t>(*options.limit);
}

int AtMost(size_t count, int most) { return static_cast<int>(std::min(count, static_cast<size_t>(most))); }

/// Prints a record as JSON or CSV.
void PrintForMachine(const TuningRecord& record, OutputFormat format, const Console& console) {
  console.out << (format == OutputFormat::kJson ? PrintableJson(RecordToJson(record)) + "\n" : RecordCsvLine(record));
}

/// Sizes of a problem, all of it, class of devices, and regime. Records that differ in any are never ranked together.
using RankingKey = std::tuple<int64_t, int64_t, int64_t, std::string, std::string, std::string>;
using Rankings = std::map<RankingKey, std::vector<RankedRecord>>;

/// Returns the device, and that operands were cold.
std::string PlaceText(const TuningRecord& record) {
  return absl::StrCat(DeviceText(record.device), record.measurement.timing.IsCold() ? ", cold operands" : "");
}

void PrintRankings(const Rankings& rankings, const Console& console) {
  std::string_view gap;
  for (const auto& [key, ranking] : rankings) {
    const TuningRecord& first = ranking.front().record;
    console.out << std::exchange(gap, "\n") << ProblemText(first.problem) << " on " << PlaceText(first) << "\n";
    if (first.device.kind == DeviceKind::kSimt) console.out << SimtNote() << "\n";
    console.out << "\n" << RankedText(AsShown(ranking), std::nullopt, console.tables);
    if (const std::optional<int> flips = WinnerFlips(ranking)) {
      console.out << "\n"
                  << AsLines(absl::StrCat("winner    the same by both halves of the samples in ",
                                          kWinnerDivisions - *flips, " of ", kWinnerDivisions, " random divisions\n"),
                             console.tables);
    }
  }
}

/// Prints one row for each problem and device.
void PrintWinners(const Rankings& rankings, const Console& console) {
  std::vector<TuningRecord> winners;
  bool simt = false;
  for (const auto& [key, ranking] : rankings) {
    winners.push_back(AsShown(ranking).front());
    simt |= winners.back().device.kind == DeviceKind::kSimt;
  }
  console.out << "the best of each problem\n" << (simt ? absl::StrCat(std::string(SimtNote()), "\n") : "") << "\n";
  console.out << WinnersText(winners, console.tables);
}

/// True if a filter for verified records left any out.
absl::StatusOr<bool> HasUnverified(TuningLogReader& log, RecordFilter filter) {
  if (!std::exchange(filter.verified_only, false)) return false;
  ASSIGN_OR_RETURN(const std::vector<RankedRecord> best, log.BestOfEach(filter, /*each=*/1));
  return !best.empty();
}

absl::Status CannotRead(const std::string& file) {
  return InvalidArgument(absl::StrCat("cannot read ", PlainText(file), ": ", strerror(errno)));
}

/// Prints the newest `limit` records as tables of up to kPageRows rows, so that memory does not grow with the log.
absl::Status PrintNewest(TuningLogReader& log, const RecordFilter& filter, int64_t before, size_t limit,
                         const Console& console) {
  size_t shown = 0;
  for (bool more = true; more && shown < limit;) {
    const size_t wanted = std::min(limit - shown, kPageRows);
    // Asks for one more, to know whether there are more.
    auto newest = log.Newest(filter, before, AtMost(wanted, INT_MAX - 1) + 1);
    if (!newest.ok()) return ExitWith(ExitCode::kLog, newest.status());
    more = newest->size() > wanted;
    if (more) newest->pop_back();
    if (newest->empty()) break;
    console.out << (shown > 0 ? "\n" : "") << RecordsTable(*newest).Text(console.tables);
    shown += newest->size();
    before = newest->back().id;
    if (more && shown == limit) {
      console.out << "\nthe newest " << shown << "; older ones: --before " << before << "; all: --limit 0\n";
    }
  }
  if (shown == 0) console.out << "no records\n";
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> RunRecordsList(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options));
  const size_t limit = Limit(options, kDefaultRows);
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  DamageNotes notes(*log, console);
  if (options.format == OutputFormat::kCsv) console.out << RecordCsvHeading();
  if (options.format != OutputFormat::kTable && limit == kAll && options.before <= 0) {
    RETURN_IF_ERROR(ForEachRecord(
        *log, filter, [&](const TuningRecord& record) { PrintForMachine(record, options.format, console); }));
    return ExitCode::kOk;
  }
  const int64_t before = options.before > 0 ? options.before : INT64_MAX;
  if (options.format == OutputFormat::kTable) {
    RETURN_IF_ERROR(PrintNewest(*log, filter, before, limit, console));
    return ExitCode::kOk;
  }
  auto newest = log->Newest(filter, before, AtMost(limit, INT_MAX));
  if (!newest.ok()) return ExitWith(ExitCode::kLog, newest.status());
  for (auto at = newest->rbegin(); at != newest->rend(); ++at) PrintForMachine(*at, options.format, console);
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunRecordsBest(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options));
  const size_t limit = Limit(options, kDefaultBest);
  filter.outcome = Outcome::kOk;
  filter.verified_only = !options.allow_unverified;
  filter.any_toolchain = options.any_toolchain;
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  DamageNotes notes(*log, console);
  const bool is_table = options.format == OutputFormat::kTable;
  const size_t each = options.problem.shape.empty() ? 1 : limit;
  auto best = log->BestOfEach(filter, AtMost(each, INT_MAX));
  if (!best.ok()) return ExitWith(ExitCode::kLog, best.status());
  Rankings rankings;
  for (const RankedRecord& entry : *best) {
    const TuningRecord& record = entry.record;
    const MatmulProblem& problem = record.problem;
    rankings[{problem.m, problem.n, problem.k, problem.CanonicalJson(), record.device.ClassKey(),
              record.measurement.timing.regime}]
        .push_back(entry);
  }
  if (!is_table) {
    if (options.format == OutputFormat::kCsv) console.out << RecordCsvHeading();
    for (const auto& [key, ranking] : rankings) {
      // Tables show the times that rank; JSON and CSV have the records of the log.
      for (const RankedRecord& entry : ranking) PrintForMachine(entry.record, options.format, console);
    }
  } else if (rankings.empty()) {
    ASSIGN_OR_RETURN(const bool unverified, HasUnverified(*log, filter));
    std::string said = unverified ? "no verified records; --allow-unverified ranks the others" : "no valid records";
    if (filter.problem) absl::StrAppend(&said, SuggestProblem(*log, *filter.problem));
    console.out << said << "\n";
  } else if (options.problem.shape.empty()) {
    PrintWinners(rankings, console);
  } else {
    PrintRankings(rankings, console);
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunRecordsShow(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  auto record = log->Get(options.id);
  if (absl::IsNotFound(record.status())) {
    return InvalidArgument(
        absl::StrCat("the log has no record '", PlainText(options.id), "': tune records list shows ids"));
  }
  if (!record.ok()) return record.status();
  if (options.format == OutputFormat::kTable) {
    console.out << RecordText(*record, options.samples, console.tables);
    return ExitCode::kOk;
  }
  if (options.format == OutputFormat::kCsv) console.out << RecordCsvHeading();
  PrintForMachine(*record, options.format, console);
  return ExitCode::kOk;
}

/// Reads every record of a log in PostgreSQL, whose server looks after its files itself.
absl::StatusOr<ExitCode> CheckRecords(const RecordsOptions& options, const Console& console) {
  if (options.repair) {
    return InvalidArgument("--repair is for SQLite files: PostgreSQL's own tools restore a database from a backup");
  }
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  int64_t records = 0;
  std::set<int64_t> damaged_ids;  // The last page may be read twice.
  log->OnDamaged([&](const DamagedRecord& record) {
    if (!damaged_ids.insert(record.id).second) return;
    console.out << "record " << record.id << " (" << PlainText(record.uuid) << ") is damaged: " << PlainText(record.why)
                << "\n";
  });
  RecordFilter all;
  all.include_non_canonical = true;
  RETURN_IF_ERROR(ForEachRecord(*log, all, [&records](const TuningRecord&) { ++records; }));
  const auto damaged = static_cast<int64_t>(damaged_ids.size());
  console.out << "checked " << Grouped(records + damaged) << " records of " << options.log << ", damaged "
              << Grouped(damaged) << "\n";
  return damaged > 0 ? ExitCode::kLog : ExitCode::kOk;
}

/// Names every damaged record; ends with kLog where one stays damaged.
absl::StatusOr<ExitCode> RunRecordsCheck(const RecordsOptions& options, const Console& console) {
  if (IsLogUrl(options.log)) return CheckRecords(options, console);
  ASSIGN_OR_RETURN(std::string path, ResolveLogPath(options.log, /*create_folder=*/false));
  auto tell = [&console](const DamagedRecord& record) {
    console.out << "record " << record.id << " (" << PlainText(record.uuid) << ") is damaged: " << PlainText(record.why)
                << "\n";
  };
  const absl::StatusOr<LogCheck> check = options.repair ? RepairTuningLog(path, tell) : CheckTuningLog(path, tell);
  if (!check.ok()) return ExitWith(LogExitCode(path, check.status()), check.status());
  for (const std::string& row : check->rows) console.out << PlainText(row) << "\n";
  console.out << "checked " << Grouped(check->records) << " records of " << path << ", damaged "
              << Grouped(check->damaged);
  if (check->backup.empty()) {
    console.out << (check->damaged > 0 ? "; --repair restores or removes them\n" : "\n");
    return check->damaged > 0 ? ExitCode::kLog : ExitCode::kOk;
  }
  console.out << "\nrestored " << Grouped(check->restored) << ", removed " << Grouped(check->removed);
  if (check->set_aside > 0) console.out << " and with these " << Grouped(check->set_aside) << " records that are whole";
  console.out << "; the log as it was: " << check->backup << "\n";
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunRecordsImport(const RecordsOptions& options, const Console& console) {
  const std::string& file = options.input;
  std::ifstream in;
  if (file != "-") {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) errno = EISDIR;
    in.open(file);
    if (!in || std::filesystem::is_directory(file, error)) return CannotRead(file);
  }
  std::istream& input = file == "-" ? std::cin : in;
  ASSIGN_OR_RETURN(std::string path, ResolveLogPath(options.log, /*create_folder=*/true));
  auto log = OpenTuningLog(path, {.endpoint = "", .bulk = true, .discard_unused = true});
  if (!log.ok()) return ExitWith(LogExitCode(path, log.status()), log.status());
  const std::streampos begin = input.tellg();
  auto imported = ImportJsonl(**log, ImportLines(input), [&] { return RestartLines(input, begin); });
  if (!imported.ok()) {
    const absl::Status error = WithContext(imported.status(), file == "-" ? "standard input" : PlainText(file));
    return absl::IsInvalidArgument(error) ? ExitWith(ExitCode::kUsage, error) : ExitWith(ExitCode::kLog, error);
  }
  console.out << "imported " << Grouped(imported->added) << " records, " << Grouped(imported->present)
              << " already present, into " << PlainText(path) << "\n";
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunRecordsCopy(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const std::string from_path, ResolveLogPath(options.input, /*create_folder=*/false));
  ASSIGN_OR_RETURN(const std::string path, ResolveLogPath(options.output, /*create_folder=*/false));
  if (from_path == path) return InvalidArgument(absl::StrCat("both logs are ", PlainText(path), ": name two"));
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> from, OpenLogForReading(options.input));
  DamageNotes notes(*from, console);
  auto log = OpenTuningLog(path, {.endpoint = "", .bulk = true, .discard_unused = true});
  if (!log.ok()) return ExitWith(LogExitCode(path, log.status()), log.status());
  const auto progress = [&console](const ImportResult& so_far) {
    if (!console.live) return;
    console.err << "tune: " << Grouped(so_far.added + so_far.present) << " records\r" << std::flush;
  };
  const auto copied = CopyRecords(*from, **log, progress);
  if (!copied.ok()) {
    return ExitWith(ExitCode::kLog, WithContext(copied.status(),
                                                "the copy ended early; what it stored stays, and the same "
                                                "command continues"));
  }
  console.out << "copied " << Grouped(copied->added) << " records, " << Grouped(copied->present)
              << " already present, into " << PlainText(path) << "\n";
  return ExitCode::kOk;
}

/// Adds a command of `tune records`, which has --log.
CLI::App& AddOne(Commands& commands, CLI::App& records, RecordsOptions& options, const char* name, const char* help,
                 absl::StatusOr<ExitCode> (*run)(const RecordsOptions&, const Console&)) {
  CLI::App& command = commands.Add(records, name, help, run, options);
  AddLog(command, options.log);
  return command;
}

void AddAnyToolchain(CLI::App& command, RecordsOptions& options) {
  command.add_flag("--any-toolchain", options.any_toolchain,
                   "Rank what any toolchain measured, not only that of the newest record: today's may make other code "
                   "of its schedules");
}

void AddFilters(CLI::App& command, RecordsOptions& options, bool any_outcome) {
  AddRecordFilters(command, options,
                   "Only this problem: without batch and epilogue, unless --batch and the other options say so");
  InGroup(command, kMeasuringGroup);
  AddRegime(command, options.regime, "Only what was timed with warm, or with cold operands");
  if (!any_outcome) return;
  std::vector<std::string> outcomes;
  for (const Outcome outcome : kAllOutcomes) outcomes.emplace_back(OutcomeName(outcome));
  AddText(command, "--outcome", options.outcome, "NAME",
          absl::StrCat("Only this outcome: ", absl::StrJoin(outcomes, ", ")))
      ->check(OneOf(outcomes));
  command.add_flag("--all", options.all, "Late reports of expired leases too");
}

constexpr FormatHelp kRecordFormats = {.json = "One JSON object per record",
                                       .csv = "Comma-separated values, a line for each record"};

/// Adds the options of a command that prints several records.
void AddManyFormats(Commands& commands, CLI::App& command, RecordsOptions& options) {
  commands.AddFormats(command, options.format, kRecordFormats);
  AddCount(command, "--limit", options.limit, 0,
           "Records at most; 0: all. Without it, tables show few, --json and --csv all");
}

void AddSpec(Commands& commands, CLI::App& records, RecordsOptions& options) {
  CLI::App& spec = AddOne(commands, records, options, "spec",
                          "Write the best schedule of each problem and device as a tuning spec, for final compilation",
                          RunRecordsSpec);
  spec.footer(
      "A tuning spec is a JSON file, made to be kept beside the program that is compiled with it. For each problem "
      "and class of devices, only what the toolchain of the newest record measured counts: its code can be made "
      "again.\n\nExample: tune records spec --device-name cuda -o model.mmtune.json\n");
  AddOutput(spec, options.output, "Where to; - is standard output");
  AddForce(spec, options.force);
  AddText(spec, "--arch", options.arch, "ARCH", "Only kernels generated for this architecture, such as sm_90");
  AddFilters(spec, options, false);
  AddAllowUnverified(spec, options.allow_unverified);
  AddAnyToolchain(spec, options);
}

}  // namespace

void AddRecordsCommands(Commands& commands, CLI::App& app) {
  RecordsOptions& options = commands.Keep<RecordsOptions>();
  CLI::App& records = commands.AddParent(app, "records", "Read the tuning log; export and import records");
  CLI::App& list =
      AddOne(commands, records, options, "list", "The newest records, whatever their outcome", RunRecordsList);
  list.footer(
      "A page has 20 records, or --limit; the line below it gives the --before of the next page, which is found as "
      "fast however long the log is.");
  AddManyFormats(commands, list, options);
  AddCount(list, "--before", options.before, 1, "Only records with a lower id: the next page of the list")
      ->type_name("ID");
  AddFilters(list, options, true);
  CLI::App& best =
      AddOne(commands, records, options, "best",
             "The ranking of a problem's valid schedules, or the best one of each problem and device", RunRecordsBest);
  AddManyFormats(commands, best, options);
  AddFilters(best, options, false);
  AddAllowUnverified(best, options.allow_unverified);
  AddAnyToolchain(best, options);
  CLI::App& show = AddOne(commands, records, options, "show", "Everything that one record holds", RunRecordsShow);
  AddOperand(show, "ID", options.id, "The record's id, or the first 4 or more characters of its uuid");
  commands.AddFormats(show, options.format, kRecordFormats);
  show.add_flag("--samples", options.samples, "Every sample, beside their histogram; --json has them anyway");
  AddSpec(commands, records, options);
  CLI::App& to = AddOne(commands, records, options, "export", "Write records as JSON lines, for tune records import",
                        RunRecordsExport);
  AddText(to, "FILE", options.output, "FILE", "Where to; - is standard output");
  AddForce(to, options.force);
  auto* landscape = to.add_flag("--landscape", options.landscape,
                                "One record of each schedule of one problem and device, for tune replay: FILE.jsonl, "
                                "or a table, FILE.csv; warm operands unless --regime says otherwise");
  auto* cache = to.add_flag("--kernel-tuner", options.kernel_tuner, "The same, as a cache file of Kernel Tuner");
  cache->excludes(landscape);
  AddChoice(to, "--format", options.seeds, {"t4", "triton", "vllm", "cutlass"},
            "The ten best schedules of each problem and device, as seeds for another tuner: Kernel Tuner's T4, "
            "arguments of triton.Config, the files by N and K of vLLM and SGLang (into the folder FILE), or the CSV of "
            "the CUTLASS profiler")
      ->excludes(landscape)
      ->excludes(cache);
  AddFilters(to, options, true);
  to.add_flag(
      "--allow-unverified", options.allow_unverified,
      "Of --landscape, --kernel-tuner and --format: also what was timed without verification, where other times "
      "have it");
  CLI::App& from = AddOne(commands, records, options, "import",
                          "Add exported records to the log: all of them or, on an error, none", RunRecordsImport);
  AddText(from, "FILE", options.input, "FILE", "Where from; - is standard input")->required();
  CLI::App& copy = commands.Add(records, "copy", "Add the records of one log to another one: a file or a database",
                                RunRecordsCopy, options);
  copy.footer(
      "Records that are there already are skipped: a copy that was interrupted continues when it is repeated.\n\n"
      "Example: tune records copy tuning.db postgres://host/mmtune\n");
  AddOperand(copy, "FROM", options.input, "The log to read: a file or a postgres:// URL");
  AddOperand(copy, "TO", options.output, "The log to write, made when absent");
  CLI::App& check = AddOne(commands, records, options, "check",
                           "Look at every record of the log, and name those that are damaged", RunRecordsCheck);
  check.add_flag("--repair", options.repair,
                 "Restore damaged records of which the log holds another copy, and remove the others; keeps a copy of "
                 "the log");
}

}  // namespace mmtune
