// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/coordinator.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/coordinator/fair_scheduler.h"
#include "server/coordinator/job_table.h"
#include "server/coordinator/log_writer.h"
#include "server/coordinator/result_validator.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {
namespace {

constexpr char kShuttingDown[] = "the server is shutting down";

/// How often jobs of coordinators that are gone are looked for.
constexpr Duration kTakeOverPause = std::chrono::seconds(3);
constexpr size_t kMaxWaitingCalls = 4096;
constexpr size_t kJobsListed = 100;

/// True if a waiting call is to be answered at once.
bool HasContent(const v1::LeaseResponse& response) {
  return response.leases_size() > 0 || response.compiles_size() > 0 || response.drain();
}

}  // namespace

Coordinator::Coordinator(const CoordinatorOptions& options, Collaborators outside)
    : state_(options, std::move(outside)),
      scheduler_(state_),
      reports_(state_, scheduler_),
      started_(state_.clock.Now()),
      started_unix_millis_(state_.clock.UnixMillis()) {}

absl::Status Coordinator::Start() {
  if (state_.options.quarantine) RETURN_IF_ERROR(RestoreFaults());
  return scheduler_.Recover(state_.options.resume_jobs);
}

absl::Status Coordinator::RestoreFaults() {
  ASSIGN_OR_RETURN(const std::vector<WorkerNote> notes, state_.log.WorkerNotes());
  std::map<std::string, const WorkerNote*> last_cleared;
  for (const WorkerNote& note : notes) {
    if (note.kind == WorkerNoteKind::kCleared) last_cleared[note.worker] = &note;
  }
  for (const WorkerNote& note : notes) {
    const auto cleared = last_cleared.find(note.worker);
    if (cleared != last_cleared.end() && &note < cleared->second) continue;
    switch (note.kind) {
      case WorkerNoteKind::kContradicted:
        if (const TimePoint when = TimeOf(note.unix_millis, state_.clock);
            state_.clock.Now() - when <= kFaultLifetime) {
          state_.workers.MarkFaulty(note.worker, ParseFaultReporter(note.about), when);
        }
        break;
      case WorkerNoteKind::kQuarantined:
        state_.workers.Quarantine(note.worker, note.about);
        break;
      case WorkerNoteKind::kCleared:
        if (state_.workers.IsQuarantined(note.worker)) state_.workers.Hold(note.worker, WorkerHold::kNone, "");
        state_.workers.ClearFaults(note.worker);
        break;
      case WorkerNoteKind::kDisputed:
        break;  // for the lease table
    }
  }
  return absl::OkStatus();
}

absl::Status Coordinator::Reload() { return scheduler_.Recover(/*resume=*/true); }

absl::StatusOr<v1::SubmitJobResponse> Coordinator::SubmitJob(const v1::SubmitJobRequest& request) {
  if (draining_) return Unavailable(kShuttingDown);
  v1::SubmitJobResponse response;
  ASSIGN_OR_RETURN(*response.mutable_job_uuid(), scheduler_.Submit(request));
  return response;
}

absl::StatusOr<v1::Job> Coordinator::GetJob(const v1::GetJobRequest& request) const {
  return scheduler_.Get(request.job_uuid());
}

absl::StatusOr<v1::Job> Coordinator::CancelJob(const v1::CancelJobRequest& request) {
  return scheduler_.Cancel(request.job_uuid());
}

absl::StatusOr<v1::ListJobsResponse> Coordinator::ListJobs(const v1::ListJobsRequest& request) const {
  v1::ListJobsResponse response;
  const auto matches = [&request](const TuningJob& job) {
    return !IsFinal(job.state()) && (!request.has_owner() || job.owner() == request.owner());
  };
  for (v1::Job& job : scheduler_.List(SIZE_MAX, matches)) *response.add_jobs() = std::move(job);
  return response;
}

