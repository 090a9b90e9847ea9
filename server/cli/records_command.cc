// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/records_command.h"

#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/jsonl.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "server/cli/best_records.h"
#include "server/cli/format.h"
#include "server/cli/record_text.h"
#include "server/cli/schedule_table.h"

namespace mmtune {
namespace {

constexpr size_t kDefaultRows = 20;
constexpr size_t kDefaultBest = 10;
constexpr size_t kAll = SIZE_MAX;

absl::StatusOr<size_t> Limit(const RecordsOptions& options, size_t fallback) {
  if (options.limit < -1) return InvalidArgument("--limit must be 0 (all) or more");
  if (options.limit == 0) return kAll;
  if (options.limit > 0) return static_cast<size_t>(options.limit);
  return options.format == OutputFormat::kTable ? fallback : kAll;
}

int AtMost(size_t count, int most) { return static_cast<int>(std::min(count, static_cast<size_t>(most))); }

// Prints records in the two formats for machines, one by one.
void PrintForMachine(const TuningRecord& record, OutputFormat format, const Console& console) {
  console.out << (format == OutputFormat::kJson ? PrintableJson(RecordToJson(record)) + "\n" : RecordCsvLine(record));
}

struct DeviceBest {
  MatmulProblem problem;
  DeviceInfo device;
  std::string regime;
  // Which records count is the filter's.
  BestRecords best{/*allow_unproven=*/true};
};

// Problem, class of device and regime: times of different devices, or regimes, are never ranked together.
using GroupKey = std::tuple<std::string, std::string, std::string>;
using BestByDevice = std::map<GroupKey, DeviceBest>;

GroupKey KeyOf(const TuningRecord& record) {
  return {record.problem.CanonicalJson(), record.device.ClassKey(), record.measurement.timing.regime};
}

void PrintRankings(const BestByDevice& groups, size_t limit, const Console& console) {
  bool first = true;
  for (const auto& [key, group] : groups) {
    if (!first) console.out << "\n";
    first = false;
    console.out << ProblemText(group.problem) << " on " << DeviceText(group.device)
                << (group.regime == RegimeName(Regime::kCold) ? ", cold operands\n" : "\n");
    if (group.device.kind == DeviceKind::kSimt) console.out << SimtNote() << "\n";
    console.out << "\n" << RankedText(group.best.Top(limit), std::nullopt, console.out_width);
  }
}

// One row for each problem and device, of which `best` has one record each.
void PrintWinners(std::vector<TuningRecord> best, const Console& console) {
  std::map<GroupKey, TuningRecord*> in_order;
  for (TuningRecord& record : best) in_order[KeyOf(record)] = &record;
  std::vector<TuningRecord> winners;
  winners.reserve(best.size());
  for (const auto& [key, record] : in_order) winners.push_back(std::move(*record));
  console.out << WinnersTable(winners).Text(console.out_width);
}

/// Whether a filter for proven records left any out.
absl::StatusOr<bool> HasUnproven(TuningLogReader& log, RecordFilter filter) {
  if (!std::exchange(filter.proven_only, false)) return false;
  ASSIGN_OR_RETURN(const std::vector<TuningRecord> best, log.BestOfEach(filter, /*each=*/1));
  return !best.empty();
}

}  // namespace

absl::StatusOr<ExitCode> RunRecordsList(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options, Clock::Real().UnixMillis()));
  ASSIGN_OR_RETURN(size_t limit, Limit(options, kDefaultRows));
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
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options, Clock::Real().UnixMillis()));
  ASSIGN_OR_RETURN(size_t limit, Limit(options, kDefaultBest));
  filter.outcome = Outcome::kOk;
  filter.proven_only = !options.allow_unproven;
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  DamageNotes notes(*log, console);
  BestByDevice groups;
  const size_t each = options.problem.shape.empty() ? 1 : limit;
  auto best = log->BestOfEach(filter, AtMost(each, INT_MAX));
  if (!best.ok()) return ExitWith(ExitCode::kLog, best.status());
  if (options.format == OutputFormat::kTable && options.problem.shape.empty() && !best->empty()) {
    PrintWinners(*std::move(best), console);
    return ExitCode::kOk;
  }
  for (const TuningRecord& record : *best) {
    DeviceBest& group = groups[KeyOf(record)];
    group.regime = record.measurement.timing.regime;
    group.problem = record.problem;
    group.device = record.device;
    group.best.Add(record);
  }
  if (options.format != OutputFormat::kTable) {
    if (options.format == OutputFormat::kCsv) console.out << RecordCsvHeading();
    for (const auto& [key, group] : groups) {
      for (const TuningRecord& record : group.best.Top(each)) PrintForMachine(record, options.format, console);
    }
  } else if (groups.empty()) {
    ASSIGN_OR_RETURN(const bool unproven, HasUnproven(*log, filter));
    console.out << (unproven ? "no proven records; --allow-unproven ranks the others\n" : "no valid records\n");
  } else {
    PrintRankings(groups, limit, console);
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunRecordsShow(const RecordsOptions& options, const std::string& id, const Console& console) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  auto record = log->Get(id);
  if (absl::IsNotFound(record.status())) {
    return InvalidArgument(absl::StrCat("the log has no record '", PlainText(id), "': tune records list shows ids"));
  }
  if (!record.ok()) return record.status();
  if (options.format == OutputFormat::kJson) {
    console.out << PrintableJson(RecordToJson(*record)) << "\n";
  } else {
    console.out << RecordText(*record);
  }
  return ExitCode::kOk;
}

}  // namespace mmtune
