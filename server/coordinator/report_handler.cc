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

namespace mmtune {
namespace {

/// Marks a result that is not believed, so that it never ranks. The message of a quarantined worker always says so.
void MarkSuspect(Measurement& measurement, const std::string& reason, bool quarantined) {
  if (measurement.outcome == Outcome::kOk) measurement.outcome = Outcome::kSuspect;
  if (measurement.outcome == Outcome::kSuspect || quarantined) measurement.message = LogText(reason);
}

}  // namespace

absl::StatusOr<v1::ReportStatus> ReportHandler::Handle(const std::string& worker_id,
                                                       const v1::CandidateReport& report) {
  v1::ReportStatus status;
  status.set_token(report.token());
  ASSIGN_OR_RETURN(Reported reported, Identify(worker_id, report));
  status.set_unknown(reported.attempt.token.empty());
  if (IsStillAwaited(reported)) {
    RETURN_IF_ERROR(state_.leases.Reopen(reported.attempt).status());
    reported.live = true;
  }
  Decision decision = Decide(report, reported);
  RETURN_IF_ERROR(Apply(std::move(decision), std::move(reported), status));
  return status;
}

absl::Status ReportHandler::CheckJobOwner(std::string_view token) {
  if (state_.leases.FindLease(token) != nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::optional<AttemptRow> attempt, FromStorage(state_.log.reader().FindAttempt(token)));
  if (!attempt) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::optional<CandidateRow> candidate,
                   FromStorage(state_.log.reader().FindCandidate(attempt->candidate_id)));
  return candidate ? scheduler_.CheckJobOwner(candidate->job_id) : absl::OkStatus();
}

absl::StatusOr<ReportHandler::Reported> ReportHandler::Identify(const std::string& worker_id,
                                                                const v1::CandidateReport& report) {
  Reported reported;
  std::optional<AttemptRow> attempt;
  if (const LiveLease* lease = state_.leases.FindLease(report.token());
      lease != nullptr && lease->worker == worker_id) {
    reported.live = true;
    attempt = AttemptRow{
        lease->token, lease->candidate_id, lease->attempt, lease->worker, lease->device_uuid, AttemptState::kLive, ""};
  } else {
    ASSIGN_OR_RETURN(attempt, FromStorage(state_.log.reader().FindAttempt(report.token())));
  }
  if (attempt && attempt->worker == worker_id) reported.attempt = *std::move(attempt);
  if (!reported.attempt.token.empty() && report.has_measurement()) {
    const absl::StatusOr<ReportedCandidate> candidate = FindCandidate(reported);
    if (IsStorageFailure(candidate.status())) return candidate.status();
    reported.record = candidate.ok() ? MakeRecord(report, *candidate, reported.attempt) : candidate.status();
  }
  return reported;
}

absl::StatusOr<ReportHandler::ReportedCandidate> ReportHandler::FindCandidate(const Reported& reported) {
  const int64_t id = reported.attempt.candidate_id;
  std::optional<CandidateRow> row;
  if (const PendingCandidate* held = state_.leases.Find(id)) {
    row = CandidateRow{id, held->job_id, held->schedule};
  } else {
    ASSIGN_OR_RETURN(row, FromStorage(state_.log.reader().FindCandidate(id)));
  }
  if (const TuningJob* job = row ? state_.jobs.FindJob(row->job_id) : nullptr) {
    return ReportedCandidate{job->uuid(), job->spec().problem, std::move(row->schedule), job->spec().device.arch};
  }
  std::optional<JobRow> job;
  if (row) {
    ASSIGN_OR_RETURN(job, FromStorage(state_.log.reader().FindJobById(row->job_id)));
  }
  v1::JobSpec spec;
  if (!job || !spec.ParseFromString(job->spec)) {
    return NotFound(absl::StrCat("the log does not have candidate ", id, " and its job"));
  }
  return ReportedCandidate{job->uuid, job->problem, std::move(row->schedule), spec.device().arch()};
}

absl::StatusOr<TuningRecord> ReportHandler::MakeRecord(const v1::CandidateReport& report,
                                                       const ReportedCandidate& candidate,
                                                       const AttemptRow& attempt) const {
  const RegisteredWorker* worker = state_.workers.Find(attempt.worker);
  const RegisteredDevice* registered = worker ? WorkerRegistry::FindDevice(*worker, attempt.device_uuid) : nullptr;
  absl::StatusOr<RegisteredDevice> device =
      InvalidArgument("the report has no device, and its worker is not registered with the device of the lease");
  if (report.has_device()) {
    device = ParseDevice(report.device(), report.toolchain());
  } else if (registered != nullptr) {
    device = *registered;
  }
  if (device.ok() && device->info.uuid != attempt.device_uuid) {
    device = InvalidArgument(absl::StrCat("the candidate was measured on device '", device->info.uuid,
                                          "', but its lease is for device '", attempt.device_uuid, "'"));
  }
  RETURN_IF_ERROR(WithContext(device.status(), "device"));
  TuningRecord record;
  ASSIGN_OR_RETURN(record.device, TargetFor(device->info, candidate.arch));
  ASSIGN_OR_RETURN(record.measurement, FromWire(report.measurement()));
  CleanTexts(record.measurement);
  record.toolchain = std::move(device->toolchain);
  record.uuid = state_.new_token();
  record.job_uuid = candidate.job_uuid;
  record.problem = candidate.problem;
  record.schedule = candidate.schedule;
  record.worker = attempt.worker;
  record.attempt = attempt.number;
  record.canonical = true;
  record.unix_millis = state_.clock.UnixMillis();
  RETURN_IF_ERROR(ValidateOrMarkSuspect(&record));
  record.measurement.message = LogText(record.measurement.message);
  return record;
}

