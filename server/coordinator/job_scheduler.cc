// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_scheduler.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/deterministic_bytes.h"
#include "server/coordinator/log_writer.h"

namespace mmtune {
namespace {

/// A job fails when this number of its candidates in a row could not be measured, or all that it has.
constexpr int kMaxUnmeasuredInARow = 5;
/// The shortest time that a job waits for a device, so that a restarted worker can return.
constexpr Duration kShortestWait = std::chrono::minutes(1);
/// The longest time for which the jobs of a model wait for others of it, whose client may have died before it submitted
/// them.
constexpr int64_t kPartsMillis = 60'000;
/// The number of records that are read at once.
constexpr int kRecordsAtOnce = 1000;

}  // namespace

absl::Status JobScheduler::Recover(bool resume) {
  JobTable::Finished before = state_.jobs.Reset();
  state_.events.Clear();
  state_.compiles.Clear();
  state_.leases.Clear();
  // Read before unfinished jobs are marked as interrupted, which must not be kept.
  std::set<std::string> ended;
  for (const auto& [id, uuid] : before.order) {
    ASSIGN_OR_RETURN(const std::optional<JobRow> row, FromStorage(state_.log.reader().FindJob(uuid)));
    if (row && IsFinal(row->state)) ended.insert(uuid);
  }
  ASSIGN_OR_RETURN(const std::vector<JobRow> unfinished, FromStorage(state_.log.reader().UnfinishedJobs()));
  for (const JobRow& row : unfinished) {
    if (resume) {
      RETURN_IF_ERROR(ResumeJob(row));
    } else {
      RETURN_IF_ERROR(state_.log.SetJobState(row.id, JobState::kInterrupted,
                                             "the coordinator ended; submit again: what was measured is reused"));
    }
  }
  RETURN_IF_ERROR(CountEndedParts());
  state_.jobs.KeepFinished(std::move(before), ended);
  RETURN_IF_ERROR(RestoreLeases({}));
  return OnWorkersChanged();
}

absl::Status JobScheduler::RestoreLeases(const std::set<int64_t>& only) {
  return state_.leases.Restore([&](int64_t job_id) -> std::optional<Duration> {
    const ActiveJob* active = state_.jobs.Find(job_id);
    if (active == nullptr || IsFinal(active->job.state()) || (!only.empty() && !only.contains(job_id))) {
      return std::nullopt;
    }
    // The device is not known yet, so the limit is that of the slowest kind.
    return StartToClose(active->job.spec(), DeviceKind::kSimt);
  });
}

absl::Status JobScheduler::Adopt(const std::vector<JobRow>& rows) {
  if (rows.empty()) return absl::OkStatus();
  std::set<int64_t> ids;
  for (const JobRow& row : rows) {
    Log(LogLevel::kInfo, "job taken over", {"", row.uuid, "", 0}, {{"problem", row.problem.Text()}});
    RETURN_IF_ERROR(ResumeJob(row));
    ids.insert(row.id);
  }
  RETURN_IF_ERROR(CountEndedParts());
  RETURN_IF_ERROR(RestoreLeases(ids));
  return OnWorkersChanged();
}

absl::Status JobScheduler::CheckJobOwner(int64_t job_id) const {
  if (state_.jobs.Find(job_id) != nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::optional<std::string> owner, state_.log.OtherOwner(job_id));
  if (!owner) return absl::OkStatus();
  return MarkOtherOwnersJob(
      Unavailable(owner->empty() ? "the job's coordinator is gone; another one takes the job over within 30 s"
                                 : absl::StrCat("the job belongs to the coordinator at ", *owner)));
}

absl::Status JobScheduler::ResumeJob(const JobRow& row) {
  v1::JobSpec message;
  absl::StatusOr<JobSpec> spec = InvalidArgument("its specification in the log cannot be read; submit it again");
  if (message.ParseFromString(row.spec)) spec = ParseJobSpec(message, state_.families);
  if (!spec.ok()) {
    return state_.log.SetJobState(row.id, JobState::kFailed,
                                  absl::StrCat("cannot be resumed: ", spec.status().message()));
  }
  ActiveJob& active = state_.jobs.Add(row, std::move(message), *std::move(spec));
  active.job.SetState(JobState::kWaiting, "");
  active.parts_known = true;  // Those that have ended are not in memory.
  ASSIGN_OR_RETURN(std::vector<CandidateRow> candidates, FromStorage(state_.log.reader().Candidates(row.id)));
  for (CandidateRow& candidate : candidates) active.proposed_before.push_back(std::move(candidate.schedule));
  return LoadOwnRecords(active);
}

absl::Status JobScheduler::CountEndedParts() {
  std::map<std::pair<std::string, std::string>, int64_t> trials;  // By owner and model.
  for (auto& [id, active] : state_.jobs.all()) {
    const std::optional<ModelPart>& part = active.job.spec().model;
    if (!part) continue;
    const auto [known, is_new] = trials.try_emplace({active.job.owner(), part->id}, 0);
    // A client submits the jobs of a model one after another, so that their ids are near.
    for (int64_t other = std::max<int64_t>(1, id - part->parts); is_new && other < id + part->parts; ++other) {
      if (state_.jobs.Find(other) != nullptr) continue;
      ASSIGN_OR_RETURN(const std::optional<JobRow> row, FromStorage(state_.log.reader().FindJobById(other)));
      v1::JobSpec message;
      if (!row || !message.ParseFromString(row->spec)) continue;
      if (message.owner() != active.job.owner() || message.model().id() != part->id) continue;
      RecordFilter filter;
      filter.job_uuid = row->uuid;
      RETURN_IF_ERROR(FromStorage(state_.log.reader().ForEachBrief(
          filter, [&](const RecordBrief& brief) { known->second += brief.outcome != Outcome::kSkipped; })));
    }
    active.ended_trials = known->second;
  }
  return absl::OkStatus();
}

absl::Status JobScheduler::LoadOwnRecords(ActiveJob& active) {
  RecordFilter filter;
  filter.job_uuid = active.job.uuid();
  for (int64_t after = 0;;) {
    ASSIGN_OR_RETURN(std::vector<TuningRecord> page,
                     FromStorage(state_.log.reader().Query(filter, after, kRecordsAtOnce)));
    for (TuningRecord& record : page) {
      after = record.id;
      // The job continues on the class of devices of its last record.
      std::string class_key = record.device.ClassKey();
      if (class_key != active.binding.required()) active.own_records.clear();
      active.binding.Require(std::move(class_key));
      active.own_records[record.schedule.Digest()] = std::move(record);
    }
    if (page.size() < kRecordsAtOnce) return absl::OkStatus();
  }
}

absl::StatusOr<std::string> JobScheduler::Submit(const v1::SubmitJobRequest& request) {
  RETURN_IF_ERROR(CheckName("client_request_id", request.client_request_id()));
  JobRow row;
  row.spec = DeterministicBytes(request.spec());
  row.spec_digest = Sha256Hex(row.spec);
  ASSIGN_OR_RETURN(const std::optional<JobRow> known,
                   FromStorage(state_.log.reader().FindJobByRequest(request.client_request_id())));
  if (known) {
    if (known->spec_digest == row.spec_digest) return known->uuid;
    return absl::AlreadyExistsError(absl::StrCat("client_request_id '", request.client_request_id(),
                                                 "' was used for another job (", known->uuid,
                                                 "): use a new id for a new job"));
  }
  ASSIGN_OR_RETURN(JobSpec spec, ParseJobSpec(request.spec(), state_.families));
  if (state_.jobs.full()) {
    return ResourceExhausted(
        absl::StrCat(JobTable::kMaxUnfinished, " jobs are unfinished already: wait, or cancel some (tune jobs)"));
  }
  RETURN_IF_ERROR(state_.jobs.CheckQuota(state_.options.quota, request.spec(), spec));
  row.uuid = state_.new_token();
  v1::JobSpec message = request.spec();
  if (message.trace_id().empty()) {
    message.set_trace_id(Sha256Hex(row.uuid).substr(0, kTraceIdDigits));
    row.spec = DeterministicBytes(message);  // the digest stays that of the request, which may come again
  }
  row.client_request_id = request.client_request_id();
  row.problem = spec.problem;
  row.created_unix_millis = state_.clock.UnixMillis();
  const absl::StatusOr<int64_t> inserted = state_.log.InsertJob(row);
  if (absl::IsAlreadyExists(inserted.status())) {
    return MarkOtherOwnersJob(Unavailable("another coordinator is storing the same job just now: submit it again"));
  }
  ASSIGN_OR_RETURN(row.id, inserted);
  std::string uuid = row.uuid;
  Log(LogLevel::kInfo, "job submitted", {"", uuid, message.trace_id(), 0}, {{"problem", spec.problem.Text()}});
  RETURN_IF_ERROR(TryBind(state_.jobs.Add(std::move(row), std::move(message), std::move(spec))));
  return uuid;
}

absl::Status JobScheduler::TryBind(ActiveJob& active) {
  TuningJob& job = active.job;
  if (job.state() != JobState::kWaiting || job.target()) return absl::OkStatus();
  const DeviceChoice choice = active.binding.Choose();
  if (!choice.failure.ok()) return EndJob(active, JobState::kFailed, std::string(choice.failure.message()));
  if (!choice.target) {
    if (job.message() == choice.waits_for) return absl::OkStatus();
    if (choice.unmatched) Log(LogLevel::kWarning, "job_waits", job.Subject(), {{"why", choice.waits_for}});
    return ChangeState(active, JobState::kWaiting, choice.waits_for);
  }
  job.SetTarget(*choice.target);
  job.set_message("counting the schedules to choose from");
  const int64_t id = job.id();
  const int64_t number = ++last_plan_;
  job.set_plan_number(number);
  // They are moved into the plan, so that memory does not hold them twice.
  JobPlanRequest request{job.spec(),
                         choice.target->device,
                         choice.target->toolchain,
                         std::exchange(active.proposed_before, {}),
                         active.binding.Lanes(),
                         job.MayCompileAhead() ? active.binding.CompileLanes() : 0,
                         job.created_unix_millis(),
                         state_.open_log};
  return state_.plan_executor(
      [request = std::move(request)] { return MakeJobPlan(request); },
      [this, id, number](absl::StatusOr<JobPlan> plan) { return TakePlan(id, number, std::move(plan)); });
}

std::optional<TimePoint> JobScheduler::WaitEnds(const ActiveJob& active) const {
  const TuningJob& job = active.job;
  if (job.state() != JobState::kWaiting || job.target()) return std::nullopt;
  const double seconds = job.spec().limits.seconds;
  Duration limit = state_.options.max_wait;
  if (seconds > 0) {
    const Duration own = std::max(FromSeconds(seconds), kShortestWait);
    limit = limit == Duration::zero() ? own : std::min(limit, own);
  }
  if (limit == Duration::zero()) return std::nullopt;
  return active.waits_since + limit;
}

absl::Status JobScheduler::EndWaits() {
  std::vector<int64_t> over;
  for (const auto& [id, active] : state_.jobs.all()) {
    const std::optional<TimePoint> ends = WaitEnds(active);
    if (ends && *ends <= state_.clock.Now()) over.push_back(id);
  }
  for (int64_t id : over) {
    ActiveJob& active = *state_.jobs.Find(id);
    const int64_t waited = static_cast<int64_t>(Seconds(state_.clock.Now() - active.waits_since));
    RETURN_IF_ERROR(EndJob(active, JobState::kFailed,
                           absl::StrCat("given up after waiting for ", waited, " s: ", active.job.message())));
  }
  return absl::OkStatus();
}

absl::Status JobScheduler::TakePlan(int64_t job_id, int64_t plan_number, absl::StatusOr<JobPlan> plan) {
  ActiveJob* active = state_.jobs.Find(job_id);
  if (active == nullptr || IsFinal(active->job.state())) return absl::OkStatus();
  if (active->job.plan_number() != plan_number || active->job.started()) return absl::OkStatus();
  if (!plan.ok()) return EndJob(*active, JobState::kFailed, std::string(plan.status().message()));
  active->job.Start(*std::move(plan));
  active->binding.Start();
  RETURN_IF_ERROR(ChangeState(*active, JobState::kRunning, ""));
  return FillQueue(*active, 1);
}

absl::Status JobScheduler::FillQueue(int64_t job_id, int want) {
  ActiveJob* active = state_.jobs.Find(job_id);
  if (active == nullptr || active->job.state() != JobState::kRunning) return absl::OkStatus();
  return FillQueue(*active, want);
}

absl::Status JobScheduler::FillQueue(ActiveJob& active, int want) {
  RETURN_IF_ERROR(candidates_.FillQueue(active, want));
  const TuningJob& job = active.job;
  if (job.state() != JobState::kRunning || state_.leases.Awaited(job.id()) > 0 || !job.ProposingDone()) {
    return absl::OkStatus();
  }
  return EndJob(active, JobState::kDone, job.StopReason());
}

absl::Status JobScheduler::OnMeasured(const PendingCandidate& candidate, std::shared_ptr<const TuningRecord> record) {
  ActiveJob* active = state_.jobs.Find(candidate.job_id);
  if (active == nullptr) return absl::OkStatus();
  candidates_.Measured(*active, candidate, std::move(record));
  return candidate.awaited ? FillQueue(*active, 1) : absl::OkStatus();
}

absl::Status JobScheduler::OnLost(const LostLease& lost) {
  ActiveJob* active = state_.jobs.Find(lost.candidate.job_id);
  if (active == nullptr) return absl::OkStatus();
  if (lost.outcome == LeaseOutcome::kRequeued) {
    if (!lost.overran) active->binding.NoteLoss(lost.lease.worker);
    return absl::OkStatus();
  }
  if (!lost.candidate.awaited) return absl::OkStatus();
  const Outcome outcome = lost.overran ? Outcome::kTimedOut : Outcome::kCrashed;
  RETURN_IF_ERROR(candidates_.RecordLoss(*active, lost, outcome,
                                         absl::StrCat("two workers were lost while they measured it; the last was ",
                                                      lost.lease.worker, ": ", ToAbsl(lost.Reason()))));
  return FillQueue(*active, 1);
}

absl::Status JobScheduler::OnGivenUp(const PendingCandidate& candidate, std::string_view why) {
  ActiveJob* active = state_.jobs.Find(candidate.job_id);
  Log(LogLevel::kWarning, "candidate given up", SubjectOf(active ? &active->job : nullptr, candidate.id),
      {{"why", why}});
  if (active == nullptr || !candidate.awaited) return absl::OkStatus();
  candidates_.GiveUp(*active, candidate, why);
  const TuningJob& job = active->job;
  const int unmeasured = job.unmeasured_in_a_row();
  const bool was_last = job.ProposingDone() && state_.leases.Awaited(job.id()) == 0;
  const bool none_measured = was_last && unmeasured == job.Progress().done();
  if (unmeasured < kMaxUnmeasuredInARow && !none_measured) return FillQueue(*active, 1);
  return EndJob(*active, JobState::kFailed,
                absl::StrCat(unmeasured, unmeasured == 1 ? " candidate" : " candidates in a row",
                             " could not be measured; ", ToAbsl(why)));
}

absl::Status JobScheduler::OnCompiled(std::string_view worker, const v1::CompileReport& report, bool believed) {
  ActiveJob* active = state_.compiles.HandleReport(worker, report, believed);
  return active == nullptr ? absl::OkStatus() : FillQueue(*active, 1);
}

absl::Status JobScheduler::EndCompileWaits() {
  for (int64_t id : state_.compiles.EndWaits()) RETURN_IF_ERROR(FillQueue(id, 1));
  return absl::OkStatus();
}

absl::Status JobScheduler::EndModels() {
  std::set<int64_t> seen;
  std::vector<std::pair<int64_t, std::string>> ended;
  for (auto& [id, active] : state_.jobs.all()) {
    if (!active.job.spec().model || IsFinal(active.job.state()) || seen.contains(id)) continue;
    if (state_.clock.UnixMillis() - active.job.created_unix_millis() > kPartsMillis) active.parts_known = true;
    const ModelJobs model(state_.jobs, state_.leases, active.job);
    // Remembered, as jobs that have ended are dropped in time.
    if (model.PartsKnown()) active.parts_known = true;
    seen.insert(model.ids().begin(), model.ids().end());
    const std::string reason = model.EndReason();
    if (reason.empty()) continue;
    for (int64_t of_model : model.ids()) ended.emplace_back(of_model, reason);
  }
  for (const auto& [id, reason] : ended) {
    ActiveJob* active = state_.jobs.Find(id);
    if (active == nullptr || IsFinal(active->job.state())) continue;
    if (active->job.state() == JobState::kWaiting) {
      RETURN_IF_ERROR(EndJob(*active, JobState::kDone, reason));
      continue;
    }
    active->job.EndSearch(reason);
    RETURN_IF_ERROR(FillQueue(*active, 1));
  }
  return absl::OkStatus();
}

absl::Status JobScheduler::LeaveDeviceClassIfSilent(ActiveJob& active) {
  if (!active.binding.ShouldLeave()) return absl::OkStatus();
  TuningJob& job = active.job;
  const std::string silent = job.target()->device.name;
  Log(LogLevel::kWarning, "job leaves its device", job.Subject(),
      {{"device", silent}, {"why", "no result came from it"}});
  ASSIGN_OR_RETURN(std::vector<PendingCandidate> held,
                   state_.leases.DropJob(job.id(), "its job left the class of devices"));
  for (PendingCandidate& candidate : held) active.proposed_before.push_back(std::move(candidate.schedule));
  state_.compiles.DropJob(job.id());
  active.compiled_ahead.clear();
  active.binding.Leave();
  active.position.reset();
  active.queue_incomplete = false;
  active.waits_since = state_.clock.Now();
  RETURN_IF_ERROR(ChangeState(active, JobState::kWaiting,
                              absl::StrCat("no result came from ", silent, ": the job continues on another device")));
  return TryBind(active);
}

absl::Status JobScheduler::ChangeState(ActiveJob& active, JobState state, std::string message) {
  TuningJob& job = active.job;
  RETURN_IF_ERROR(state_.log.SetJobState(job.id(), state, message));
  job.SetState(state, std::move(message));
  Log(LogLevel::kInfo, "job state", job.Subject(), {{"state", JobStateName(state)}, {"message", job.message()}});
  state_.events.Hold(job.uuid(), job.ToEvent());
  return absl::OkStatus();
}

absl::Status JobScheduler::EndJob(ActiveJob& active, JobState state, std::string message) {
  const int64_t id = active.job.id();
  state_.compiles.DropJob(id);
  RETURN_IF_ERROR(candidates_.RecordUnchosen(active));
  RETURN_IF_ERROR(state_.leases.DropJob(id, absl::StrCat("its job was ", ToAbsl(JobStateName(state)))).status());
  RETURN_IF_ERROR(ChangeState(active, state, std::move(message)));
  active.own_records.clear();
  active.proposed_before.clear();
  state_.jobs.Retire(id);
  return absl::OkStatus();
}

absl::StatusOr<v1::Job> JobScheduler::Get(std::string_view uuid) const {
  const ActiveJob* active = state_.jobs.Find(uuid);
  if (active == nullptr) return NotFound(absl::StrCat("no job '", ToAbsl(uuid), "' is in memory"));
  return active->job.ToWire();
}

absl::StatusOr<v1::Job> JobScheduler::Cancel(std::string_view uuid) {
  ActiveJob* active = state_.jobs.Find(uuid);
  if (active == nullptr) {
    ASSIGN_OR_RETURN(const std::optional<JobRow> row, FromStorage(state_.log.reader().FindJob(uuid)));
    if (row) RETURN_IF_ERROR(CheckJobOwner(row->id));
    return NotFound(absl::StrCat("no job '", ToAbsl(uuid), "' is in memory"));
  }
  if (!IsFinal(active->job.state())) RETURN_IF_ERROR(EndJob(*active, JobState::kCancelled, "cancelled"));
  return active->job.ToWire();
}

std::vector<v1::Job> JobScheduler::List(size_t limit, absl::FunctionRef<bool(const TuningJob&)> matches) const {
  std::vector<v1::Job> jobs;
  for (auto at = state_.jobs.all().rbegin(); at != state_.jobs.all().rend() && jobs.size() < limit; ++at) {
    if (!matches(at->second.job)) continue;
    jobs.push_back(at->second.job.ToWire());
    jobs.back().mutable_spec()->clear_schedules();
  }
  return jobs;
}

std::map<JobState, int64_t> JobScheduler::Unfinished() const {
  std::map<JobState, int64_t> states = {{JobState::kWaiting, 0}, {JobState::kRunning, 0}};
  for (const auto& [id, active] : state_.jobs.all()) {
    if (!IsFinal(active.job.state())) ++states[active.job.state()];
  }
  return states;
}

absl::Status JobScheduler::OnWorkersChanged() {
  arrivals_seen_ = state_.workers.arrivals();
  std::vector<int64_t> waiting;
  for (auto& [id, active] : state_.jobs.all()) {
    if (active.job.state() == JobState::kWaiting) waiting.push_back(id);
    if (active.job.state() == JobState::kRunning) Watch(active);
  }
  for (int64_t id : waiting) {
    if (ActiveJob* active = state_.jobs.Find(id)) RETURN_IF_ERROR(TryBind(*active));
  }
  return absl::OkStatus();
}

void JobScheduler::Watch(ActiveJob& active) {
  if (active.binding.Watch()) state_.events.Hold(active.job.uuid(), active.job.ToEvent());
}

absl::Status JobScheduler::Tick() {
  if (arrivals_seen_ != state_.workers.arrivals()) RETURN_IF_ERROR(OnWorkersChanged());
  RETURN_IF_ERROR(EndWaits());
  RETURN_IF_ERROR(EndCompileWaits());
  RETURN_IF_ERROR(EndModels());
  std::vector<int64_t> running;
  for (const auto& [id, active] : state_.jobs.all()) {
    if (active.job.state() == JobState::kRunning) running.push_back(id);
  }
  for (int64_t id : running) {
    ActiveJob* active = state_.jobs.Find(id);
    if (active == nullptr) continue;
    Watch(*active);
    if (active->queue_incomplete || active->job.OutOfTime()) RETURN_IF_ERROR(FillQueue(*active, 1));
    if (active->job.state() == JobState::kRunning) RETURN_IF_ERROR(LeaveDeviceClassIfSilent(*active));
  }
  return absl::OkStatus();
}

std::optional<TimePoint> JobScheduler::NextDeadline() const {
  std::optional<TimePoint> next = state_.compiles.NextDeadline();
  for (const auto& [id, active] : state_.jobs.all()) {
    const std::optional<TimePoint> wait_ends = WaitEnds(active);
    if (wait_ends && (!next || *wait_ends < *next)) next = wait_ends;
    if (active.job.state() != JobState::kRunning) continue;
    if (active.queue_incomplete) return state_.clock.Now();
    std::optional<TimePoint> limit = active.job.TimeLimit();
    // After the limit the job waits only for its leases, which have their own deadlines.
    if (limit && !active.job.OutOfTime() && (!next || *limit < *next)) next = limit;
  }
  return next;
}

}  // namespace mmtune
