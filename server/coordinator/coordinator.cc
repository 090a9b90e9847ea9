// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/coordinator.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/coordinator/result_trust.h"
#include "server/coordinator/storage_status.h"
#include "server/coordinator/work_requests.h"

namespace mmtune {
namespace {

constexpr char kShuttingDown[] = "the server is shutting down";

constexpr size_t kMaxParked = 4096;
constexpr size_t kJobsListed = 100;
// Of a worker that serves: no job waits longer for one that is gone, however long leases are.
constexpr Duration kMostSilence = std::chrono::seconds(30);

/// Whether a worker that waits has to have the answer now.
bool SaysSomething(const v1::LeaseResponse& response) {
  return response.leases_size() > 0 || response.compiles_size() > 0 || response.drain();
}

LedgerOptions MakeLedgerOptions(const CoordinatorOptions& options) {
  LedgerOptions ledger;
  ledger.ttl = options.lease_ttl;
  return ledger;
}

}  // namespace

Coordinator::Coordinator(const CoordinatorOptions& options, CoordinatorDeps deps)
    : options_(options),
      log_(deps.log),
      clock_(deps.clock),
      ledger_(MakeLedgerOptions(options), deps.log, deps.clock, deps.new_token),
      workers_(deps.clock, std::min(options.lease_ttl, kMostSilence)),
      jobs_({deps.log, deps.clock, ledger_, workers_, deps.feeds, deps.new_token, std::move(deps.plan_executor),
             std::move(deps.families), options.quota, options.max_wait, std::move(deps.open_log)}),
      reports_({deps.log, deps.clock, ledger_, workers_, jobs_, deps.new_token, options.quarantine}),
      started_(deps.clock.Now()),
      started_unix_millis_(deps.clock.UnixMillis()) {}

absl::Status Coordinator::Start() {
  if (options_.quarantine) RETURN_IF_ERROR(RestoreCharges());
  return jobs_.Recover(options_.resume_jobs);
}

absl::Status Coordinator::RestoreCharges() {
  ASSIGN_OR_RETURN(const std::vector<WorkerNote> notes, FromStorage(log_.WorkerNotes()));
  for (const WorkerNote& note : notes) {
    switch (note.kind) {
      case WorkerNoteKind::kAccused:
        if (const TimePoint when = TimeOf(note.unix_millis, clock_); clock_.Now() - when <= kAccusationLasts) {
          const Witness by = ParseWitness(note.about);
          workers_.Accuse(note.worker, by.worker, by.party, when);
        }
        break;
      case WorkerNoteKind::kQuarantined:
        workers_.Quarantine(note.worker, note.about);
        break;
      case WorkerNoteKind::kLetGo:
        workers_.Acquit(note.worker);
        break;
      case WorkerNoteKind::kDoubted:
        break;  // the ledger's
    }
  }
  return absl::OkStatus();
}

absl::Status Coordinator::Reload() { return jobs_.Recover(/*resume=*/true); }

absl::StatusOr<v1::SubmitJobResponse> Coordinator::SubmitJob(const v1::SubmitJobRequest& request) {
  if (draining_) return Unavailable(kShuttingDown);
  v1::SubmitJobResponse response;
  ASSIGN_OR_RETURN(*response.mutable_job_uuid(), jobs_.Submit(request));
  return response;
}

absl::StatusOr<v1::Job> Coordinator::GetJob(const v1::GetJobRequest& request) const {
  return jobs_.Get(request.job_uuid());
}

absl::StatusOr<v1::Job> Coordinator::CancelJob(const v1::CancelJobRequest& request) {
  return jobs_.Cancel(request.job_uuid());
}

absl::StatusOr<v1::ListJobsResponse> Coordinator::ListJobs(const v1::ListJobsRequest& request) const {
  v1::ListJobsResponse response;
  const std::string* owner = request.has_owner() ? &request.owner() : nullptr;
  for (v1::Job& job : jobs_.ListUnfinished(owner)) *response.add_jobs() = std::move(job);
  return response;
}

v1::ServerInfo Coordinator::GetServerInfo() const {
  const TimePoint now = clock_.Now();
  v1::ServerInfo info;
  info.set_version(options_.version);
  info.set_protocol(kProtocol);
  info.set_log_path(log_.path());
  // Pauses included, which this clock leaves out.
  info.set_uptime_seconds(std::max(0.0, static_cast<double>(clock_.UnixMillis() - started_unix_millis_) / 1000));
  for (v1::Job& job : jobs_.List(kJobsListed)) *info.add_jobs() = std::move(job);
  for (const RegisteredWorker* worker : workers_.All()) *info.add_workers() = StatusOf(*worker);
  for (const LiveLease& lease : ledger_.Leases()) {
    v1::LeaseStatus* status = info.add_leases();
    status->set_job_uuid(jobs_.Find(lease.job_id)->uuid());
    status->set_worker_id(lease.worker);
    status->set_schedule(ledger_.Find(lease.candidate_id)->schedule.Text());
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
  }
  status.set_live(workers_.IsLive(worker) && worker.hold == WorkerHold::kNone);
  status.set_seconds_since_seen(Seconds(clock_.Now() - worker.seen));
  status.set_measured(worker.measured);
  status.set_draining(worker.draining);
  status.mutable_labels()->insert(worker.labels.begin(), worker.labels.end());
  status.set_hold(static_cast<v1::WorkerHold>(static_cast<int>(worker.hold)));  // the same, in the same order
  status.set_hold_reason(worker.hold_reason);
  return status;
}

absl::StatusOr<v1::WorkerStatus> Coordinator::HoldWorker(const v1::HoldWorkerRequest& request) {
  ASSIGN_OR_RETURN(const WorkerHold hold, ParseHold(request));
  const std::string& id = request.worker_id();
  const bool lets_go = hold == WorkerHold::kNone;
  // A quarantine waits for a worker that is not registered, too.
  if (workers_.Find(id) == nullptr && !(lets_go && workers_.IsQuarantined(id))) {
    return NotFound(absl::StrCat("no worker '", id, "' is registered: see tune workers list"));
  }
  const std::string by = absl::StrCat("by ", request.by().empty() ? "an admin" : request.by());
  if (lets_go) {
    RETURN_IF_ERROR(FromStorage(log_.AddWorkerNote({WorkerNoteKind::kLetGo, id, by, clock_.UnixMillis()})));
    workers_.Acquit(id);
  }
  const RegisteredWorker* worker = workers_.Hold(id, hold, lets_go ? "" : by);
  LogInfo("worker hold", {{"worker", id}, {"hold", WorkerHoldName(hold)}, {"by", by}});
  if (worker != nullptr) return StatusOf(*worker);
  v1::WorkerStatus status;
  status.set_worker_id(id);
  return status;
}

absl::StatusOr<v1::RegisterResponse> Coordinator::Register(const v1::RegisterRequest& request, std::string_view peer) {
  RETURN_IF_ERROR(ValidateRegister(request));
  RETURN_IF_ERROR(ValidateProtocol(request, options_.version));
  ASSIGN_OR_RETURN(std::vector<RegisteredDevice> devices, ParseDevices(request));
  absl::StatusOr<Labels> labels = FromWire(request.labels());
  if (!labels.ok()) return WithContext(labels.status(), "labels");
  const RegisteredWorker* known = workers_.Find(request.worker_id());
  // What the earlier process had leased, nobody works on: it is lost now, not when its time is over.
  if (known != nullptr && !known->process_id.empty() && known->process_id != request.process_id()) {
    ledger_.LoseLeasesOf(request.worker_id());
  }
  workers_.Register(request.worker_id(), request.host(), std::move(devices), peer, *std::move(labels),
                    request.compile_lanes(), request.process_id());
  jobs_.ForgetTasksOf(request.worker_id());
  LogInfo("worker registered",
          {{"worker", request.worker_id()}, {"host", request.host()}, {"devices", request.devices_size()}});
  RETURN_IF_ERROR(jobs_.OnWorkersChanged());
  v1::RegisterResponse response;
  response.set_protocol(kProtocol);
  response.set_heartbeat_seconds(Seconds(options_.heartbeat));
  response.set_lease_ttl_seconds(Seconds(options_.lease_ttl));
  return response;
}

absl::Status Coordinator::Lease(const v1::LeaseRequest& request, std::shared_ptr<LeaseCall> call) {
  const absl::Status valid = ValidateLease(request);
  // Who waits comes first: workers that report and ask in one call would leave the others nothing.
  if (valid.ok() && !parked_.empty() && parked_.size() < kMaxParked) {
    parked_.push_back({request, std::move(call), clock_.Now() + LeaseWait(request)});
    return absl::OkStatus();
  }
  absl::StatusOr<v1::LeaseResponse> response = valid.ok() ? TryLease(request) : valid;
  if (IsStorageFailure(response.status())) return response.status();
  if (!response.ok()) {
    answers_.push_back({std::move(call), response.status(), {}});
  } else if (SaysSomething(*response) || request.wait_seconds() <= 0) {
    answers_.push_back({std::move(call), absl::OkStatus(), *std::move(response)});
  } else if (parked_.size() >= kMaxParked) {
    answers_.push_back({std::move(call), ResourceExhausted("too many Lease calls wait already"), {}});
  } else {
    parked_.push_back({request, std::move(call), clock_.Now() + LeaseWait(request)});
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::LeaseResponse> Coordinator::TryLease(const v1::LeaseRequest& request) {
  RegisteredWorker* worker = workers_.Touch(request.worker_id(), /*works=*/true);
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
  for (const LiveLease& lease : ledger_.Repeat(request.worker_id(), request.request_id())) {
    *response.add_leases() = jobs_.LeaseMessage(lease, options_.lease_ttl);
  }
  for (v1::CompileTask& task : jobs_.RepeatCompileTasks(request.worker_id(), request.request_id())) {
    *response.add_compiles() = std::move(task);
  }
  if (SaysSomething(response)) return response;
  if (draining_) return Unavailable(kShuttingDown);
  if (worker->draining || worker->hold != WorkerHold::kNone) return response;
  LeaseTurns turns(jobs_.ContendersFor(*worker, *device));
  std::map<std::string, int64_t> live = jobs_.LeasesByClient();
  while (const Contender* next = turns.Next()) {
    const int wanted = request.max_leases() - response.leases_size();
    if (wanted == 0) break;
    const int most = turns.alone() ? wanted : 1;
    int64_t& of_client = live[jobs_.Find(next->job_id)->owner()];
    ASSIGN_OR_RETURN(const int granted,
                     GrantFrom(next->job_id, options_.quota.LeasesLeft(of_client, most), request, response));
    of_client += granted;
    if (granted > 0) turns.Granted(granted);
    if (granted < most) turns.Pass();
  }
  jobs_.KeepPositions(turns.contenders());
  for (v1::CompileTask& task : jobs_.CompileTasksFor(*worker, *device, request.request_id(), request.max_compiles())) {
    *response.add_compiles() = std::move(task);
  }
  return response;
}

absl::StatusOr<int> Coordinator::GrantFrom(int64_t job_id, int most, const v1::LeaseRequest& request,
                                           v1::LeaseResponse& response) {
  if (most == 0) return 0;
  LeaseGrant grant;
  if (const auto& target = jobs_.Find(job_id)->target()) grant.class_key = target->class_key;
  RETURN_IF_ERROR(jobs_.Refill(job_id, most));
  grant.worker = request.worker_id();
  grant.party = workers_.PartyOf(grant.worker);
  grant.device_uuid = request.device_uuid();
  grant.request_id = request.request_id();
  grant.job_id = job_id;
  grant.max = most;
  grant.others_serve = [this, job_id](const std::vector<std::string>& parties, std::string_view worker) {
    return jobs_.OthersServe(job_id, parties, worker);
  };
  grant.others_may_come = clock_.Now() - started_ < workers_.silence();
  ASSIGN_OR_RETURN(std::vector<LiveLease> granted, ledger_.Grant(grant));
  if (granted.empty() && ledger_.Queued(job_id) > 0) {
    // Everything queued has failed on this worker and waits for another: propose new ones for this one.
    RETURN_IF_ERROR(jobs_.Refill(job_id, static_cast<int>(ledger_.Queued(job_id)) + most));
    ASSIGN_OR_RETURN(granted, ledger_.Grant(grant));
  }
  for (const LiveLease& lease : granted) {
    *response.add_leases() = jobs_.LeaseMessage(lease, options_.lease_ttl);
  }
  return static_cast<int>(granted.size());
}

absl::StatusOr<v1::HeartbeatResponse> Coordinator::Heartbeat(const v1::HeartbeatRequest& request) {
  RETURN_IF_ERROR(ValidateHeartbeat(request));
  v1::HeartbeatResponse response;
  // The token is what counts: a worker this coordinator does not know keeps the leases it had before a restart.
  for (const std::string& token : request.tokens()) {
    if (!ledger_.Extend(token, request.worker_id())) response.add_cancel_tokens(token);
  }
  const bool holds_leases = response.cancel_tokens_size() < request.tokens_size();
  RegisteredWorker* worker = workers_.Touch(request.worker_id(), holds_leases);
  response.set_unknown_worker(worker == nullptr);
  if (worker != nullptr) workers_.SetDraining(*worker, request.draining());
  response.set_drain(EndsWorkers() || (worker != nullptr && worker->told_to_end));
  response.set_ttl_seconds(Seconds(options_.lease_ttl));
  return response;
}

absl::StatusOr<v1::ReportResponse> Coordinator::Report(const v1::ReportRequest& request,
                                                       std::shared_ptr<LeaseCall> next) {
  RETURN_IF_ERROR(ValidateReport(request));
  workers_.Touch(request.worker_id(), /*works=*/true);
  v1::ReportResponse response;
  for (const v1::CandidateReport& report : request.reports()) {
    ASSIGN_OR_RETURN(*response.add_statuses(), reports_.Take(request.worker_id(), report));
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
  workers_.Touch(request.worker_id(), /*works=*/true);
  const bool believed = !workers_.IsQuarantined(request.worker_id());
  for (const v1::CompileReport& report : request.reports()) {
    RETURN_IF_ERROR(jobs_.OnCompiled(request.worker_id(), report, believed));
  }
  return v1::ReportCompiledResponse();
}

absl::StatusOr<v1::FindMeasuredResponse> Coordinator::FindMeasured(const v1::FindMeasuredRequest& request) {
  RETURN_IF_ERROR(ValidateFindMeasured(request));
  workers_.Touch(request.worker_id());
  v1::FindMeasuredResponse response;
  ASSIGN_OR_RETURN(std::optional<TuningRecord> record, FromStorage(log_.FindMeasured(request.timing_key())));
  if (record) *response.mutable_measurement() = ToWire(record->measurement);
  return response;
}

absl::Status Coordinator::ServeParked() {
  const TimePoint now = clock_.Now();
  for (auto at = parked_.begin(); at != parked_.end();) {
    if (!at->call->Wanted()) {
      at = parked_.erase(at);
      continue;
    }
    absl::StatusOr<v1::LeaseResponse> response = TryLease(at->request);
    if (IsStorageFailure(response.status())) return response.status();
    const bool answer = !response.ok() || SaysSomething(*response) || at->until <= now;
    if (!answer) {
      ++at;
      continue;
    }
    answers_.push_back({std::move(at->call), response.status(), response.ok() ? *response : v1::LeaseResponse()});
    at = parked_.erase(at);
  }
  return absl::OkStatus();
}

absl::Status Coordinator::ExpireLeases() {
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<LostLease> lost, ledger_.ExpireNext());
    if (!lost) return absl::OkStatus();
    Log(LogLevel::kWarning, "lease lost",
        SubjectOf(jobs_.Find(lost->lease.job_id), lost->candidate.id, lost->lease.token),
        {{"worker", lost->lease.worker}, {"why", lost->Reason()}});
    RETURN_IF_ERROR(jobs_.OnLost(*lost));
  }
}

absl::Status Coordinator::Tick() {
  for (const Parked& parked : parked_) {
    if (parked.call->Wanted()) workers_.Touch(parked.request.worker_id(), /*works=*/true);
  }
  workers_.Prune();
  RETURN_IF_ERROR(ExpireLeases());
  RETURN_IF_ERROR(jobs_.Tick());
  return ServeParked();
}

std::optional<TimePoint> Coordinator::NextDeadline() const {
  std::optional<TimePoint> next = ledger_.NextDeadline();
  auto take = [&next](std::optional<TimePoint> at) {
    if (at && (!next || *at < *next)) next = at;
  };
  take(jobs_.NextDeadline());
  for (const Parked& parked : parked_) take(parked.until);
  return next;
}

void Coordinator::FinishBatch(const absl::Status& commit) {
  std::vector<Answer> answers = std::exchange(answers_, {});
  if (commit.ok()) {
    jobs_.PublishEvents();
    for (Answer& answer : answers) answer.call->Answer(answer.status, std::move(answer.response));
    return;
  }
  // What the answers say did not happen; callers that still wait have to ask again, too.
  for (Parked& parked : std::exchange(parked_, {})) answers.push_back({std::move(parked.call), commit, {}});
  for (Answer& answer : answers) answer.call->Answer(commit, {});
}

}  // namespace mmtune
