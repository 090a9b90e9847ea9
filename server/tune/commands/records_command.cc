// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/records_command.h"

#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/jsonl.h"
#include "proto/base/status.h"
#include "server/tune/report/format.h"
#include "server/tune/report/record_text.h"
#include "server/tune/report/schedule_table.h"

namespace mmtune {
namespace {

constexpr size_t kDefaultRows = 20;
constexpr size_t kDefaultBest = 10;
constexpr size_t kAll = SIZE_MAX;

size_t Limit(const RecordsOptions& options, size_t fallback) {
  if (!options.limit) return options.format == OutputFormat::kTable ? fallback : kAll;
  return *options.limit == 0 ? kAll : static_cast<size_t>(*options.limit);
}

int AtMost(size_t count, int most) { return static_cast<int>(std::min(count, static_cast<size_t>(most))); }

// Prints records in the two formats for machines, one by one.
void PrintForMachine(const TuningRecord& record, OutputFormat format, const Console& console) {
  console.out << (format == OutputFormat::kJson ? PrintableJson(RecordToJson(record)) + "\n" : RecordCsvLine(record));
}

// What BestOfEach gives, by ranking: times of different problems, devices or regimes are never ranked together.
using Rankings = std::map<std::tuple<std::string, std::string, std::string>, std::vector<TuningRecord>>;

void PrintRankings(const Rankings& rankings, const Console& console) {
  std::string_view gap;
  for (const auto& [key, ranking] : rankings) {
    const TuningRecord& first = ranking.front();
    console.out << std::exchange(gap, "\n") << ProblemText(first.problem) << " on " << DeviceText(first.device)
                << (first.measurement.timing.IsCold() ? ", cold operands\n" : "\n");
    if (first.device.kind == DeviceKind::kSimt) console.out << SimtNote() << "\n";
    console.out << "\n" << RankedText(ranking, std::nullopt, console.out_width);
  }
}

// One row for each problem and device.
void PrintWinners(const Rankings& rankings, const Console& console) {
  std::vector<TuningRecord> winners;
  for (const auto& [key, ranking] : rankings) winners.push_back(ranking.front());
  console.out << WinnersTable(winners).Text(console.out_width);
}

/// Whether a filter for proven records left any out.
absl::StatusOr<bool> HasUnproven(TuningLogReader& log, RecordFilter filter) {
  if (!std::exchange(filter.proven_only, false)) return false;
  ASSIGN_OR_RETURN(const std::vector<RankedRecord> best, log.BestOfEach(filter, /*each=*/1));
  return !best.empty();
}

}  // namespace

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
  // One more, to know whether there are more.
  auto newest = log->Newest(filter, options.before > 0 ? options.before : INT64_MAX, AtMost(limit, INT_MAX - 1) + 1);
  if (!newest.ok()) return ExitWith(ExitCode::kLog, newest.status());
  const bool more = newest->size() > limit;
  if (more) newest->pop_back();
  if (options.format != OutputFormat::kTable) {
    for (auto at = newest->rbegin(); at != newest->rend(); ++at) PrintForMachine(*at, options.format, console);
  } else if (newest->empty()) {
    console.out << "no records\n";
  } else {
    console.out << RecordsTable(*newest).Text(console.out_width);
    if (more) {
      console.out << "\nthe newest " << newest->size() << "; older ones: --before " << newest->back().id
                  << "; all: --limit 0\n";
    }
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunRecordsBest(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options));
  const size_t limit = Limit(options, kDefaultBest);
  filter.outcome = Outcome::kOk;
  filter.proven_only = !options.allow_unproven;
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
    // Tables show the times that rank; what is for machines is what the log has.
    rankings[{record.problem.CanonicalJson(), record.device.ClassKey(), record.measurement.timing.regime}].push_back(
        is_table ? AsRanked(entry) : record);
  }
  if (!is_table) {
    if (options.format == OutputFormat::kCsv) console.out << RecordCsvHeading();
    for (const auto& [key, ranking] : rankings) {
      for (const TuningRecord& record : ranking) PrintForMachine(record, options.format, console);
    }
  } else if (rankings.empty()) {
    ASSIGN_OR_RETURN(const bool unproven, HasUnproven(*log, filter));
    console.out << (unproven ? "no proven records; --allow-unproven ranks the others\n" : "no valid records\n");
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
  if (options.format == OutputFormat::kJson) {
    console.out << PrintableJson(RecordToJson(*record)) << "\n";
  } else {
    console.out << RecordText(*record, options.samples);
  }
  return ExitCode::kOk;
}

}  // namespace mmtune
