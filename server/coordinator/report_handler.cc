// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/report_handler.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/types/validate.h"
#include "proto/wire/convert.h"
#include "server/coordinator/status_marks.h"
#include "server/coordinator/work_requests.h"

namespace mmtune {
namespace {

/// Makes the result one that never ranks.
void MarkSuspect(TuningRecord& record, std::string_view why) {
  if (record.measurement.outcome != Outcome::kOk) return;
  record.measurement.outcome = Outcome::kSuspect;
  record.measurement.message = why;
}

/// Makes the result of a quarantined worker one that counts for nothing.
void MarkQuarantined(TuningRecord& record) {
  if (record.measurement.outcome == Outcome::kOk) record.measurement.outcome = Outcome::kSuspect;
  record.measurement.message = LogText(absl::StrCat("its worker is in quarantine; ", record.measurement.message));
}

}  // namespace

absl::StatusOr<v1::ReportStatus> ReportHandler::Handle(const std::string& worker_id,
                                                       const v1::CandidateReport& report) {
  v1::ReportStatus status;
  status.set_token(report.token());
  const LiveLease* live = state_.leases.FindLease(report.token());
  absl::Status handled;
  if (live == nullptr || live->worker != worker_id) {
    handled = HandleLate(worker_id, report, status);
  } else if (const LiveLease lease = *live; report.has_measurement()) {
    handled = HandleResult(lease, report, status);
  } else if (report.has_released()) {
    handled = state_.leases.Release(lease.token);
  } else {
    handled = HandleFailure(lease, report.has_infrastructure_error() ? std::string_view(report.infrastructure_error())
                                                                     : "the report held no result");
  }
  RETURN_IF_ERROR(handled);
  return status;
}

absl::Status ReportHandler::HandleResult(const LiveLease& lease, const v1::CandidateReport& report,
                                         v1::ReportStatus& status) {
  const TuningJob& job = *state_.jobs.FindJob(lease.job_id);
  ReportedResult result{MakeRecord(report, Describe(*state_.leases.Find(lease.candidate_id), job), lease.worker,
                                   lease.device_uuid, lease.attempt),
                        state_.workers.TrustDomainOf(lease.worker)};
  Validation validation = ValidateResult(lease, result, job);
  switch (validation.decision) {
    case ResultDecision::kReject:  // the worker's failure: repeating the call would not make the report better
      return HandleFailure(lease, validation.reason);
    case ResultDecision::kRequeue:
      return MeasureElsewhere(lease, *std::move(result.record), std::move(validation));
    case ResultDecision::kSuspect:
      result.record->measurement.outcome = Outcome::kSuspect;
      result.record->measurement.message = validation.reason;
      [[fallthrough]];
    case ResultDecision::kAccept:
      return Complete(lease, *std::move(result.record), validation.observations, status);
  }
  return absl::OkStatus();
}

Validation ReportHandler::ValidateResult(const LiveLease& lease, const ReportedResult& report,
                                         const TuningJob& job) const {
  ResultRules rules;
  rules.may_skip = job.MaySkip();
  if (job.target()) {
    rules.class_key = job.target()->class_key;
    rules.device_name = job.target()->device.name;
  }
  if (report.record.ok() && MayBeImplausiblyFast(*report.record)) {
    rules.others_best_ns = job.BestOf([&](const std::string& worker) {
      return worker != lease.worker && !SameTrustDomain(state_.workers.TrustDomainOf(worker), report.trust_domain);
    });
  }
  const auto another_serves = [&](const std::vector<std::string>& trust_domains) {
    return state_.jobs.OthersServe(lease.job_id, trust_domains);
  };
  return Validate(report, rules,
                  {state_.leases.Disputed(lease.token), state_.workers.IsQuarantined(lease.worker), another_serves});
}

absl::Status ReportHandler::MeasureElsewhere(const LiveLease& lease, TuningRecord record, Validation validation) {
  const bool counts = !validation.observations.empty();
  counts ? MarkSuspect(record, validation.reason) : MarkQuarantined(record);
  record.canonical = false;
  const absl::StatusOr<InsertedRecord> inserted = state_.log.InsertRecord(lease.token, record);
  if (absl::IsInvalidArgument(inserted.status())) return HandleFailure(lease, ToStd(inserted.status().message()));
  RETURN_IF_ERROR(inserted.status());
  if (!counts) return state_.leases.Requeue(lease.token);
  Log(LogLevel::kWarning, "measured again elsewhere", SubjectOf(state_.jobs.FindJob(lease.job_id), lease.candidate_id),
      {{"worker", lease.worker}, {"why", validation.reason}});
  return state_.leases.Dispute(lease.token, std::move(validation.observations.back()));
}

absl::Status ReportHandler::Complete(const LiveLease& lease, TuningRecord record,
                                     const std::vector<WorkerObservation>& observations, v1::ReportStatus& status) {
  const absl::StatusOr<InsertedRecord> inserted = state_.log.InsertRecord(lease.token, record);
  if (absl::IsInvalidArgument(inserted.status())) return HandleFailure(lease, ToStd(inserted.status().message()));
  RETURN_IF_ERROR(inserted.status());
  if (inserted->duplicate) {  // its late report was stored before
    status.set_duplicate(true);
    return state_.leases.Requeue(lease.token);
  }
  const PendingCandidate candidate = *state_.leases.Find(lease.candidate_id);
  RETURN_IF_ERROR(state_.leases.Complete(lease.token));
  RETURN_IF_ERROR(MarkFaults(observations, record));
  if (RegisteredWorker* touched = state_.workers.Touch(lease.worker)) ++touched->measured;
  status.set_canonical(inserted->canonical);
  record.id = inserted->id;
  record.canonical = inserted->canonical;
  Log(LogLevel::kInfo, "candidate measured",
      SubjectOf(state_.jobs.FindJob(lease.job_id), lease.candidate_id, lease.token),
      {{"worker", lease.worker}, {"outcome", OutcomeName(record.measurement.outcome)}});
  return scheduler_.OnMeasured(candidate, std::make_shared<const TuningRecord>(std::move(record)));
}

absl::Status ReportHandler::MarkFaults(const std::vector<WorkerObservation>& observations, const TuningRecord& record) {
  if (!state_.options.quarantine) return absl::OkStatus();
  for (const WorkerObservation& faulty : observations) {
    size_t reporters = 0;
    for (const WorkerObservation& reporter : ContradictionsOf(faulty, observations)) {
      const int64_t when = std::min(reporter.unix_millis, state_.clock.UnixMillis());
      // The bound of its device contradicts an impossible time, too.
      reporters = state_.workers.MarkFaulty(faulty.worker, {reporter.worker, reporter.trust_domain},
                                            TimeOf(when, state_.clock)) +
                  (faulty.impossible ? 1 : 0);
      LogInfo("worker_contradicted",
              {{"worker", faulty.worker}, {"by", reporter.worker}, {"trust_domain", reporter.trust_domain}});
      RETURN_IF_ERROR(state_.log.AddWorkerNote({WorkerNoteKind::kContradicted, faulty.worker,
                                                FaultReporterText({reporter.worker, reporter.trust_domain}), when}));
    }
    if (reporters < kReportersToQuarantine) continue;
    RETURN_IF_ERROR(Quarantine(faulty.worker, WorkerFaultText(faulty, observations, record)));
  }
  return absl::OkStatus();
}

absl::Status ReportHandler::Quarantine(const std::string& worker, const std::string& why) {
  state_.workers.Quarantine(worker, why);
  LogWarning("worker_quarantined", {{"worker", worker}, {"why", why}, {"to_lift", "tune workers uncordon"}});
  return state_.log.AddWorkerNote({WorkerNoteKind::kQuarantined, worker, why, state_.clock.UnixMillis()});
}

absl::Status ReportHandler::HandleFailure(const LiveLease& lease, std::string_view why) {
  const std::string detail = LogText(why);
  Log(LogLevel::kWarning, "worker failed",
      SubjectOf(state_.jobs.FindJob(lease.job_id), lease.candidate_id, lease.token),
      {{"worker", lease.worker}, {"why", detail}});
  const PendingCandidate candidate = *state_.leases.Find(lease.candidate_id);
  ASSIGN_OR_RETURN(const LeaseOutcome outcome, state_.leases.Fail(lease.token, detail));
  if (outcome == LeaseOutcome::kRequeued) return absl::OkStatus();
  return scheduler_.OnGivenUp(candidate, absl::StrCat("worker ", lease.worker, " failed: ", detail));
}

absl::Status ReportHandler::HandleLate(const std::string& worker_id, const v1::CandidateReport& report,
                                       v1::ReportStatus& status) {
  ASSIGN_OR_RETURN(std::optional<AttemptRow> attempt, FromStorage(state_.log.reader().FindAttempt(report.token())));
  if (!attempt || attempt->worker != worker_id) {
    status.set_unknown(true);
    return absl::OkStatus();
  }
  if (!report.has_measurement()) return absl::OkStatus();
  absl::StatusOr<ReportedCandidate> candidate = Locate(attempt->candidate_id);
  if (IsStorageFailure(candidate.status())) return candidate.status();
  if (!candidate.ok()) {  // acknowledged: a repeated report would not find it either
    LogWarning("late report dropped",
               {{"lease", report.token().substr(0, kLeaseDigits)}, {"why", candidate.status().message()}});
    return absl::OkStatus();
  }
  absl::StatusOr<TuningRecord> record =
      MakeRecord(report, *candidate, worker_id, attempt->device_uuid, attempt->number);
  if (!record.ok()) return absl::OkStatus();  // acknowledged, or it would be sent again for ever
  if (state_.workers.IsQuarantined(worker_id)) {
    MarkQuarantined(*record);
  } else if (IsStillAwaited(*attempt, *record)) {
    ASSIGN_OR_RETURN(const LiveLease lease, state_.leases.Reopen(*attempt));
    return HandleResult(lease, report, status);
  }
  record->canonical = false;
  absl::StatusOr<InsertedRecord> inserted = state_.log.InsertRecord(report.token(), *record);
  if (absl::IsInvalidArgument(inserted.status())) return absl::OkStatus();
  RETURN_IF_ERROR(inserted.status());
  status.set_canonical(inserted->canonical);
  status.set_duplicate(inserted->duplicate);
  return absl::OkStatus();
}

bool ReportHandler::IsStillAwaited(const AttemptRow& attempt, const TuningRecord& record) const {
  const PendingCandidate* held = state_.leases.Find(attempt.candidate_id);
  if (held == nullptr || attempt.state != AttemptState::kExpired) return false;
  if (record.measurement.outcome != Outcome::kOk) return false;  // being stopped may be the reason
  const std::optional<JobTarget>& target = state_.jobs.FindJob(held->job_id)->target();
  return !target || target->class_key == record.device.ClassKey();
}

absl::StatusOr<TuningRecord> ReportHandler::MakeRecord(const v1::CandidateReport& report,
                                                       const ReportedCandidate& candidate, const std::string& worker_id,
                                                       const std::string& device_uuid, int64_t attempt) const {
  TuningRecord record;
  ASSIGN_OR_RETURN(record.measurement, FromWire(report.measurement()));
  CleanTexts(record.measurement);
  const RegisteredWorker* worker = state_.workers.Find(worker_id);
  const RegisteredDevice* registered = worker ? WorkerRegistry::FindDevice(*worker, device_uuid) : nullptr;
  if (report.has_device()) {
    ASSIGN_OR_RETURN(record.device, FromWire(report.device()));
    RETURN_IF_ERROR(WithContext(CheckDevice(record.device), "device"));
    if (record.device.uuid != device_uuid) {
      return InvalidArgument(
          absl::StrCat("measured on device '", record.device.uuid, "', leased for '", device_uuid, "'"));
    }
    ASSIGN_OR_RETURN(record.toolchain, FromWire(report.toolchain()));
    RETURN_IF_ERROR(CheckToolchain(record.toolchain));
  } else if (registered != nullptr) {
    record.device = registered->info;
    record.toolchain = registered->toolchain;
  } else {
    return InvalidArgument("the report names no device and its worker is not registered");
  }
  ASSIGN_OR_RETURN(record.device, TargetFor(record.device, candidate.arch));
  record.uuid = state_.new_token();
  record.job_uuid = candidate.job_uuid;
  record.problem = candidate.problem;
  record.schedule = candidate.schedule;
  record.worker = worker_id;
  record.attempt = attempt;
  record.canonical = true;
  record.unix_millis = state_.clock.UnixMillis();
  RETURN_IF_ERROR(ValidateOrMarkSuspect(&record));
  record.measurement.message = LogText(record.measurement.message);
  return record;
}

ReportHandler::ReportedCandidate ReportHandler::Describe(const PendingCandidate& candidate, const TuningJob& job) {
  return {job.uuid(), job.spec().problem, candidate.schedule, job.spec().device.arch};
}

absl::StatusOr<ReportHandler::ReportedCandidate> ReportHandler::Locate(int64_t candidate_id) {
  if (const PendingCandidate* held = state_.leases.Find(candidate_id))
    return Describe(*held, *state_.jobs.FindJob(held->job_id));
  ASSIGN_OR_RETURN(std::optional<CandidateRow> candidate, FromStorage(state_.log.reader().FindCandidate(candidate_id)));
  if (candidate) {
    if (const TuningJob* job = state_.jobs.FindJob(candidate->job_id)) {
      return ReportedCandidate{job->uuid(), job->spec().problem, std::move(candidate->schedule),
                               job->spec().device.arch};
    }
    ASSIGN_OR_RETURN(const std::optional<JobRow> job, FromStorage(state_.log.reader().FindJobById(candidate->job_id)));
    if (job) {
      v1::JobSpec spec;
      spec.ParseFromString(job->spec);
      return ReportedCandidate{job->uuid, job->problem, std::move(candidate->schedule), spec.device().arch()};
    }
  }
  return NotFound(absl::StrCat("no candidate ", candidate_id));
}

}  // namespace mmtune
