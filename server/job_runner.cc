// The life of a job: recovered, submitted, bound to a device, planned, ended.
#include "server/job_runner.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "server/device_choice.h"
#include "server/storage_status.h"
#include "server/work_requests.h"

namespace mmtune {
namespace {

constexpr size_t kFinishedKept = 64;
/// Of these, so many tell their whole story to who watches late; the others how it ended.
constexpr size_t kStoriesKept = 4;
constexpr size_t kMaxUnfinished = 1024;
constexpr int kPage = 1000;

int64_t FirstSeq(const Clock& clock) { return std::max<int64_t>(1, clock.UnixMillis() << 20); }

}  // namespace

JobRunner::JobRunner(JobRunnerDeps deps) : deps_(std::move(deps)) {}

absl::Status JobRunner::Recover(bool resume) {
  std::map<int64_t, Entry> before = std::exchange(entries_, {});
  const auto finished = std::exchange(finished_, {});
  ids_.clear();
  submissions_.clear();
  held_.clear();
  deps_.leases.Clear();
  ASSIGN_OR_RETURN(std::vector<JobRow> jobs, FromStorage(deps_.log.Jobs()));
  for (const JobRow& row : jobs) {
    submissions_[row.client_request_id] = {row.uuid, row.spec_digest};
    if (IsFinal(row.state)) continue;
    if (resume) {
      RETURN_IF_ERROR(ResumeJob(row));
    } else {
      RETURN_IF_ERROR(FromStorage(deps_.log.SetJobState(
          row.id, JobState::kInterrupted, "the coordinator ended; submit again: what was measured is reused")));
    }
  }
  KeepFinished(jobs, finished, before);
  RETURN_IF_ERROR(RestoreLeases());
  return OnWorkersChanged();
}

void JobRunner::KeepFinished(const std::vector<JobRow>& jobs,
                             const std::deque<std::pair<int64_t, std::string>>& finished,
                             std::map<int64_t, Entry>& before) {
  std::set<std::string> ended;
  for (const JobRow& row : jobs) {
    if (IsFinal(row.state)) ended.insert(row.uuid);
  }
  for (const auto& [id, uuid] : finished) {
    auto kept = before.find(id);
    if (kept == before.end() || !ended.contains(uuid) || entries_.contains(id)) continue;  // its end was undone
    entries_[id] = std::move(kept->second);
    ids_[uuid] = id;
    finished_.emplace_back(id, uuid);
  }
}

absl::Status JobRunner::ResumeJob(const JobRow& row) {
  v1::JobSpec message;
  absl::StatusOr<JobSpec> spec = InvalidArgument("its specification cannot be read");
  if (message.ParseFromString(row.spec)) spec = ParseJobSpec(message, deps_.families);
  if (!spec.ok()) {
    return FromStorage(
        deps_.log.SetJobState(row.id, JobState::kFailed, absl::StrCat("cannot be resumed: ", spec.status().message())));
  }
  Entry& entry = entries_[row.id];
  entry.job = std::make_unique<TuningJob>(row, std::move(message), *std::move(spec), deps_.clock);
  entry.job->SetState(JobState::kWaiting, "");
  entry.resumed = true;
  ids_[row.uuid] = row.id;
  deps_.feeds.Open(row.uuid, FirstSeq(deps_.clock));
  ASSIGN_OR_RETURN(std::vector<CandidateRow> candidates, FromStorage(deps_.log.Candidates(row.id)));
  for (CandidateRow& candidate : candidates) entry.schedules[candidate.id] = std::move(candidate.schedule);
  return LoadOwnRecords(entry);
}

absl::Status JobRunner::LoadOwnRecords(Entry& entry) {
  RecordFilter filter;
  filter.job_uuid = entry.job->uuid();
  for (int64_t after = 0;;) {
    ASSIGN_OR_RETURN(std::vector<TuningRecord> page, FromStorage(deps_.log.Query(filter, after, kPage)));
    for (TuningRecord& record : page) {
      after = record.id;
      // The class most lately measured on is the one to go on with.
      std::string class_key = record.device.ClassKey();
      if (class_key != entry.required_class) entry.own_records.clear();
      entry.required_class = std::move(class_key);
      entry.own_records[record.schedule.Digest()] = std::move(record);
    }
    if (page.size() < kPage) return absl::OkStatus();
  }
}

absl::Status JobRunner::RestoreLeases() {
  ASSIGN_OR_RETURN(std::vector<AttemptRow> live, FromStorage(deps_.log.LiveAttempts()));
  std::unordered_map<int64_t, Entry*> owners;
  for (auto& [id, entry] : entries_) {
    for (const auto& [candidate_id, schedule] : entry.schedules) owners[candidate_id] = &entry;
  }
  for (const AttemptRow& attempt : live) {
    auto owner = owners.find(attempt.candidate_id);
    if (owner == owners.end()) {
      RETURN_IF_ERROR(FromStorage(deps_.log.EndAttempt(attempt.token, AttemptState::kExpired, "its job has ended")));
      continue;
    }
    const TuningJob& job = *owner->second->job;
    LiveLease lease;
    lease.token = attempt.token;
    lease.candidate_id = attempt.candidate_id;
    lease.job_id = job.id();
    lease.attempt = attempt.number;
    lease.worker = attempt.worker;
    lease.device_uuid = attempt.device_uuid;
    LeaseCandidate candidate;
    candidate.id = attempt.candidate_id;
    candidate.job_id = job.id();
    // The device is not known yet: as long as the slowest kind may take.
    candidate.start_to_close = StartToClose(job.spec(), DeviceKind::kSimt);
    candidate.attempts = attempt.number;
    deps_.leases.Restore(candidate, lease);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> JobRunner::Submit(const v1::SubmitJobRequest& request) {
  RETURN_IF_ERROR(CheckName("client_request_id", request.client_request_id()));
  JobRow row;
  row.spec = SerializeJobSpec(request.spec());
  row.spec_digest = Sha256Hex(row.spec);
  auto known = submissions_.find(request.client_request_id());
  if (known != submissions_.end()) {
    if (known->second.spec_digest == row.spec_digest) return known->second.uuid;
    return absl::AlreadyExistsError(absl::StrCat("client_request_id '", request.client_request_id(),
                                                 "' was used for another job (", known->second.uuid,
                                                 "): use a new id for a new job"));
  }
  ASSIGN_OR_RETURN(JobSpec spec, ParseJobSpec(request.spec(), deps_.families));
  if (entries_.size() >= kMaxUnfinished + kFinishedKept) {
    return ResourceExhausted(absl::StrCat(kMaxUnfinished, " jobs are unfinished already: wait, or cancel some"));
  }
  row.uuid = deps_.new_token();
  row.client_request_id = request.client_request_id();
  row.problem = spec.problem;
  row.created_unix_millis = deps_.clock.UnixMillis();
  ASSIGN_OR_RETURN(row.id, FromStorage(deps_.log.InsertJob(row)));
  submissions_[row.client_request_id] = {row.uuid, row.spec_digest};
  const int64_t id = row.id;
  const std::string uuid = row.uuid;
  ids_[uuid] = id;
  Entry& entry = entries_[id];
  entry.job = std::make_unique<TuningJob>(std::move(row), request.spec(), std::move(spec), deps_.clock);
  deps_.feeds.Open(uuid, FirstSeq(deps_.clock));
  LogInfo("job submitted", {{"job", uuid}, {"problem", entry.job->spec().problem.Text()}});
  RETURN_IF_ERROR(TryBind(entry));
  return uuid;
}

absl::Status JobRunner::TryBind(Entry& entry) {
  TuningJob& job = *entry.job;
  if (job.state() != JobState::kWaiting || job.target()) return absl::OkStatus();
  DeviceChoice choice = ChooseDevice(job.spec(), {entry.required_class, entry.left_class}, deps_.workers);
  if (!choice.target && !entry.left_class.empty()) {
    choice = ChooseDevice(job.spec(), {entry.required_class, ""}, deps_.workers);
  }
  if (!choice.failure.ok()) return EndJob(entry, JobState::kFailed, std::string(choice.failure.message()));
  if (!choice.target) {
    if (job.message() == choice.waits_for) return absl::OkStatus();
    return ChangeState(entry, JobState::kWaiting, choice.waits_for);
  }
  job.SetTarget(*choice.target);
  job.set_message("is counting the schedules to choose from");
  std::vector<std::pair<int64_t, Schedule>> known(entry.schedules.begin(), entry.schedules.end());
  std::sort(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Schedule> initial;
  for (auto& [id, schedule] : known) initial.push_back(std::move(schedule));
  const int64_t id = job.id();
  const int64_t number = ++last_plan_;
  job.set_plan_number(number);
  return deps_.plan_executor(
      [spec = job.spec(), device = choice.target->device, initial = std::move(initial)] {
        return MakeJobPlan(spec, device, initial);
      },
      [this, id, number](absl::StatusOr<JobPlan> plan) { return TakePlan(id, number, std::move(plan)); });
}

absl::Status JobRunner::TakePlan(int64_t job_id, int64_t plan_number, absl::StatusOr<JobPlan> plan) {
  Entry* entry = FindEntry(job_id);
  if (entry == nullptr || IsFinal(entry->job->state())) return absl::OkStatus();
  if (entry->job->plan_number() != plan_number || entry->job->started()) return absl::OkStatus();
  if (!plan.ok()) return EndJob(*entry, JobState::kFailed, std::string(plan.status().message()));
  entry->job->Start(*std::move(plan));
  // The others come again as proposals; memory does not grow with what a job has measured.
  std::erase_if(entry->schedules, [this](const auto& known) { return !deps_.leases.Holds(known.first); });
  entry->served_at = deps_.clock.Now();
  RETURN_IF_ERROR(ChangeState(*entry, JobState::kRunning, ""));
  return Pump(*entry, 1);
}

absl::Status JobRunner::ChangeState(Entry& entry, JobState state, std::string message) {
  TuningJob& job = *entry.job;
  RETURN_IF_ERROR(FromStorage(deps_.log.SetJobState(job.id(), state, message)));
  job.SetState(state, std::move(message));
  LogInfo("job state", {{"job", job.uuid()}, {"state", JobStateName(state)}, {"message", job.message()}});
  HoldEvent(entry, job.ToEvent());
  return absl::OkStatus();
}

absl::Status JobRunner::EndJob(Entry& entry, JobState state, std::string message) {
  for (const LiveLease& lease : deps_.leases.DropJob(entry.job->id())) {
    std::string detail = absl::StrCat("its job was ", ToAbsl(JobStateName(state)));
    RETURN_IF_ERROR(FromStorage(deps_.log.EndAttempt(lease.token, AttemptState::kReleased, detail)));
  }
  RETURN_IF_ERROR(ChangeState(entry, state, std::move(message)));
  entry.own_records.clear();
  entry.schedules.clear();
  Retire(entry.job->id());
  return absl::OkStatus();
}

void JobRunner::Retire(int64_t job_id) {
  finished_.emplace_back(job_id, entries_.at(job_id).job->uuid());
  if (finished_.size() > kStoriesKept) {
    auto feed = deps_.feeds.Find(finished_[finished_.size() - 1 - kStoriesKept].second);
    if (feed != nullptr) feed->Shorten();
  }
  if (finished_.size() <= kFinishedKept) return;
  auto [old_id, old_uuid] = finished_.front();
  finished_.pop_front();
  entries_.erase(old_id);
  ids_.erase(old_uuid);
  deps_.feeds.Drop(old_uuid);
}

void JobRunner::HoldEvent(const Entry& entry, v1::JobEvent event) {
  held_.push_back({entry.job->uuid(), std::move(event), IsFinal(entry.job->state())});
}

void JobRunner::PublishEvents() {
  std::vector<HeldEvent> held = std::exchange(held_, {});
  for (HeldEvent& entry : held) {
    if (auto feed = deps_.feeds.Find(entry.job_uuid)) feed->Append(std::move(entry.event), entry.last);
  }
}

absl::StatusOr<v1::Job> JobRunner::Get(std::string_view uuid) const {
  auto at = ids_.find(uuid);
  if (at == ids_.end()) return NotFound(absl::StrCat("no job ", ToAbsl(uuid)));
  return entries_.at(at->second).job->ToWire();
}

absl::StatusOr<v1::Job> JobRunner::Cancel(std::string_view uuid) {
  Entry* entry = FindEntry(uuid);
  if (entry == nullptr) return NotFound(absl::StrCat("no job ", ToAbsl(uuid)));
  if (!IsFinal(entry->job->state())) RETURN_IF_ERROR(EndJob(*entry, JobState::kCancelled, "cancelled"));
  return entry->job->ToWire();
}

std::vector<v1::Job> JobRunner::List(size_t limit) const {
  std::vector<v1::Job> jobs;
  for (auto at = entries_.rbegin(); at != entries_.rend() && jobs.size() < limit; ++at) {
    jobs.push_back(at->second.job->ToWire());
    jobs.back().mutable_spec()->clear_schedules();
  }
  return jobs;
}

absl::Status JobRunner::OnWorkersChanged() {
  arrivals_seen_ = deps_.workers.arrivals();
  std::vector<int64_t> waiting;
  for (auto& [id, entry] : entries_) {
    if (entry.job->state() == JobState::kWaiting) waiting.push_back(id);
    if (entry.job->state() == JobState::kRunning) CheckServed(entry);
  }
  for (int64_t id : waiting) {
    if (Entry* entry = FindEntry(id)) RETURN_IF_ERROR(TryBind(*entry));
  }
  return absl::OkStatus();
}

absl::Status JobRunner::Tick() {
  if (arrivals_seen_ != deps_.workers.arrivals()) RETURN_IF_ERROR(OnWorkersChanged());
  std::vector<int64_t> running;
  for (const auto& [id, entry] : entries_) {
    if (entry.job->state() == JobState::kRunning) running.push_back(id);
  }
  for (int64_t id : running) {
    Entry* entry = FindEntry(id);
    if (entry == nullptr) continue;
    CheckServed(*entry);
    if (entry->pump_again || entry->job->OutOfTime()) RETURN_IF_ERROR(Pump(*entry, 1));
    if (entry->job->state() == JobState::kRunning) RETURN_IF_ERROR(LeaveSilentClass(*entry));
  }
  return absl::OkStatus();
}

std::optional<TimePoint> JobRunner::NextDeadline() const {
  std::optional<TimePoint> next;
  for (const auto& [id, entry] : entries_) {
    if (entry.job->state() != JobState::kRunning) continue;
    if (entry.pump_again) return deps_.clock.Now();
    std::optional<TimePoint> limit = entry.job->TimeLimit();
    // Once over, only what is leased keeps the job open: nothing to wake up for.
    if (limit && !entry.job->OutOfTime() && (!next || *limit < *next)) next = limit;
  }
  return next;
}

JobRunner::Entry* JobRunner::FindEntry(int64_t job_id) {
  auto at = entries_.find(job_id);
  return at == entries_.end() ? nullptr : &at->second;
}

const JobRunner::Entry* JobRunner::FindEntry(int64_t job_id) const {
  auto at = entries_.find(job_id);
  return at == entries_.end() ? nullptr : &at->second;
}

JobRunner::Entry* JobRunner::FindEntry(std::string_view uuid) {
  auto at = ids_.find(uuid);
  return at == ids_.end() ? nullptr : FindEntry(at->second);
}

}  // namespace mmtune