v1::ServerInfo Coordinator::GetServerInfo() const {
  const TimePoint now = state_.clock.Now();
  v1::ServerInfo info;
  info.set_version(state_.options.version);
  info.set_protocol(kProtocol);
  info.set_log_path(state_.log.path());
  // The wall clock includes suspensions.
  info.set_uptime_seconds(std::max(0.0, static_cast<double>(state_.clock.UnixMillis() - started_unix_millis_) / 1000));
  for (v1::Job& job : scheduler_.List(kJobsListed, [](const TuningJob&) { return true; }))
    *info.add_jobs() = std::move(job);
  for (const RegisteredWorker* worker : state_.workers.All()) *info.add_workers() = StatusOf(*worker);
  for (const LiveLease& lease : state_.leases.Leases()) {
    v1::LeaseStatus* status = info.add_leases();
    status->set_job_uuid(state_.jobs.FindJob(lease.job_id)->uuid());
    status->set_worker_id(lease.worker);
    status->set_schedule(state_.leases.Find(lease.candidate_id)->schedule.Text());
    status->set_attempt(lease.attempt);
    status->set_age_seconds(Seconds(now - lease.granted));
    status->set_ttl_seconds(Seconds(lease.expires - now));
  }
  return info;
}

v1::WorkerStatus Coordinator::StatusOf(const RegisteredWorker& worker) const {
  v1::WorkerStatus status;
  status.set_worker_id(worker.id);
  status.set_host(worker.host);
  for (const RegisteredDevice& device : worker.devices) {
    *status.add_devices() = ToWire(device.info);
    status.add_device_indexes(device.index);
    *status.add_toolchains() = ToWire(device.toolchain);
  }
  status.set_live(state_.workers.IsLive(worker) && worker.hold == WorkerHold::kNone);
  status.set_seconds_since_seen(Seconds(state_.clock.Now() - worker.seen));
  status.set_measured(worker.measured);
  status.set_draining(worker.draining);
  status.mutable_labels()->insert(worker.labels.begin(), worker.labels.end());
  status.set_hold(static_cast<v1::WorkerHold>(static_cast<int>(worker.hold)));  // both enums have the same values
  status.set_hold_reason(worker.hold_reason);
  return status;
}

absl::StatusOr<v1::WorkerStatus> Coordinator::HoldWorker(const v1::HoldWorkerRequest& request) {
  ASSIGN_OR_RETURN(const WorkerHold hold, ParseHold(request));
  const std::string& id = request.worker_id();
  const bool uncordons = hold == WorkerHold::kNone;
  // A worker may be quarantined before it registers.
  if (state_.workers.Find(id) == nullptr && !(uncordons && state_.workers.IsQuarantined(id))) {
    return NotFound(absl::StrCat("no worker '", id, "' is registered: see tune workers list"));
  }
  const std::string by = absl::StrCat("by ", request.by().empty() ? "an admin" : request.by());
  if (uncordons) {
    RETURN_IF_ERROR(state_.log.AddWorkerNote({WorkerNoteKind::kCleared, id, by, state_.clock.UnixMillis()}));
    state_.workers.ClearFaults(id);
  }
  const RegisteredWorker* worker = state_.workers.Hold(id, hold, uncordons ? "" : by);
  LogInfo("worker hold", {{"worker", id}, {"hold", WorkerHoldName(hold)}, {"by", by}});
  if (worker != nullptr) return StatusOf(*worker);
  v1::WorkerStatus status;
  status.set_worker_id(id);
  return status;
}

