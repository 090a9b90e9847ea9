// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/log_queries.h"

#include <charconv>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/coordinator/job.h"
#include "server/coordinator/job_spec.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {
namespace {

constexpr int kDefaultPage = 100;
constexpr int kMaxPage = 1000;
constexpr int kDefaultBest = 10;
/// The longest page. gRPC clients accept messages of up to 4 MiB.
constexpr size_t kMaxPageBytes = size_t{1} << 20;

absl::StatusOr<int> ParseLimit(std::string_view field, int value, int fallback) {
  if (value == 0) return fallback;
  if (value > 0 && value <= kMaxPage) return value;
  return InvalidArgument(absl::StrCat(ToAbsl(field), " is ", value, ": give 1 to ", kMaxPage, ", or 0 for ", fallback));
}

absl::StatusOr<int64_t> ParsePageToken(const std::string& token) {
  if (token.empty()) return 0;
  int64_t after = 0;
  const char* end = token.data() + token.size();
  auto [at, error] = std::from_chars(token.data(), end, after);
  if (error != std::errc() || at != end || after < 0) {
    return InvalidArgument(absl::StrCat("page_token '", token, "' is not from this server: start again without it"));
  }
  return after;
}

}  // namespace

absl::StatusOr<RecordFilter> ParseRecordFilter(const v1::RecordFilter& message) {
  RecordFilter filter;
  if (message.has_problem()) {
    absl::StatusOr<MatmulProblem> problem = FromWire(message.problem());
    if (!problem.ok()) return WithContext(problem.status(), "filter.problem");
    filter.problem = *problem;
  }
  if (!message.job_uuid().empty()) RETURN_IF_ERROR(CheckName("filter.job_uuid", message.job_uuid()));
  filter.device = message.device();
  if (!message.outcome().empty()) {
    absl::StatusOr<Outcome> outcome = ParseOutcome(message.outcome());
    if (!outcome.ok()) return WithContext(outcome.status(), "filter.outcome");
    filter.outcome = *outcome;
  }
  if (message.since_unix_millis() < 0)
    return InvalidArgument(
        absl::StrCat("filter.since_unix_millis is ", message.since_unix_millis(), ": give 0 or more"));
  filter.since_unix_millis = message.since_unix_millis();
  filter.job_uuid = message.job_uuid();
  filter.include_non_canonical = message.include_non_canonical();
  filter.verified_only = message.verified_only();
  if (!message.regime().empty()) {
    absl::StatusOr<Regime> regime = ParseRegime(message.regime());
    if (!regime.ok()) return WithContext(regime.status(), "filter.regime");
    filter.regime = *regime;
  }
  filter.toolchain = message.toolchain();
  for (const v1::Schedule& schedule : message.schedules()) {
    absl::StatusOr<Schedule> wanted = FromWire(schedule);
    if (!wanted.ok()) return WithContext(wanted.status(), "filter.schedules");
    filter.schedules.push_back(*std::move(wanted));
  }
  return filter;
}

absl::StatusOr<TuningLogReader*> LogQueries::Reader() {
  if (reader_ == nullptr) {
    ASSIGN_OR_RETURN(reader_, open_());
  }
  return reader_.get();
}

absl::StatusOr<v1::QueryRecordsResponse> LogQueries::QueryRecords(const v1::QueryRecordsRequest& request) {
  ASSIGN_OR_RETURN(RecordFilter filter, ParseRecordFilter(request.filter()));
  ASSIGN_OR_RETURN(const int limit, ParseLimit("page_size", request.page_size(), kDefaultPage));
  ASSIGN_OR_RETURN(const int64_t after, ParsePageToken(request.page_token()));
  ASSIGN_OR_RETURN(TuningLogReader * reader, Reader());
  ASSIGN_OR_RETURN(std::vector<TuningRecord> records, reader->Query(filter, after, limit));
  v1::QueryRecordsResponse response;
  size_t bytes = 0;
  bool more = static_cast<int>(records.size()) == limit;
  for (const TuningRecord& record : records) {
    v1::TuningRecord message = ToWire(record);
    bytes += message.ByteSizeLong();
    if (bytes > kMaxPageBytes && response.records_size() > 0) {
      more = true;
      break;
    }
    *response.add_records() = std::move(message);
  }
  if (more) response.set_next_page_token(absl::StrCat(records[response.records_size() - 1].id));
  return response;
}

absl::StatusOr<v1::GetBestResponse> LogQueries::GetBest(const v1::GetBestRequest& request) {
  ASSIGN_OR_RETURN(RecordFilter filter, ParseRecordFilter(request.filter()));
  ASSIGN_OR_RETURN(const int limit, ParseLimit("limit", request.limit(), kDefaultBest));
  ASSIGN_OR_RETURN(TuningLogReader * reader, Reader());
  ASSIGN_OR_RETURN(std::vector<RankedRecord> ranked, reader->Best(filter, limit));
  v1::GetBestResponse response;
  size_t bytes = 0;
  for (RankedRecord& entry : ranked) {
    entry.record.measurement.conditions.comparison = std::move(entry.comparison);
    v1::TuningRecord message = ToWire(entry.record);
    bytes += message.ByteSizeLong();
    if (bytes > 3 * kMaxPageBytes) break;
    *response.add_records() = std::move(message);
    response.add_ranked_ns(entry.ranked_ns);
  }
  return response;
}

absl::StatusOr<v1::Job> LogQueries::GetJob(std::string_view uuid) {
  ASSIGN_OR_RETURN(TuningLogReader * reader, Reader());
  ASSIGN_OR_RETURN(const std::optional<JobRow> row, reader->FindJob(uuid));
  if (!row) return NotFound(absl::StrCat("no job '", ToAbsl(uuid), "' is in the log: see tune jobs"));
  v1::Job job;
  job.set_uuid(row->uuid);
  if (!job.mutable_spec()->ParseFromString(row->spec)) job.clear_spec();
  job.set_state(ToWire(row->state));
  job.set_message(row->message);
  job.set_created_unix_millis(row->created_unix_millis);
  RETURN_IF_ERROR(FillProgress(*reader, *row, !WantsVerification(job.spec()), job.mutable_progress()));
  return job;
}

absl::Status LogQueries::FillProgress(TuningLogReader& reader, const JobRow& row, bool allow_unverified,
                                      v1::JobProgress* progress) {
  RecordFilter filter;
  filter.job_uuid = row.uuid;
  int64_t measured = 0;
  for (int64_t after = 0;;) {
    ASSIGN_OR_RETURN(std::vector<TuningRecord> page, reader.Query(filter, after, kMaxPage));
    for (const TuningRecord& record : page) {
      after = record.id;
      ++measured;
      ++(*progress->mutable_outcomes())[std::string(OutcomeName(record.measurement.outcome))];
      if (record.measurement.Ranks(allow_unverified) && record.Gflops() > progress->best_gflops()) {
        progress->set_best_gflops(record.Gflops());
        *progress->mutable_best_schedule() = ToWire(record.schedule);
      }
    }
    if (page.size() < kMaxPage) break;
  }
  ASSIGN_OR_RETURN(std::vector<CandidateRow> candidates, reader.Candidates(row.id));
  int64_t done = 0;
  for (const CandidateRow& candidate : candidates) done += candidate.state == CandidateState::kDone;
  progress->set_proposed(static_cast<int64_t>(candidates.size()));
  progress->set_done(done);
  progress->set_from_log(done > measured ? done - measured : 0);
  return absl::OkStatus();
}

}  // namespace mmtune