bool ReportHandler::IsStillAwaited(const Reported& reported) const {
  const PendingCandidate* held = reported.live ? nullptr : state_.leases.Find(reported.attempt.candidate_id);
  const TuningJob* job = held == nullptr ? nullptr : state_.jobs.FindJob(held->job_id);
  // Another outcome than ok may be caused by the suspension of the worker.
  return job != nullptr && reported.attempt.state == AttemptState::kExpired && reported.record.ok() &&
         reported.record->measurement.outcome == Outcome::kOk &&
         !state_.workers.IsQuarantined(reported.attempt.worker) &&
         (!job->target() || job->target()->class_key == reported.record->device.ClassKey());
}

ReportHandler::Decision ReportHandler::Decide(const v1::CandidateReport& report, Reported& reported) const {
  Decision decision;
  if (!reported.live) {
    decision.action = reported.record.ok() ? Action::kStore : Action::kIgnore;
    if (!reported.record.ok() && report.has_measurement() && !reported.attempt.token.empty()) {
      LogWarning("late report dropped", {{"lease", report.token().substr(0, kLeaseDigits)},
                                         {"why", ToStd(reported.record.status().message())}});
    }
    if (reported.record.ok() && state_.workers.IsQuarantined(reported.attempt.worker)) {
      Measurement& measurement = reported.record->measurement;
      MarkSuspect(measurement, QuarantineReason(measurement), /*quarantined=*/true);
    }
  } else if (report.has_released()) {
    decision.action = Action::kRelease;
  } else if (!report.has_measurement()) {
    decision.action = Action::kFail;
    decision.reason = report.has_infrastructure_error() ? report.infrastructure_error() : "the report held no result";
  } else {
    Validation validation = ValidateResult(reported);
    const bool quarantined = validation.decision == ResultDecision::kRequeue && validation.observations.empty();
    switch (validation.decision) {
      case ResultDecision::kReject:
        decision.action = Action::kFail;
        break;
      case ResultDecision::kRequeue:
        decision.action = quarantined ? Action::kRequeue : Action::kDispute;
        MarkSuspect(reported.record->measurement, validation.reason, quarantined);
        break;
      case ResultDecision::kSuspect:
        MarkSuspect(reported.record->measurement, validation.reason, quarantined);
        [[fallthrough]];
      case ResultDecision::kAccept:
        decision.action = Action::kComplete;
        break;
    }
    decision.reason = std::move(validation.reason);
    decision.observations = std::move(validation.observations);
  }
  return decision;
}

Validation ReportHandler::ValidateResult(const Reported& reported) const {
  const LiveLease& lease = *state_.leases.FindLease(reported.attempt.token);
  const TuningJob& job = *state_.jobs.FindJob(lease.job_id);
  const ReportedResult result{reported.record, state_.workers.TrustDomainOf(lease.worker)};
  ResultRules rules;
  rules.may_skip = job.MaySkip();
  if (job.target()) {
    rules.class_key = job.target()->class_key;
    rules.device_name = job.target()->device.name;
  }
  if (result.record.ok() && MayBeImplausiblyFast(*result.record)) {
    rules.others_best_ns = job.BestOf([&](const std::string& worker) {
      return worker != lease.worker && !SameTrustDomain(state_.workers.TrustDomainOf(worker), result.trust_domain);
    });
  }
  const auto another_serves = [&](const std::vector<std::string>& trust_domains) {
    return state_.jobs.OthersServe(lease.job_id, trust_domains);
  };
  return Validate(result, rules,
                  {state_.leases.Disputed(lease.token), state_.workers.IsQuarantined(lease.worker), another_serves});
}