absl::StatusOr<v1::RegisterResponse> Coordinator::Register(const v1::RegisterRequest& request, std::string_view peer) {
  RETURN_IF_ERROR(ValidateRegister(request));
  RETURN_IF_ERROR(ValidateProtocol(request, state_.options.version));
  ASSIGN_OR_RETURN(std::vector<RegisteredDevice> devices, ParseDevices(request));
  absl::StatusOr<Labels> labels = FromWire(request.labels());
  if (!labels.ok()) return WithContext(labels.status(), "labels");
  const RegisteredWorker* known = state_.workers.Find(request.worker_id());
  // The leases of the worker's earlier process expire now, because no process works on them.
  if (known != nullptr && !known->process_id.empty() && known->process_id != request.process_id()) {
    state_.leases.ExpireLeasesOf(request.worker_id());
  }
  state_.workers.Register(request.worker_id(), request.host(), std::move(devices), peer, *std::move(labels),
                          request.compile_lanes(), request.process_id());
  state_.compiles.ForgetWorker(request.worker_id());
  LogInfo("worker registered",
          {{"worker", request.worker_id()}, {"host", request.host()}, {"devices", request.devices_size()}});
  RETURN_IF_ERROR(scheduler_.OnWorkersChanged());
  v1::RegisterResponse response;
  response.set_protocol(kProtocol);
  response.set_heartbeat_seconds(Seconds(state_.options.heartbeat));
  response.set_lease_ttl_seconds(Seconds(state_.options.lease_ttl));
  return response;
}

