// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/server/fake_tuning_log.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/validate.h"

namespace mmtune {
namespace {

constexpr size_t kMinPrefix = 4;

bool IsDevice(const DeviceInfo& device, const std::string& wanted) {
  return absl::StrContains(absl::AsciiStrToLower(device.name), absl::AsciiStrToLower(wanted)) ||
         absl::EqualsIgnoreCase(ToAbsl(DeviceKindName(device.kind)), wanted);
}

bool Matches(const TuningRecord& record, const RecordFilter& filter) {
  if (filter.problem && !(record.problem == *filter.problem)) return false;
  if (filter.verified_only && !IsVerified(record.measurement.verification)) return false;
  if (filter.outcome && record.measurement.outcome != *filter.outcome) return false;
  if (!filter.job_uuid.empty() && record.job_uuid != filter.job_uuid) return false;
  if (filter.regime && record.measurement.timing.regime != RegimeName(*filter.regime)) return false;
  if (!filter.schedule_digest.empty() && record.schedule.Digest() != filter.schedule_digest) return false;
  if (!filter.device.empty() && !IsDevice(record.device, filter.device)) return false;
  return record.unix_millis >= filter.since_unix_millis && (record.canonical || filter.include_non_canonical);
}

bool IsNewer(const TuningRecord& record, const std::optional<TuningRecord>& than) {
  return !than || std::tie(record.unix_millis, record.uuid) > std::tie(than->unix_millis, than->uuid);
}

bool Teaches(const TuningRecord& record, const TimesFilter& filter) {
  return record.canonical && record.measurement.Ranks(!filter.verified_only) && record.device.kind == filter.kind &&
         record.measurement.timing.regime == RegimeName(filter.regime) &&
         record.unix_millis < filter.before_unix_millis;
}

}  // namespace

absl::Status FakeTuningLog::Call() {
  const bool counts = fail_in_ > 0;
  if (counts) --fail_in_;
  const bool fails = counts && fail_in_ == 0;
  if (fails && !fail_once_) failed_ = true;
  return failed_ || fails ? absl::Status(absl::StatusCode::kInternal, "disk I/O error") : absl::OkStatus();
}

absl::StatusOr<std::vector<TuningRecord>> FakeTuningLog::Query(const RecordFilter& filter, int64_t after_id,
                                                               int limit) {
  RETURN_IF_ERROR(Call());
  std::vector<TuningRecord> found;
  for (auto at = state_.records.upper_bound(after_id); at != state_.records.end(); ++at) {
    if (static_cast<int>(found.size()) >= limit) break;
    if (Matches(at->second.record, filter)) found.push_back(at->second.record);
  }
  return found;
}

absl::StatusOr<std::vector<TuningRecord>> FakeTuningLog::Newest(const RecordFilter& filter, int64_t before_id,
                                                                int limit) {
  ASSIGN_OR_RETURN(std::vector<TuningRecord> found, Query(filter, 0, 1 << 30));
  std::erase_if(found, [before_id](const TuningRecord& record) { return record.id >= before_id; });
  std::reverse(found.begin(), found.end());
  if (static_cast<int>(found.size()) > limit) found.resize(limit);
  return found;
}

absl::Status FakeTuningLog::ForEachBrief(const RecordFilter& filter,
                                         const std::function<void(const RecordBrief& brief)>& visit) {
  ASSIGN_OR_RETURN(const std::vector<TuningRecord> records, Query(filter, 0, 1 << 30));
  std::map<std::string, int64_t> problems, classes;
  for (const TuningRecord& record : records) {
    const auto number = [](std::map<std::string, int64_t>& known, const std::string& value) {
      return known.try_emplace(value, static_cast<int64_t>(known.size()) + 1).first->second;
    };
    visit({record.id, number(problems, record.problem.CanonicalJson()), number(classes, record.device.ClassKey()),
           record.job_uuid, record.measurement.timing.regime, record.schedule.Digest(), record.canonical,
           record.measurement.outcome, record.measurement.timing.median_ns});
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<TuningRecord>> FakeTuningLog::GetAll(const std::vector<int64_t>& ids) {
  RETURN_IF_ERROR(Call());
  std::vector<TuningRecord> records;
  for (const int64_t id : ids) {
    if (const auto at = state_.records.find(id); at != state_.records.end()) records.push_back(at->second.record);
  }
  return records;
}

absl::StatusOr<std::vector<RankedRecord>> FakeTuningLog::BestOfEach(const RecordFilter& filter, int each) {
  RecordFilter canonical = filter;
  canonical.include_non_canonical = false;
  ASSIGN_OR_RETURN(std::vector<TuningRecord> found, Query(canonical, 0, 1 << 30));
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<TuningRecord>> groups;
  for (TuningRecord& record : found) {
    auto& group = groups[{record.problem.CanonicalJson(), record.device.ClassKey(), record.measurement.timing.regime}];
    group.push_back(std::move(record));
  }
  std::vector<RankedRecord> best;
  for (auto& [key, group] : groups) {
    std::vector<RankedRecord> ranked =
        RankRecords(std::move(group), {!filter.verified_only, filter.any_toolchain, filter.toolchain});
    std::erase_if(ranked, [&filter](const RankedRecord& entry) {
      const std::vector<Schedule>& wanted = filter.schedules;
      return !wanted.empty() && std::find(wanted.begin(), wanted.end(), entry.record.schedule) == wanted.end();
    });
    for (size_t i = 0; i < ranked.size() && static_cast<int>(i) < each; ++i) best.push_back(std::move(ranked[i]));
  }
  return best;
}

absl::StatusOr<std::vector<RankedRecord>> FakeTuningLog::Best(const RecordFilter& filter, int limit) {
  ASSIGN_OR_RETURN(std::vector<RankedRecord> best, BestOfEach(filter, limit));
  SortRankings(&best);
  if (static_cast<int>(best.size()) > limit) best.resize(static_cast<size_t>(std::max(limit, 0)));
  return best;
}

absl::StatusOr<TuningRecord> FakeTuningLog::Get(std::string_view id_or_uuid) {
  RETURN_IF_ERROR(Call());
  const std::string name(id_or_uuid);
  if (name.empty()) return InvalidArgument("name a record by its id or uuid");
  std::vector<const TuningRecord*> begins;
  for (const auto& [id, entry] : state_.records) {
    if (name == absl::StrCat(id) || name == entry.record.uuid) return entry.record;
    if (absl::StartsWith(entry.record.uuid, name)) begins.push_back(&entry.record);
  }
  if (begins.empty()) return NotFound(absl::StrCat("no record '", name, "' in this log"));
  if (begins.size() > 1 || name.size() < kMinPrefix) return InvalidArgument(absl::StrCat("'", name, "' is ambiguous"));
  return *begins.front();
}

absl::StatusOr<std::optional<TuningRecord>> FakeTuningLog::Find(const MatmulProblem& problem, const Schedule& schedule,
                                                                const DeviceInfo& device, const Toolchain& toolchain,
                                                                Regime regime) {
  RETURN_IF_ERROR(Call());
  std::vector<TuningRecord> found;
  for (const auto& [id, entry] : state_.records) {
    const TuningRecord& record = entry.record;
    if (record.canonical && record.measurement.outcome != Outcome::kSkipped && record.problem == problem &&
        record.schedule == schedule && record.device.ClassKey() == device.ClassKey() && record.toolchain == toolchain &&
        (record.measurement.timing.regime == RegimeName(regime) ||
         (record.measurement.outcome != Outcome::kOk && record.measurement.timing.regime.empty()))) {
      found.push_back(record);
    }
  }
  std::sort(found.begin(), found.end(), [](const TuningRecord& a, const TuningRecord& b) {
    return std::tie(a.unix_millis, a.uuid) > std::tie(b.unix_millis, b.uuid);
  });
  return ChooseReusableRecord(std::move(found));
}

absl::StatusOr<std::optional<TuningRecord>> FakeTuningLog::FindMeasured(std::string_view timing_key) {
  RETURN_IF_ERROR(Call());
  std::optional<TuningRecord> found;
  if (timing_key.empty()) return found;
  for (const auto& [id, entry] : state_.records) {
    const TuningRecord& record = entry.record;
    if (record.canonical && record.measurement.outcome == Outcome::kOk && record.measurement.timing_key == timing_key &&
        IsNewer(record, found)) {
      found = record;
    }
  }
  return found;
}

absl::StatusOr<std::vector<TimedSource>> FakeTuningLog::TimedSources(const TimesFilter& filter) {
  RETURN_IF_ERROR(Call());
  std::map<std::string, TimedSource> sources;
  std::map<std::string, int> counts;
  for (const auto& [id, entry] : state_.records) {
    if (!Teaches(entry.record, filter)) continue;
    const std::string key = absl::StrCat(entry.record.problem.Digest(), entry.record.device.ClassKey());
    sources.try_emplace(key, TimedSource{entry.record.problem, entry.record.device});
    ++counts[key];
  }
  std::vector<TimedSource> found;
  for (auto& [key, source] : sources) {
    if (counts[key] >= filter.at_least) found.push_back(std::move(source));
  }
  return found;
}

absl::StatusOr<std::vector<MeasuredTime>> FakeTuningLog::TimesOf(const MatmulProblem& problem, const DeviceInfo& device,
                                                                 const TimesFilter& filter, int most) {
  RETURN_IF_ERROR(Call());
  std::map<std::string, const TuningRecord*> newest;
  for (const auto& [id, entry] : state_.records) {
    const TuningRecord& record = entry.record;
    if (!Teaches(record, filter) || !(record.problem == problem) || record.device.ClassKey() != device.ClassKey() ||
        record.toolchain.Digest() == filter.without_toolchain) {
      continue;
    }
    const TuningRecord*& known = newest[record.schedule.Digest()];
    if (known == nullptr || IsNewer(record, *known)) known = &record;
  }
  std::vector<const TuningRecord*> records;
  for (const auto& [schedule, record] : newest) records.push_back(record);
  std::sort(records.begin(), records.end(), [](const TuningRecord* a, const TuningRecord* b) {
    return std::tie(a->measurement.timing.median_ns, a->uuid) < std::tie(b->measurement.timing.median_ns, b->uuid);
  });
  std::vector<MeasuredTime> times;
  const size_t count = records.size(), wanted = std::min(count, static_cast<size_t>(most));
  for (size_t place = 0; place < count; ++place) {
    if (place * wanted % count >= wanted) continue;
    const TuningRecord& record = *records[place];
    times.push_back({record.schedule, record.measurement.timing.median_ns, record.toolchain, record.unix_millis});
  }
  return times;
}

absl::StatusOr<std::vector<JobRow>> FakeTuningLog::UnfinishedJobs() {
  RETURN_IF_ERROR(Call());
  ++loads_;
  std::vector<JobRow> jobs;
  for (const auto& [id, row] : state_.jobs) {
    if (!IsFinal(row.state) && !state_.elsewhere.contains(id)) jobs.push_back(row);
  }
  return jobs;
}

absl::StatusOr<std::vector<JobRow>> FakeTuningLog::TakeOverJobs() {
  RETURN_IF_ERROR(Call());
  std::vector<JobRow> jobs;
  if (!state_.other_address.empty()) return jobs;
  for (const int64_t id : std::exchange(state_.elsewhere, {})) {
    if (!IsFinal(state_.jobs.at(id).state)) jobs.push_back(state_.jobs.at(id));
  }
  Stored();
  return jobs;
}

absl::StatusOr<std::optional<std::string>> FakeTuningLog::OtherOwner(int64_t job_id) {
  RETURN_IF_ERROR(Call());
  if (!state_.elsewhere.contains(job_id) || IsFinal(state_.jobs.at(job_id).state)) return std::optional<std::string>();
  return std::optional<std::string>(state_.other_address);
}

template <typename T>
absl::StatusOr<std::optional<JobRow>> FakeTuningLog::FindJobBy(T JobRow::* member, const T& value) {
  RETURN_IF_ERROR(Call());
  for (const auto& [id, row] : state_.jobs) {
    if (row.*member == value) return std::optional<JobRow>(row);
  }
  return std::optional<JobRow>();
}

absl::StatusOr<std::optional<JobRow>> FakeTuningLog::FindJob(std::string_view uuid) {
  return FindJobBy(&JobRow::uuid, std::string(uuid));
}

absl::StatusOr<std::optional<JobRow>> FakeTuningLog::FindJobById(int64_t id) { return FindJobBy(&JobRow::id, id); }

absl::StatusOr<std::optional<JobRow>> FakeTuningLog::FindJobByRequest(std::string_view client_request_id) {
  return FindJobBy(&JobRow::client_request_id, std::string(client_request_id));
}

absl::StatusOr<std::vector<CandidateRow>> FakeTuningLog::Candidates(int64_t job_id) {
  RETURN_IF_ERROR(Call());
  std::vector<CandidateRow> candidates;
  for (const auto& [id, row] : state_.candidates) {
    if (row.job_id == job_id) candidates.push_back(row);
  }
  return candidates;
}

absl::StatusOr<std::optional<CandidateRow>> FakeTuningLog::FindCandidate(int64_t candidate_id) {
  RETURN_IF_ERROR(Call());
  auto at = state_.candidates.find(candidate_id);
  return at == state_.candidates.end() ? std::nullopt : std::optional<CandidateRow>(at->second);
}

absl::StatusOr<std::vector<AttemptRow>> FakeTuningLog::LiveAttempts() {
  RETURN_IF_ERROR(Call());
  std::vector<AttemptRow> live;
  for (const auto& [token, attempt] : state_.attempts) {
    if (attempt.row.state != AttemptState::kLive) continue;
    if (!state_.elsewhere.contains(state_.candidates.at(attempt.row.candidate_id).job_id)) live.push_back(attempt.row);
  }
  return live;
}

absl::StatusOr<std::optional<AttemptRow>> FakeTuningLog::FindAttempt(std::string_view token) {
  RETURN_IF_ERROR(Call());
  auto at = state_.attempts.find(token);
  if (at == state_.attempts.end()) return std::optional<AttemptRow>();
  return std::optional<AttemptRow>(at->second.row);
}

absl::Status FakeTuningLog::Begin() {
  if (in_group_) return FailedPrecondition("Begin inside a group");
  RETURN_IF_ERROR(Call());
  in_group_ = true;
  return absl::OkStatus();
}

absl::Status FakeTuningLog::Commit() {
  if (!in_group_) return FailedPrecondition("Commit without Begin");
  absl::Status status = Call();
  if (status.ok() && full_) status = absl::ResourceExhaustedError("disk full");
  if (!status.ok()) {
    Rollback();
    return status;
  }
  in_group_ = false;
  Stored();
  return absl::OkStatus();
}

absl::Status FakeTuningLog::TryWriting() {
  RETURN_IF_ERROR(Begin());
  return Commit();
}

void FakeTuningLog::Stored() {
  if (!in_group_ && !drops_commits_) storage_ = state_;
}

void FakeTuningLog::Rollback() {
  in_group_ = false;
  failed_ = false;
  state_ = storage_;
}

absl::Status FakeTuningLog::AddWorkerNote(const WorkerNote& note) {
  RETURN_IF_ERROR(Call());
  state_.notes.push_back(note);
  Stored();
  return absl::OkStatus();
}

absl::StatusOr<std::vector<WorkerNote>> FakeTuningLog::WorkerNotes() {
  RETURN_IF_ERROR(Call());
  return state_.notes;
}

absl::StatusOr<int64_t> FakeTuningLog::InsertJob(const JobRow& job) {
  RETURN_IF_ERROR(Call());
  RETURN_IF_ERROR(job.problem.Validate());
  for (const auto& [id, row] : state_.jobs) {
    if (row.client_request_id == job.client_request_id) return absl::AlreadyExistsError("client_request_id is taken");
  }
  const int64_t id = static_cast<int64_t>(state_.jobs.size()) + 1;
  state_.jobs[id] = job;
  state_.jobs[id].id = id;
  Stored();
  return id;
}

absl::Status FakeTuningLog::SetJobState(int64_t job_id, JobState state, std::string_view message) {
  RETURN_IF_ERROR(Call());
  auto at = state_.jobs.find(job_id);
  if (at == state_.jobs.end()) return NotFound("no such job");
  at->second.state = state;
  at->second.message = message;
  Stored();
  return absl::OkStatus();
}

absl::StatusOr<int64_t> FakeTuningLog::InsertCandidate(int64_t job_id, const Schedule& schedule) {
  RETURN_IF_ERROR(Call());
  for (const auto& [id, row] : state_.candidates) {
    if (row.job_id == job_id && row.schedule == schedule) return id;
  }
  if (!state_.jobs.contains(job_id)) return NotFound("no such job");
  const int64_t id = static_cast<int64_t>(state_.candidates.size()) + 1;
  state_.candidates[id] = {id, job_id, schedule, CandidateState::kQueued};
  Stored();
  return id;
}

absl::Status FakeTuningLog::SetCandidateState(int64_t candidate_id, CandidateState state) {
  RETURN_IF_ERROR(Call());
  auto at = state_.candidates.find(candidate_id);
  if (at == state_.candidates.end()) return NotFound("no such candidate");
  at->second.state = state;
  Stored();
  return absl::OkStatus();
}

absl::Status FakeTuningLog::InsertAttempt(const AttemptRow& attempt) {
  RETURN_IF_ERROR(Call());
  if (!state_.candidates.contains(attempt.candidate_id)) return NotFound("no such candidate");
  if (state_.attempts.contains(attempt.token)) return absl::AlreadyExistsError("token is taken");
  for (const auto& [token, other] : state_.attempts) {
    if (attempt.state == AttemptState::kLive && other.row.candidate_id == attempt.candidate_id &&
        other.row.state == AttemptState::kLive) {
      return FailedPrecondition(
          absl::StrCat("candidate ", attempt.candidate_id, " already has a live attempt (a lease that has not ended)"));
    }
  }
  state_.attempts[attempt.token] = {attempt, std::nullopt};
  Stored();
  return absl::OkStatus();
}

absl::Status FakeTuningLog::EndAttempt(std::string_view token, AttemptState state, std::string_view detail) {
  RETURN_IF_ERROR(Call());
  if (state == AttemptState::kLive) return InvalidArgument("an attempt does not end as live");
  auto at = state_.attempts.find(token);
  if (at == state_.attempts.end()) return NotFound("no such attempt");
  at->second.row.state = state;
  at->second.row.detail = detail;
  Stored();
  return absl::OkStatus();
}

absl::StatusOr<InsertedRecord> FakeTuningLog::InsertRecord(std::string_view token, const TuningRecord& record) {
  RETURN_IF_ERROR(Call());
  RETURN_IF_ERROR(Validate(record));
  if (token.empty()) {
    for (const auto& [id, other] : state_.records) {
      if (other.record.uuid == record.uuid) return InsertedRecord{id, other.record.canonical, true};
    }
    return Store(record, 0);
  }
  auto at = state_.attempts.find(token);
  if (at == state_.attempts.end()) return NotFound("no such attempt");
  FakeLogStorage::Attempt& attempt = at->second;
  if (attempt.record_id) {
    return InsertedRecord{*attempt.record_id, state_.records.at(*attempt.record_id).record.canonical, true};
  }
  const CandidateRow& candidate = state_.candidates.at(attempt.row.candidate_id);
  const JobRow& job = state_.jobs.at(candidate.job_id);
  if (!(candidate.schedule == record.schedule)) return InvalidArgument("another schedule than the candidate's");
  if (job.uuid != record.job_uuid) return InvalidArgument("another job than the candidate's");
  if (!(job.problem == record.problem)) return InvalidArgument("another problem than the job's");
  TuningRecord stored = record;
  for (const auto& [id, other] : state_.records) {
    if (other.candidate_id == candidate.id && other.record.canonical) stored.canonical = false;
  }
  attempt.record_id = static_cast<int64_t>(state_.records.size()) + 1;
  return Store(std::move(stored), candidate.id);
}

absl::StatusOr<std::vector<InsertedRecord>> FakeTuningLog::ImportRecords(const std::vector<TuningRecord>& records,
                                                                         const std::vector<RecordColumns>&) {
  std::vector<InsertedRecord> inserted;
  for (const TuningRecord& record : records) {
    ASSIGN_OR_RETURN(inserted.emplace_back(), InsertRecord("", record));
  }
  return inserted;
}

absl::StatusOr<InsertedRecord> FakeTuningLog::Store(TuningRecord record, int64_t candidate_id) {
  record.id = static_cast<int64_t>(state_.records.size()) + 1;
  const InsertedRecord inserted{record.id, record.canonical, false};
  state_.records[inserted.id] = {std::move(record), candidate_id};
  Stored();
  return inserted;
}

}  // namespace mmtune
