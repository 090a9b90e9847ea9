// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/records_source.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "db/log_exit_code.h"
#include "proto/base/clock.h"
#include "proto/base/output_file.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "server/tune/report/format.h"
#include "server/tune/session/session.h"

namespace mmtune {
namespace {

constexpr int kPage = 500;
constexpr size_t kMaxNamed = 5;

absl::Status NoRecord(TuningLogReader& log, const MatmulProblem& problem) {
  return ExitWith(ExitCode::kNoResult,
                  NotFound(absl::StrCat("the log has no valid record of ", ProblemText(problem),
                                        ": run tune matmul, or give --schedule", SuggestProblem(log, problem))));
}

}  // namespace

absl::StatusOr<RecordFilter> MakeRecordFilter(const RecordsOptions& options) {
  RecordFilter filter;
  if (!options.problem.shape.empty()) {
    ASSIGN_OR_RETURN(filter.problem, MakeProblem(options.problem));
  }
  filter.device = options.device;
  if (!options.outcome.empty()) {
    ASSIGN_OR_RETURN(filter.outcome, ParseOutcome(options.outcome));
  }
  if (!options.since.empty()) {
    ASSIGN_OR_RETURN(filter.since_unix_millis, ParseSince(options.since, Clock::Real().UnixMillis()));
  }
  filter.include_non_canonical = options.all;
  if (!options.regime.empty()) {
    ASSIGN_OR_RETURN(filter.regime, ParseRegime(options.regime));
  }
  return filter;
}

absl::StatusOr<std::unique_ptr<TuningLogReader>> OpenLogForReading(const std::string& log) {
  ASSIGN_OR_RETURN(std::string path, ResolveLogPath(log, /*create_folder=*/false));
  auto reader = OpenTuningLogReadOnly(path);
  if (reader.ok()) return reader;
  if (absl::IsNotFound(reader.status())) {
    return ExitWith(ExitCode::kLog, NotFound(absl::StrCat("there is no tuning log at ", path,
                                                          ": run tune matmul first, or give --log FILE")));
  }
  return ExitWith(LogExitCode(path, reader.status()), reader.status());
}

DamageNotes::DamageNotes(TuningLogReader& log, const Console& console) : log_(log), console_(console) {
  log.OnDamaged([this](const DamagedRecord& record) {
    if (!ids_.insert(record.id).second || ids_.size() > kMaxNamed) return;
    console_.err << "tune: record " << record.id << " (" << PlainText(record.uuid)
                 << ") is damaged and left out: " << PlainText(record.why) << std::endl;
  });
}

DamageNotes::~DamageNotes() {
  log_.OnDamaged([](const DamagedRecord&) {});
  if (ids_.empty()) return;
  console_.err << "tune: damaged records left out: " << Grouped(static_cast<int64_t>(ids_.size()))
               << "; tune records check names them all, and with --repair mends a file" << std::endl;
}

absl::Status WriteText(const std::string& output, bool force, const std::string& text, const Console& console) {
  const auto write = [&text](std::ostream& out) {
    out << text << std::flush;
    return out.good() ? absl::OkStatus() : Internal("cannot write the output");
  };
  return output == "-" ? write(console.out) : WriteOutput(output, force, write);
}

absl::Status ForEachRecord(TuningLogReader& log, const RecordFilter& filter,
                           const std::function<void(TuningRecord record)>& visit) {
  int64_t after = 0;
  for (;;) {
    auto page = log.Query(filter, after, kPage);
    if (!page.ok()) return ExitWith(ExitCode::kLog, page.status());
    if (page->empty()) return absl::OkStatus();
    after = page->back().id;
    for (TuningRecord& record : *page) visit(std::move(record));
  }
}

std::string SuggestProblem(TuningLogReader& log, const MatmulProblem& problem) {
  const absl::StatusOr<std::vector<RankedRecord>> best = log.BestOfEach(RecordFilter(), /*each=*/1);
  if (!best.ok()) return "";
  std::set<std::string> names;
  for (const RankedRecord& ranked : *best) {
    const MatmulProblem& other = ranked.record.problem;
    const bool same_sizes = other.m == problem.m && other.n == problem.n && other.k == problem.k;
    if (same_sizes && other != problem && names.size() < kMaxNamed) names.insert(ProblemText(other));
  }
  if (names.empty()) return "";
  return absl::StrCat("; did you mean ", absl::StrJoin(names, ", or "), ", which it has?");
}

absl::StatusOr<TuningRecord> BestRecord(const MatmulProblem& problem, const std::string& log_path, bool prefer_simt) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(log_path));
  DeviceKind order[] = {DeviceKind::kCuda, DeviceKind::kSimt};
  if (prefer_simt) std::swap(order[0], order[1]);
  for (DeviceKind kind : order) {
    for (bool verified : {true, false}) {
      RecordFilter filter;
      filter.problem = problem;
      filter.device = DeviceKindName(kind);
      filter.verified_only = verified;
      // The filter also matches devices of the other kind whose name contains this kind.
      auto best = log->BestOfEach(filter, /*each=*/1);
      if (!best.ok()) return ExitWith(ExitCode::kLog, best.status());
      SortRankings(&*best);
      const auto first = std::find_if(best->begin(), best->end(),
                                      [kind](const RankedRecord& ranked) { return ranked.record.device.kind == kind; });
      if (first != best->end()) return std::move(first->record);
    }
  }
  return NoRecord(*log, problem);
}

absl::StatusOr<TuningRecord> NamedRecord(const MatmulProblem& problem, const std::string& id,
                                         const std::string& log_path) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(log_path));
  absl::StatusOr<TuningRecord> record = log->Get(id);
  if (record.ok() && record->problem != problem) {
    return InvalidArgument(absl::StrCat("record ", PlainText(id), " is of ", ProblemText(record->problem), ", not of ",
                                        ProblemText(problem), ": give the record's problem"));
  }
  if (record.ok()) return record;
  return ExitWith(absl::IsNotFound(record.status()) ? ExitCode::kNoResult : ExitCode::kLog, record.status());
}

}  // namespace mmtune
