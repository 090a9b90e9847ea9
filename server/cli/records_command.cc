#include "server/cli/records_command.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
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

// By problem, class of device and regime: times of different devices, or regimes, are never ranked together.
using BestByDevice = std::map<std::tuple<std::string, std::string, std::string>, DeviceBest>;

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

// One row for each problem and device.
void PrintWinners(const BestByDevice& groups, const Console& console) {
  std::vector<TuningRecord> winners;
  for (const auto& [key, group] : groups) {
    if (group.best.size() > 0) winners.push_back(group.best.Top(1).front());
  }
  console.out << WinnersTable(winners).Text(console.out_width);
}

/// Whether a filter for proven records left any out.
absl::StatusOr<bool> HasUnproven(TuningLogReader& log, RecordFilter filter) {
  if (!std::exchange(filter.proven_only, false)) return false;
  bool found = false;
  RETURN_IF_ERROR(ForEachRecord(log, filter, [&found](const TuningRecord& record) {
    found |= record.measurement.Ranks(/*allow_unproven=*/true);
  }));
  return found;
}

}  // namespace

absl::StatusOr<ExitCode> RunRecordsList(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options, Clock::Real().UnixMillis()));
  ASSIGN_OR_RETURN(size_t limit, Limit(options, kDefaultRows));
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  const bool stream = options.format != OutputFormat::kTable && limit == kAll;
  if (options.format == OutputFormat::kCsv) console.out << RecordCsvHeading();
  std::deque<TuningRecord> newest;
  size_t passed = 0;
  RETURN_IF_ERROR(ForEachRecord(*log, filter, [&](TuningRecord record) {
    ++passed;
    if (stream) return PrintForMachine(record, options.format, console);
    newest.push_back(std::move(record));
    if (newest.size() > limit) newest.pop_front();
  }));
  if (options.format != OutputFormat::kTable) {
    for (const TuningRecord& record : newest) PrintForMachine(record, options.format, console);
  } else if (newest.empty()) {
    console.out << "no records\n";
  } else {
    console.out << RecordsTable({newest.rbegin(), newest.rend()}).Text(console.out_width);
    if (passed > newest.size()) {
      console.out << "\nthe newest " << newest.size() << " of " << passed << " records; --limit 0 shows all\n";
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
  BestByDevice groups;
  RETURN_IF_ERROR(ForEachRecord(*log, filter, [&groups](TuningRecord record) {
    if (!record.measurement.Ranks(/*allow_unproven=*/true)) return;
    const std::string& regime = record.measurement.timing.regime;
    DeviceBest& group = groups[{record.problem.CanonicalJson(), record.device.ClassKey(), regime}];
    group.regime = regime;
    group.problem = record.problem;
    group.device = record.device;
    group.best.Add(record);
  }));
  if (options.format != OutputFormat::kTable) {
    if (options.format == OutputFormat::kCsv) console.out << RecordCsvHeading();
    const size_t each = options.problem.shape.empty() ? 1 : limit;
    for (const auto& [key, group] : groups) {
      for (const TuningRecord& record : group.best.Top(each)) PrintForMachine(record, options.format, console);
    }
  } else if (groups.empty()) {
    ASSIGN_OR_RETURN(const bool unproven, HasUnproven(*log, filter));
    console.out << (unproven ? "no proven records; --allow-unproven ranks the others\n" : "no valid records\n");
  } else if (options.problem.shape.empty()) {
    PrintWinners(groups, console);
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