absl::Status Coordinator::Lease(const v1::LeaseRequest& request, std::shared_ptr<LeaseCall> call) {
  const absl::Status valid = ValidateLease(request);
  // Waiting calls come first. Otherwise workers that report and ask in one call would get all leases.
  if (valid.ok() && !waiting_calls_.empty() && waiting_calls_.size() < kMaxWaitingCalls) {
    waiting_calls_.push_back({request, std::move(call), state_.clock.Now() + LeaseWait(request)});
    return absl::OkStatus();
  }
  absl::StatusOr<v1::LeaseResponse> response = valid.ok() ? TryLease(request) : valid;
  if (IsStorageFailure(response.status())) return response.status();
  if (!response.ok()) {
    answers_.push_back({std::move(call), response.status(), {}});
  } else if (HasContent(*response) || request.wait_seconds() <= 0) {
    answers_.push_back({std::move(call), absl::OkStatus(), *std::move(response)});
  } else if (waiting_calls_.size() >= kMaxWaitingCalls) {
    answers_.push_back({std::move(call),
                        ResourceExhausted(absl::StrCat(kMaxWaitingCalls, " Lease calls wait already: try again later")),
                        {}});
  } else {
    waiting_calls_.push_back({request, std::move(call), state_.clock.Now() + LeaseWait(request)});
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::LeaseResponse> Coordinator::TryLease(const v1::LeaseRequest& request) {
  RegisteredWorker* worker = state_.workers.Touch(request.worker_id(), /*works=*/true);
  if (worker == nullptr) {
    return NotFound(absl::StrCat("worker '", request.worker_id(), "' is not registered: call Register first"));
  }
  const RegisteredDevice* device = WorkerRegistry::FindDevice(*worker, request.device_uuid());
  if (device == nullptr) {
    return NotFound(absl::StrCat("worker '", request.worker_id(), "' has registered no device '", request.device_uuid(),
                                 "': call Register with it first"));
  }
  v1::LeaseResponse response;
  response.set_drain(EndsWorkers() || worker->told_to_end);
  for (const LiveLease& lease : state_.leases.GrantedTo(request.worker_id(), request.request_id())) {
    *response.add_leases() = LeaseMessage(lease);
  }
  for (v1::CompileTask& task : state_.compiles.AssignedTo(request.worker_id(), request.request_id())) {
    *response.add_compiles() = std::move(task);
  }
  if (HasContent(response)) return response;
  if (draining_) return Unavailable(kShuttingDown);
  if (worker->draining || worker->hold != WorkerHold::kNone) return response;
  FairScheduler turns(RunnableJobsFor(state_.jobs, *worker, *device));
  std::map<std::string, int64_t> live = LeasesByClient();
  while (const RunnableJob* next = turns.Next()) {
    const int wanted = request.max_leases() - response.leases_size();
    if (wanted == 0) break;
    const TuningJob& job = *state_.jobs.FindJob(next->job_id);
    const int most = turns.alone() && !job.spec().model ? wanted : 1;
    int64_t& of_client = live[job.owner()];
    ASSIGN_OR_RETURN(const int granted, GrantNext(job, state_.options.quota.LeasesLeft(of_client, most), *worker,
                                                  *device, request, response));
    of_client += granted;
    if (granted > 0) turns.Granted(granted);
    if (granted < most) turns.Pass();
  }
  StorePositions(state_.jobs, turns.jobs());
  for (v1::CompileTask& task : state_.compiles.Assign(*worker, *device, request.request_id(), request.max_compiles())) {
    *response.add_compiles() = std::move(task);
  }
  return response;
}

absl::StatusOr<int> Coordinator::GrantNext(const TuningJob& job, int most, const RegisteredWorker& worker,
                                           const RegisteredDevice& device, const v1::LeaseRequest& request,
                                           v1::LeaseResponse& response) {
  if (!job.spec().model || most == 0) return GrantFrom(job.id(), most, request, response);
  for (const int64_t id : ModelJobs(state_.jobs, state_.leases, job).Order()) {
    const ActiveJob* active = state_.jobs.Find(id);
    if (active == nullptr || active->job.state() != JobState::kRunning) continue;
    if (!active->binding.Takes(worker, device)) continue;
    // A search that waits for results has no candidate now.
    ASSIGN_OR_RETURN(const int granted, GrantFrom(id, 1, request, response));
    if (granted > 0) return granted;
  }
  return 0;
}

absl::StatusOr<int> Coordinator::GrantFrom(int64_t job_id, int most, const v1::LeaseRequest& request,
                                           v1::LeaseResponse& response) {
  if (most == 0) return 0;
  LeaseGrant grant;
  if (const auto& target = state_.jobs.FindJob(job_id)->target()) grant.class_key = target->class_key;
  RETURN_IF_ERROR(scheduler_.FillQueue(job_id, most));
  grant.worker = request.worker_id();
  grant.trust_domain = state_.workers.TrustDomainOf(grant.worker);
  grant.device_uuid = request.device_uuid();
  grant.request_id = request.request_id();
  grant.job_id = job_id;
  grant.max = most;
  grant.others_serve = [this, job_id](const std::vector<std::string>& domains, std::string_view worker) {
    return state_.jobs.OthersServe(job_id, domains, worker);
  };
  grant.others_may_come = state_.clock.Now() - started_ < state_.workers.silence();
  ASSIGN_OR_RETURN(std::vector<LiveLease> granted, state_.leases.Grant(grant));
  if (granted.empty() && state_.leases.Queued(job_id) > 0) {
    // All queued candidates are kept for other workers, so more are proposed.
    RETURN_IF_ERROR(scheduler_.FillQueue(job_id, static_cast<int>(state_.leases.Queued(job_id)) + most));
    ASSIGN_OR_RETURN(granted, state_.leases.Grant(grant));
  }
  for (const LiveLease& lease : granted) {
    *response.add_leases() = LeaseMessage(lease);
  }
  return static_cast<int>(granted.size());
}

v1::Lease Coordinator::LeaseMessage(const LiveLease& lease) const {
  const TuningJob& job = *state_.jobs.FindJob(lease.job_id);
  v1::Lease message;
  message.set_token(lease.token);
  message.set_job_uuid(job.uuid());
  message.set_candidate_id(lease.candidate_id);
  message.set_trace_id(job.trace_id());
  message.set_attempt(lease.attempt);
  *message.mutable_problem() = ToWire(job.spec().problem);
  *message.mutable_schedule() = ToWire(state_.leases.Find(lease.candidate_id)->schedule);
  message.set_arch(job.target() ? job.target()->device.arch : job.spec().device.arch);
  message.set_ttl_seconds(Seconds(state_.options.lease_ttl));
  message.set_start_to_close_seconds(Seconds(lease.closes - lease.granted));
  // A disputed candidate is measured again, and completely, so that the times can be compared.
  const bool disputed =
      job.target() && !ObservationsOn(job.target()->class_key, state_.leases.Disputed(lease.token)).empty();
  message.set_incumbent_ns(disputed ? 0 : job.best_ns());
  message.set_skip_above_ns(disputed ? 0 : job.skip_above_ns());
  *message.mutable_measure() = ToWire(job.measure());
  const std::optional<Schedule>& reference = job.spec().reference;
  message.set_remeasure(disputed || job.spec().remeasure || reference);
  if (reference) *message.mutable_reference() = ToWire(*reference);
  return message;
}

std::map<std::string, int64_t> Coordinator::LeasesByClient() const {
  std::map<std::string, int64_t> live;
  if (state_.options.quota.candidates == 0) return live;
  for (const auto& [id, active] : state_.jobs.all()) live[active.job.owner()] += state_.leases.Live(id);
  return live;
}

absl::StatusOr<v1::HeartbeatResponse> Coordinator::Heartbeat(const v1::HeartbeatRequest& request) {
  RETURN_IF_ERROR(ValidateHeartbeat(request));
  v1::HeartbeatResponse response;
  // Only the token counts, so that an unregistered worker keeps its leases from before a restart.
  for (const std::string& token : request.tokens()) {
    if (state_.leases.Extend(token, request.worker_id())) continue;
    // The worker's own coordinator may be gone: then it asks here until its job is taken over.
    const absl::Status here = reports_.CheckJobOwner(token);
    if (IsStorageFailure(here)) return here;
    if (here.ok()) response.add_cancel_tokens(token);
  }
  const bool holds_leases = response.cancel_tokens_size() < request.tokens_size();
  RegisteredWorker* worker = state_.workers.Touch(request.worker_id(), holds_leases);
  response.set_unknown_worker(worker == nullptr);
  if (worker != nullptr) state_.workers.SetDraining(*worker, request.draining());
  response.set_drain(EndsWorkers() || (worker != nullptr && worker->told_to_end));
  response.set_ttl_seconds(Seconds(state_.options.lease_ttl));
  return response;
}

absl::StatusOr<v1::ReportResponse> Coordinator::Report(const v1::ReportRequest& request,
                                                       std::shared_ptr<LeaseCall> next) {
  RETURN_IF_ERROR(ValidateReport(request));
  state_.workers.Touch(request.worker_id(), /*works=*/true);
  for (const v1::CandidateReport& report : request.reports()) RETURN_IF_ERROR(reports_.CheckJobOwner(report.token()));
  v1::ReportResponse response;
  for (const v1::CandidateReport& report : request.reports()) {
    ASSIGN_OR_RETURN(*response.add_statuses(), reports_.Handle(request.worker_id(), report));
  }
  if (next != nullptr && request.has_next() && next->Wanted()) {
    v1::LeaseRequest lease = request.next();
    lease.set_worker_id(request.worker_id());
    lease.set_wait_seconds(0);
    RETURN_IF_ERROR(Lease(lease, std::move(next)));
  }
  return response;
}

absl::StatusOr<v1::ReportCompiledResponse> Coordinator::ReportCompiled(const v1::ReportCompiledRequest& request) {
  RETURN_IF_ERROR(ValidateReportCompiled(request));
  state_.workers.Touch(request.worker_id(), /*works=*/true);
  const bool believed = !state_.workers.IsQuarantined(request.worker_id());
  for (const v1::CompileReport& report : request.reports()) {
    RETURN_IF_ERROR(scheduler_.OnCompiled(request.worker_id(), report, believed));
  }
  return v1::ReportCompiledResponse();
}

absl::StatusOr<v1::FindMeasuredResponse> Coordinator::FindMeasured(const v1::FindMeasuredRequest& request) {
  RETURN_IF_ERROR(ValidateFindMeasured(request));
  state_.workers.Touch(request.worker_id());
  v1::FindMeasuredResponse response;
  ASSIGN_OR_RETURN(std::optional<TuningRecord> record,
                   FromStorage(state_.log.reader().FindMeasured(request.timing_key())));
  if (record) *response.mutable_measurement() = ToWire(record->measurement);
  return response;
}

absl::Status Coordinator::AnswerWaitingCalls() {
  const TimePoint now = state_.clock.Now();
  for (auto at = waiting_calls_.begin(); at != waiting_calls_.end();) {
    if (!at->call->Wanted()) {
      at = waiting_calls_.erase(at);
      continue;
    }
    absl::StatusOr<v1::LeaseResponse> response = TryLease(at->request);
    if (IsStorageFailure(response.status())) return response.status();
    const bool answer = !response.ok() || HasContent(*response) || at->until <= now;
    if (!answer) {
      ++at;
      continue;
    }
    answers_.push_back({std::move(at->call), response.status(), response.ok() ? *response : v1::LeaseResponse()});
    at = waiting_calls_.erase(at);
  }
  return absl::OkStatus();
}

absl::Status Coordinator::ExpireLeases() {
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<LostLease> lost, state_.leases.ExpireNext());
    if (!lost) return absl::OkStatus();
    Log(LogLevel::kWarning, "lease lost",
        SubjectOf(state_.jobs.FindJob(lost->lease.job_id), lost->candidate.id, lost->lease.token),
        {{"worker", lost->lease.worker}, {"why", lost->Reason()}});
    RETURN_IF_ERROR(scheduler_.OnLost(*lost));
  }
}