absl::Status ReportHandler::Apply(Decision decision, Reported reported, v1::ReportStatus& status) {
  const LiveLease lease = reported.live ? *state_.leases.FindLease(reported.attempt.token) : LiveLease();
  absl::Status applied = Store(reported, decision, status);
  if (applied.ok()) {
    switch (decision.action) {
      case Action::kIgnore:
      case Action::kStore:
        break;
      case Action::kRelease:
        applied = state_.leases.Release(lease.token);
        break;
      case Action::kFail:
        applied = Fail(lease, decision.reason);
        break;
      case Action::kRequeue:
        applied = state_.leases.Requeue(lease.token);
        break;
      case Action::kDispute:
        Log(LogLevel::kWarning, "measured again elsewhere",
            SubjectOf(state_.jobs.FindJob(lease.job_id), lease.candidate_id),
            {{"worker", lease.worker}, {"why", decision.reason}});
        applied = state_.leases.Dispute(lease.token, std::move(decision.observations.back()));
        break;
      case Action::kComplete:
        applied = Complete(lease, *std::move(reported.record), decision.observations);
        break;
    }
  }
  return applied;
}

absl::Status ReportHandler::Store(Reported& reported, Decision& decision, v1::ReportStatus& status) {
  if (decision.action == Action::kIgnore || decision.action == Action::kRelease || decision.action == Action::kFail) {
    return absl::OkStatus();
  }
  reported.record->canonical = decision.action == Action::kComplete;
  const absl::StatusOr<InsertedRecord> inserted = state_.log.InsertRecord(reported.attempt.token, *reported.record);
  if (inserted.ok()) {
    status.set_canonical(inserted->canonical);
    status.set_duplicate(inserted->duplicate);
    reported.record->id = inserted->id;
    reported.record->canonical = inserted->canonical;
    // An earlier late report of this lease was stored already.
    if (inserted->duplicate && decision.action == Action::kComplete) decision.action = Action::kRequeue;
  } else if (absl::IsInvalidArgument(inserted.status())) {
    decision = {reported.live ? Action::kFail : Action::kIgnore, std::string(inserted.status().message()), {}};
  }
  return absl::IsInvalidArgument(inserted.status()) ? absl::OkStatus() : inserted.status();
}

absl::Status ReportHandler::Complete(const LiveLease& lease, TuningRecord record,
                                     const std::vector<WorkerObservation>& observations) {
  const PendingCandidate candidate = *state_.leases.Find(lease.candidate_id);
  RETURN_IF_ERROR(state_.leases.Complete(lease.token));
  RETURN_IF_ERROR(MarkFaults(observations, record));
  if (RegisteredWorker* touched = state_.workers.Touch(lease.worker)) ++touched->measured;
  Log(LogLevel::kInfo, "candidate measured",
      SubjectOf(state_.jobs.FindJob(lease.job_id), lease.candidate_id, lease.token),
      {{"worker", lease.worker}, {"outcome", OutcomeName(record.measurement.outcome)}});
  return scheduler_.OnMeasured(candidate, std::make_shared<const TuningRecord>(std::move(record)));
}

absl::Status ReportHandler::Fail(const LiveLease& lease, std::string_view why) {
  const std::string detail = LogText(why);
  Log(LogLevel::kWarning, "worker failed",
      SubjectOf(state_.jobs.FindJob(lease.job_id), lease.candidate_id, lease.token),
      {{"worker", lease.worker}, {"why", detail}});
  const PendingCandidate candidate = *state_.leases.Find(lease.candidate_id);
  ASSIGN_OR_RETURN(const LeaseOutcome outcome, state_.leases.Fail(lease.token, detail));
  return outcome == LeaseOutcome::kRequeued
             ? absl::OkStatus()
             : scheduler_.OnGivenUp(candidate, absl::StrCat("worker ", lease.worker, " failed: ", detail));
}

absl::Status ReportHandler::MarkFaults(const std::vector<WorkerObservation>& observations, const TuningRecord& record) {
  if (!state_.options.quarantine) return absl::OkStatus();
  for (const WorkerObservation& faulty : observations) {
    size_t reporters = 0;
    for (const WorkerObservation& reporter : ContradictionsOf(faulty, observations)) {
      const int64_t when = std::min(reporter.unix_millis, state_.clock.UnixMillis());
      // The bounds of its device contradict an impossible time, too.
      reporters = state_.workers.MarkFaulty(faulty.worker, {reporter.worker, reporter.trust_domain},
                                            TimeOf(when, state_.clock)) +
                  (faulty.impossible ? 1 : 0);
      LogInfo("worker_contradicted",
              {{"worker", faulty.worker}, {"by", reporter.worker}, {"trust_domain", reporter.trust_domain}});
      RETURN_IF_ERROR(state_.log.AddWorkerNote({WorkerNoteKind::kContradicted, faulty.worker,
                                                FaultReporterText({reporter.worker, reporter.trust_domain}), when}));
    }
    if (reporters < kReportersToQuarantine) continue;
    const std::string why = WorkerFaultText(faulty, observations, record);
    state_.workers.Quarantine(faulty.worker, why);
    LogWarning("worker_quarantined", {{"worker", faulty.worker}, {"why", why}, {"to_lift", "tune workers uncordon"}});
    RETURN_IF_ERROR(
        state_.log.AddWorkerNote({WorkerNoteKind::kQuarantined, faulty.worker, why, state_.clock.UnixMillis()}));
  }
  return absl::OkStatus();
}

}  // namespace mmtune
