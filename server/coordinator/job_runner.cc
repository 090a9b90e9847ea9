// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_runner.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "server/coordinator/storage_status.h"
#include "server/coordinator/work_requests.h"

namespace mmtune {
namespace {

/// A job fails when so many of its candidates in a row could not be measured.
constexpr int kMaxUnmeasuredInARow = 5;
constexpr int kPage = 1000;
/// A worker that restarts has so long to come back, however short the job is.
constexpr Duration kShortestWait = std::chrono::minutes(1);

}  // namespace

JobRunner::JobRunner(JobRunnerDeps deps)
    : deps_(std::move(deps)),
      events_(deps_.feeds),
      jobs_(deps_.feeds, deps_.workers, deps_.clock),
      leases_(jobs_, deps_.ledger, deps_.quota),
      compiles_(deps_.clock, jobs_, deps_.new_token),
      candidates_({deps_.log, deps_.clock, deps_.ledger, events_, deps_.new_token, deps_.families, compiles_}) {}

absl::Status JobRunner::Recover(bool resume) {
  JobTable::Finished before = jobs_.Reset();
  events_.Clear();
  compiles_.Clear();
  deps_.ledger.Clear();
  // Before the unfinished ones are interrupted: those are not kept.
  std::set<std::string> ended;
  for (const auto& [id, uuid] : before.order) {
    ASSIGN_OR_RETURN(const std::optional<JobRow> row, FromStorage(deps_.log.FindJob(uuid)));
    if (row && IsFinal(row->state)) ended.insert(uuid);
  }
  ASSIGN_OR_RETURN(const std::vector<JobRow> unfinished, FromStorage(deps_.log.UnfinishedJobs()));
  for (const JobRow& row : unfinished) {
    if (resume) {
      RETURN_IF_ERROR(ResumeJob(row));
    } else {
      RETURN_IF_ERROR(FromStorage(deps_.log.SetJobState(
          row.id, JobState::kInterrupted, "the coordinator ended; submit again: what was measured is reused")));
    }
  }
  jobs_.KeepFinished(std::move(before), ended);
  RETURN_IF_ERROR(deps_.ledger.Restore([this](int64_t job_id) -> std::optional<Duration> {
    const ActiveJob* active = jobs_.Find(job_id);
    if (active == nullptr || IsFinal(active->job.state())) return std::nullopt;
    // The device is not known yet: as long as the slowest kind may take.
    return StartToClose(active->job.spec(), DeviceKind::kSimt);
  }));
  return OnWorkersChanged();
}

absl::Status JobRunner::ResumeJob(const JobRow& row) {
  v1::JobSpec message;
  absl::StatusOr<JobSpec> spec = InvalidArgument("its specification cannot be read");
  if (message.ParseFromString(row.spec)) spec = ParseJobSpec(message, deps_.families);
  if (!spec.ok()) {
    return FromStorage(
        deps_.log.SetJobState(row.id, JobState::kFailed, absl::StrCat("cannot be resumed: ", spec.status().message())));
  }
  ActiveJob& active = jobs_.Add(row, std::move(message), *std::move(spec));
  active.job.SetState(JobState::kWaiting, "");
  ASSIGN_OR_RETURN(std::vector<CandidateRow> candidates, FromStorage(deps_.log.Candidates(row.id)));
  for (CandidateRow& candidate : candidates) active.proposed_before.push_back(std::move(candidate.schedule));
  return LoadOwnRecords(active);
}

absl::Status JobRunner::LoadOwnRecords(ActiveJob& active) {
  RecordFilter filter;
  filter.job_uuid = active.job.uuid();
  for (int64_t after = 0;;) {
    ASSIGN_OR_RETURN(std::vector<TuningRecord> page, FromStorage(deps_.log.Query(filter, after, kPage)));
    for (TuningRecord& record : page) {
      after = record.id;
      // The job goes on with the class of devices that it measured on last.
      std::string class_key = record.device.ClassKey();
      if (class_key != active.binding.required()) active.own_records.clear();
      active.binding.Require(std::move(class_key));
      active.own_records[record.schedule.Digest()] = std::move(record);
    }
    if (page.size() < kPage) return absl::OkStatus();
  }
}

absl::StatusOr<std::string> JobRunner::Submit(const v1::SubmitJobRequest& request) {
  RETURN_IF_ERROR(CheckName("client_request_id", request.client_request_id()));
  JobRow row;
  row.spec = SerializeJobSpec(request.spec());
  row.spec_digest = Sha256Hex(row.spec);
  ASSIGN_OR_RETURN(const std::optional<JobRow> known,
                   FromStorage(deps_.log.FindJobByRequest(request.client_request_id())));
  if (known) {
    if (known->spec_digest == row.spec_digest) return known->uuid;
    return absl::AlreadyExistsError(absl::StrCat("client_request_id '", request.client_request_id(),
                                                 "' was used for another job (", known->uuid,
                                                 "): use a new id for a new job"));
  }
  ASSIGN_OR_RETURN(JobSpec spec, ParseJobSpec(request.spec(), deps_.families));
  if (jobs_.full()) {
    return ResourceExhausted(
        absl::StrCat(JobTable::kMaxUnfinished, " jobs are unfinished already: wait, or cancel some (tune jobs)"));
  }
  RETURN_IF_ERROR(CheckQuota(request.spec(), spec));
  row.uuid = deps_.new_token();
  v1::JobSpec message = request.spec();
  if (message.trace_id().empty()) {
    message.set_trace_id(Sha256Hex(row.uuid).substr(0, kTraceIdDigits));
    row.spec = SerializeJobSpec(message);  // the digest stays that of the request, which may come again
  }
  row.client_request_id = request.client_request_id();
  row.problem = spec.problem;
  row.created_unix_millis = deps_.clock.UnixMillis();
  ASSIGN_OR_RETURN(row.id, FromStorage(deps_.log.InsertJob(row)));
  std::string uuid = row.uuid;
  Log(LogLevel::kInfo, "job submitted", {"", uuid, message.trace_id(), 0}, {{"problem", spec.problem.Text()}});
  RETURN_IF_ERROR(TryBind(jobs_.Add(std::move(row), std::move(message), std::move(spec))));
  return uuid;
}

absl::Status JobRunner::CheckQuota(const v1::JobSpec& message, const JobSpec& spec) const {
  const ClientQuota& quota = deps_.quota;
  const int64_t trials = spec.schedules.empty() ? spec.limits.trials : static_cast<int64_t>(spec.schedules.size());
  if (quota.trials > 0 && (trials == 0 || trials > quota.trials)) {
    return ResourceExhausted(absl::StrCat("the job asks for ", trials == 0 ? "no end of" : absl::StrCat(trials),
                                          " trials, and this server takes ", quota.trials,
                                          " a job (--max-trials-per-job): ask for fewer"));
  }
  if (quota.jobs == 0) return absl::OkStatus();
  int64_t unfinished = 0;
  for (const auto& [id, active] : jobs_.all()) {
    unfinished += !IsFinal(active.job.state()) && active.job.owner() == message.owner();
  }
  if (unfinished < quota.jobs) return absl::OkStatus();
  const std::string who = message.owner().empty() ? "clients without a certificate have" : message.owner() + " has";
  return ResourceExhausted(absl::StrCat(who, " ", unfinished, " unfinished jobs, and this server takes ", quota.jobs,
                                        " of a client (--max-jobs-per-client): wait, or cancel some (tune jobs)"));
}

absl::Status JobRunner::TryBind(ActiveJob& active) {
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
  // The plan proposes them again: memory does not grow with what a job has measured.
  JobPlanRequest request{job.spec(),
                         choice.target->device,
                         choice.target->toolchain,
                         std::exchange(active.proposed_before, {}),
                         active.binding.Lanes(),
                         job.MayCompileAhead() ? active.binding.CompileLanes() : 0,
                         job.created_unix_millis(),
                         deps_.open_log};
  return deps_.plan_executor(
      [request = std::move(request)] { return MakeJobPlan(request); },
      [this, id, number](absl::StatusOr<JobPlan> plan) { return TakePlan(id, number, std::move(plan)); });
}

std::optional<TimePoint> JobRunner::WaitEnds(const ActiveJob& active) const {
  const TuningJob& job = active.job;
  if (job.state() != JobState::kWaiting || job.target()) return std::nullopt;
  const double seconds = job.spec().limits.seconds;
  Duration limit = deps_.max_wait;
  if (seconds > 0) {
    const Duration own = std::max(FromSeconds(seconds), kShortestWait);
    limit = limit == Duration::zero() ? own : std::min(limit, own);
  }
  if (limit == Duration::zero()) return std::nullopt;
  return active.waits_since + limit;
}

absl::Status JobRunner::EndWaits() {
  std::vector<int64_t> over;
  for (const auto& [id, active] : jobs_.all()) {
    const std::optional<TimePoint> ends = WaitEnds(active);
    if (ends && *ends <= deps_.clock.Now()) over.push_back(id);
  }
  for (int64_t id : over) {
    ActiveJob& active = *jobs_.Find(id);
    const int64_t waited = static_cast<int64_t>(Seconds(deps_.clock.Now() - active.waits_since));
    RETURN_IF_ERROR(EndJob(active, JobState::kFailed,
                           absl::StrCat("given up after waiting for ", waited, " s: ", active.job.message())));
  }
  return absl::OkStatus();
}

absl::Status JobRunner::TakePlan(int64_t job_id, int64_t plan_number, absl::StatusOr<JobPlan> plan) {
  ActiveJob* active = jobs_.Find(job_id);
  if (active == nullptr || IsFinal(active->job.state())) return absl::OkStatus();
  if (active->job.plan_number() != plan_number || active->job.started()) return absl::OkStatus();
  if (!plan.ok()) return EndJob(*active, JobState::kFailed, std::string(plan.status().message()));
  active->job.Start(*std::move(plan));
  active->binding.Start();
  RETURN_IF_ERROR(ChangeState(*active, JobState::kRunning, ""));
  return Pump(*active, 1);
}

absl::Status JobRunner::Refill(int64_t job_id, int want) {
  ActiveJob* active = jobs_.Find(job_id);
  if (active == nullptr || active->job.state() != JobState::kRunning) return absl::OkStatus();
  return Pump(*active, want);
}

absl::Status JobRunner::Pump(ActiveJob& active, int want) {
  RETURN_IF_ERROR(candidates_.Pump(active, want));
  const TuningJob& job = active.job;
  if (job.state() != JobState::kRunning || deps_.ledger.Awaited(job.id()) > 0 || !job.ProposingDone()) {
    return absl::OkStatus();
  }
  return EndJob(active, JobState::kDone, job.StopReason());
}

absl::Status JobRunner::OnMeasured(const HeldCandidate& candidate, std::shared_ptr<const TuningRecord> record) {
  ActiveJob* active = jobs_.Find(candidate.job_id);
  if (active == nullptr) return absl::OkStatus();
  candidates_.Measured(*active, candidate, std::move(record));
  return candidate.awaited ? Pump(*active, 1) : absl::OkStatus();
}

absl::Status JobRunner::OnLost(const LostLease& lost) {
  ActiveJob* active = jobs_.Find(lost.candidate.job_id);
  if (active == nullptr) return absl::OkStatus();
  if (lost.verdict == LeaseVerdict::kRequeued) {
    if (!lost.overran) active->binding.Lose(lost.lease.worker);
    return absl::OkStatus();
  }
  if (!lost.candidate.awaited) return absl::OkStatus();
  const Outcome outcome = lost.overran ? Outcome::kTimedOut : Outcome::kCrashed;
  RETURN_IF_ERROR(candidates_.Convict(
      *active, lost, outcome,
      absl::StrCat("two workers were lost with it; the last, ", lost.lease.worker, ": ", ToAbsl(lost.Reason()))));
  return Pump(*active, 1);
}

absl::Status JobRunner::OnGivenUp(const HeldCandidate& candidate, std::string_view why) {
  ActiveJob* active = jobs_.Find(candidate.job_id);
  Log(LogLevel::kWarning, "candidate given up", SubjectOf(active ? &active->job : nullptr, candidate.id),
      {{"why", why}});
  if (active == nullptr || !candidate.awaited) return absl::OkStatus();
  candidates_.GiveUp(*active, candidate, why);
  if (active->job.unmeasured_in_a_row() < kMaxUnmeasuredInARow) return Pump(*active, 1);
  return EndJob(*active, JobState::kFailed,
                absl::StrCat(kMaxUnmeasuredInARow, " candidates in a row could not be measured; ", ToAbsl(why)));
}

absl::Status JobRunner::OnCompiled(std::string_view worker, const v1::CompileReport& report, bool believed) {
  ActiveJob* active = compiles_.Take(worker, report, believed);
  return active == nullptr ? absl::OkStatus() : Pump(*active, 1);
}

absl::Status JobRunner::EndCompileWaits() {
  for (int64_t id : compiles_.EndWaits()) RETURN_IF_ERROR(Refill(id, 1));
  return absl::OkStatus();
}

absl::Status JobRunner::LeaveSilentClass(ActiveJob& active) {
  if (!active.binding.ShouldLeave()) return absl::OkStatus();
  TuningJob& job = active.job;
  const std::string silent = job.target()->device.name;
  Log(LogLevel::kWarning, "job leaves its device", job.Subject(), {{"device", silent}});
  ASSIGN_OR_RETURN(std::vector<HeldCandidate> held,
                   deps_.ledger.DropJob(job.id(), "its job left the class of devices"));
  for (HeldCandidate& candidate : held) active.proposed_before.push_back(std::move(candidate.schedule));
  compiles_.DropJob(job.id());
  active.compiled_ahead.clear();
  active.binding.Leave();
  active.position.reset();
  active.pump_again = false;
  active.waits_since = deps_.clock.Now();
  RETURN_IF_ERROR(ChangeState(active, JobState::kWaiting,
                              absl::StrCat("nothing came from ", silent, ": goes on with another device")));
  return TryBind(active);
}

absl::Status JobRunner::ChangeState(ActiveJob& active, JobState state, std::string message) {
  TuningJob& job = active.job;
  RETURN_IF_ERROR(FromStorage(deps_.log.SetJobState(job.id(), state, message)));
  job.SetState(state, std::move(message));
  Log(LogLevel::kInfo, "job state", job.Subject(), {{"state", JobStateName(state)}, {"message", job.message()}});
  events_.Hold(job.uuid(), job.ToEvent());
  return absl::OkStatus();
}

absl::Status JobRunner::EndJob(ActiveJob& active, JobState state, std::string message) {
  const int64_t id = active.job.id();
  compiles_.DropJob(id);
  RETURN_IF_ERROR(candidates_.RecordUnchosen(active));
  RETURN_IF_ERROR(deps_.ledger.DropJob(id, absl::StrCat("its job was ", ToAbsl(JobStateName(state)))).status());
  RETURN_IF_ERROR(ChangeState(active, state, std::move(message)));
  active.own_records.clear();
  active.proposed_before.clear();
  jobs_.Retire(id);
  return absl::OkStatus();
}

absl::StatusOr<v1::Job> JobRunner::Get(std::string_view uuid) const {
  const ActiveJob* active = jobs_.Find(uuid);
  if (active == nullptr) return NotFound(absl::StrCat("no job ", ToAbsl(uuid)));
  return active->job.ToWire();
}

absl::StatusOr<v1::Job> JobRunner::Cancel(std::string_view uuid) {
  ActiveJob* active = jobs_.Find(uuid);
  if (active == nullptr) return NotFound(absl::StrCat("no job ", ToAbsl(uuid)));
  if (!IsFinal(active->job.state())) RETURN_IF_ERROR(EndJob(*active, JobState::kCancelled, "cancelled"));
  return active->job.ToWire();
}

std::vector<v1::Job> JobRunner::List(size_t limit) const {
  std::vector<v1::Job> jobs;
  for (auto at = jobs_.all().rbegin(); at != jobs_.all().rend() && jobs.size() < limit; ++at) {
    jobs.push_back(at->second.job.ToWire());
    jobs.back().mutable_spec()->clear_schedules();
  }
  return jobs;
}

std::vector<v1::Job> JobRunner::ListUnfinished(const std::string* owner) const {
  std::vector<v1::Job> jobs;
  for (auto at = jobs_.all().rbegin(); at != jobs_.all().rend(); ++at) {
    const TuningJob& job = at->second.job;
    if (IsFinal(job.state()) || (owner != nullptr && job.owner() != *owner)) continue;
    jobs.push_back(job.ToWire());
    jobs.back().mutable_spec()->clear_schedules();
  }
  return jobs;
}

std::map<JobState, int64_t> JobRunner::Unfinished() const {
  std::map<JobState, int64_t> states = {{JobState::kWaiting, 0}, {JobState::kRunning, 0}};
  for (const auto& [id, active] : jobs_.all()) {
    if (!IsFinal(active.job.state())) ++states[active.job.state()];
  }
  return states;
}

absl::Status JobRunner::OnWorkersChanged() {
  arrivals_seen_ = deps_.workers.arrivals();
  std::vector<int64_t> waiting;
  for (auto& [id, active] : jobs_.all()) {
    if (active.job.state() == JobState::kWaiting) waiting.push_back(id);
    if (active.job.state() == JobState::kRunning) Watch(active);
  }
  for (int64_t id : waiting) {
    if (ActiveJob* active = jobs_.Find(id)) RETURN_IF_ERROR(TryBind(*active));
  }
  return absl::OkStatus();
}

void JobRunner::Watch(ActiveJob& active) {
  if (active.binding.Watch()) events_.Hold(active.job.uuid(), active.job.ToEvent());
}

absl::Status JobRunner::Tick() {
  if (arrivals_seen_ != deps_.workers.arrivals()) RETURN_IF_ERROR(OnWorkersChanged());
  RETURN_IF_ERROR(EndWaits());
  RETURN_IF_ERROR(EndCompileWaits());
  std::vector<int64_t> running;
  for (const auto& [id, active] : jobs_.all()) {
    if (active.job.state() == JobState::kRunning) running.push_back(id);
  }
  for (int64_t id : running) {
    ActiveJob* active = jobs_.Find(id);
    if (active == nullptr) continue;
    Watch(*active);
    if (active->pump_again || active->job.OutOfTime()) RETURN_IF_ERROR(Pump(*active, 1));
    if (active->job.state() == JobState::kRunning) RETURN_IF_ERROR(LeaveSilentClass(*active));
  }
  return absl::OkStatus();
}

std::optional<TimePoint> JobRunner::NextDeadline() const {
  std::optional<TimePoint> next = compiles_.NextDeadline();
  for (const auto& [id, active] : jobs_.all()) {
    const std::optional<TimePoint> wait_ends = WaitEnds(active);
    if (wait_ends && (!next || *wait_ends < *next)) next = wait_ends;
    if (active.job.state() != JobState::kRunning) continue;
    if (active.pump_again) return deps_.clock.Now();
    std::optional<TimePoint> limit = active.job.TimeLimit();
    // After the limit only its leases keep the job open: there is nothing to wake up for.
    if (limit && !active.job.OutOfTime() && (!next || *limit < *next)) next = limit;
  }
  return next;
}

const TuningJob* JobRunner::Find(int64_t job_id) const {
  const ActiveJob* active = jobs_.Find(job_id);
  return active == nullptr ? nullptr : &active->job;
}

}  // namespace mmtune