absl::Status Coordinator::TakeOverJobs() {
  const TimePoint now = state_.clock.Now();
  if (!state_.options.resume_jobs || draining_ || now < next_take_over_) return absl::OkStatus();
  next_take_over_ = now + kTakeOverPause;
  ASSIGN_OR_RETURN(const std::vector<JobRow> jobs, state_.log.TakeOverJobs());
  if (!jobs.empty() && state_.options.quarantine) RETURN_IF_ERROR(RestoreFaults());
  return scheduler_.Adopt(jobs);
}

absl::Status Coordinator::Tick() {
  for (const WaitingLeaseCall& waiting_call : waiting_calls_) {
    if (waiting_call.call->Wanted()) state_.workers.Touch(waiting_call.request.worker_id(), /*works=*/true);
  }
  state_.workers.Prune();
  RETURN_IF_ERROR(TakeOverJobs());
  RETURN_IF_ERROR(ExpireLeases());
  RETURN_IF_ERROR(scheduler_.Tick());
  return AnswerWaitingCalls();
}

std::optional<TimePoint> Coordinator::NextDeadline() const {
  std::optional<TimePoint> next = state_.leases.NextDeadline();
  auto take = [&next](std::optional<TimePoint> at) {
    if (at && (!next || *at < *next)) next = at;
  };
  take(scheduler_.NextDeadline());
  for (const WaitingLeaseCall& waiting_call : waiting_calls_) take(waiting_call.until);
  return next;
}

void Coordinator::FinishBatch(const absl::Status& commit) {
  std::vector<Answer> answers = std::exchange(answers_, {});
  if (commit.ok()) {
    state_.events.Publish();
    for (Answer& answer : answers) answer.call->Answer(answer.status, std::move(answer.response));
    return;
  }
  // The changes that the answers report were undone. Waiting callers have to ask again, too.
  for (WaitingLeaseCall& waiting_call : std::exchange(waiting_calls_, {}))
    answers.push_back({std::move(waiting_call.call), commit, {}});
  for (Answer& answer : answers) answer.call->Answer(commit, {});
}

}  // namespace mmtune
