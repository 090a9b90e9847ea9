// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/report_taker.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/types/validate.h"
#include "proto/wire/convert.h"
#include "server/coordinator/result_trust.h"
#include "server/coordinator/storage_status.h"
#include "server/coordinator/work_requests.h"

namespace mmtune {
namespace {

CandidatePlace PlaceOf(const HeldCandidate& candidate, const TuningJob& job) {
  return {job.uuid(), job.spec().problem, candidate.schedule, job.spec().device.arch};
}

/// What a worker in quarantine measured counts for nothing.
void Discount(TuningRecord& record) {
  if (record.measurement.outcome == Outcome::kOk) record.measurement.outcome = Outcome::kSuspect;
  record.measurement.message = LogText(absl::StrCat("its worker is in quarantine; ", record.measurement.message));
}

}  // namespace

absl::StatusOr<v1::ReportStatus> ReportTaker::Take(const std::string& worker_id, const v1::CandidateReport& report) {
  v1::ReportStatus status;
  status.set_token(report.token());
  const LiveLease* live = deps_.ledger.FindLease(report.token());
  if (live == nullptr || live->worker != worker_id) {
    RETURN_IF_ERROR(TakeLate(worker_id, report, status));
    return status;
  }
  const LiveLease lease = *live;
  switch (report.result_case()) {
    case v1::CandidateReport::kMeasurement:
      RETURN_IF_ERROR(TakeResult(lease, report, status));
      break;
    case v1::CandidateReport::kReleased:
      RETURN_IF_ERROR(deps_.ledger.Release(lease.token));
      break;
    case v1::CandidateReport::kInfrastructureError:
      RETURN_IF_ERROR(TakeFailure(lease, report.infrastructure_error()));
      break;
    case v1::CandidateReport::RESULT_NOT_SET:
      RETURN_IF_ERROR(TakeFailure(lease, "the report held no result"));
      break;
  }
  return status;
}

absl::Status ReportTaker::TakeResult(const LiveLease& lease, const v1::CandidateReport& report,
                                     v1::ReportStatus& status) {
  const HeldCandidate candidate = *deps_.ledger.Find(lease.candidate_id);
  const TuningJob& job = *deps_.jobs.Find(lease.job_id);
  absl::StatusOr<TuningRecord> record =
      MakeRecord(report, PlaceOf(candidate, job), lease.worker, lease.device_uuid, lease.attempt);
  // Nonsense is the worker's failure, never a result; retrying the call would not make it better.
  if (!record.ok()) return TakeFailure(lease, ToStd(record.status().message()));
  if (job.target() && record->device.ClassKey() != job.target()->class_key) {
    return TakeFailure(lease,
                       absl::StrCat("measured on ", record->device.name, ", not on ", job.target()->device.name));
  }
  if (deps_.workers.IsQuarantined(lease.worker)) return TakeDiscounted(lease, *std::move(record));
  Measurement& measurement = record->measurement;
  if (measurement.outcome == Outcome::kSkipped) {
    if (!job.MaySkip() || !deps_.ledger.Claims(lease.token).empty()) {
      return TakeFailure(lease, "it was skipped, and was to be timed");
    }
    if (!(measurement.timing.low_ns > 0)) return TakeFailure(lease, "what it takes at least is not a positive time");
  }
  Claim claim = ClaimOf(*record, deps_.workers.PartyOf(lease.worker));
  std::vector<Claim> claims = ClaimsOn(claim.class_key, deps_.ledger.Claims(lease.token));
  std::string doubt = claim.impossible ? measurement.message : DoubtOf(*record, claim, job);
  std::vector<std::string> asked = {claim.party};
  for (const Claim& earlier : claims) asked.push_back(earlier.party);
  const Belief belief =
      Weigh(claims, claim, !doubt.empty(), [&] { return deps_.jobs.OthersServe(lease.job_id, asked); });
  if (belief != Belief::kBelieved && doubt.empty()) doubt = "no other worker confirms what it found for this schedule";
  if (belief == Belief::kAskAnother) return TakeUnbelieved(lease, *std::move(record), std::move(claim), doubt);
  if (belief == Belief::kSuspect) {
    measurement.outcome = Outcome::kSuspect;
    measurement.message = doubt;
  }
  absl::StatusOr<InsertedRecord> inserted = deps_.log.InsertRecord(lease.token, *record);
  if (absl::IsInvalidArgument(inserted.status())) return TakeFailure(lease, ToStd(inserted.status().message()));
  if (!inserted.ok()) return FromStorage(inserted.status());
  if (inserted->duplicate) {  // it came late, counted for nothing, and came again
    status.set_duplicate(true);
    return deps_.ledger.Discount(lease.token);
  }
  RETURN_IF_ERROR(deps_.ledger.Finish(lease.token));
  claims.push_back(std::move(claim));
  RETURN_IF_ERROR(Judge(claims, *record));
  if (RegisteredWorker* touched = deps_.workers.Touch(lease.worker)) ++touched->measured;
  status.set_canonical(inserted->canonical);
  record->id = inserted->id;
  record->canonical = inserted->canonical;
  Log(LogLevel::kInfo, "candidate measured", SubjectOf(&job, lease.candidate_id, lease.token),
      {{"worker", lease.worker}, {"outcome", OutcomeName(record->measurement.outcome)}});
  return deps_.jobs.OnMeasured(candidate, std::make_shared<const TuningRecord>(*std::move(record)));
}

std::string ReportTaker::DoubtOf(const TuningRecord& record, const Claim& claim, const TuningJob& job) const {
  if (!MayBeTooGood(record)) return "";
  return TooGood(record, job.BestOf([&](const std::string& worker) {
    return worker != claim.worker && !SameParty(deps_.workers.PartyOf(worker), claim.party);
  }));
}

absl::Status ReportTaker::TakeUnbelieved(const LiveLease& lease, TuningRecord record, Claim claim,
                                         std::string_view why) {
  if (record.measurement.outcome == Outcome::kOk) {
    record.measurement.outcome = Outcome::kSuspect;
    record.measurement.message = why;
  }
  return KeepAside(lease, std::move(record), [&] {
    Log(LogLevel::kWarning, "measured again elsewhere", SubjectOf(deps_.jobs.Find(lease.job_id), lease.candidate_id),
        {{"worker", lease.worker}, {"why", std::string(why)}});
    return deps_.ledger.Doubt(lease.token, std::move(claim));
  });
}

absl::Status ReportTaker::TakeDiscounted(const LiveLease& lease, TuningRecord record) {
  Discount(record);
  return KeepAside(lease, std::move(record), [&] { return deps_.ledger.Discount(lease.token); });
}

absl::Status ReportTaker::KeepAside(const LiveLease& lease, TuningRecord record,
                                    absl::FunctionRef<absl::Status()> close) {
  record.canonical = false;
  const absl::StatusOr<InsertedRecord> inserted = deps_.log.InsertRecord(lease.token, record);
  if (absl::IsInvalidArgument(inserted.status())) return TakeFailure(lease, ToStd(inserted.status().message()));
  if (!inserted.ok()) return FromStorage(inserted.status());
  return close();
}

absl::Status ReportTaker::Judge(const std::vector<Claim>& all, const TuningRecord& record) {
  if (!deps_.quarantine) return absl::OkStatus();
  for (const Claim& claim : all) {
    size_t witnesses = 0;
    for (const Claim& accuser : AccusersOf(claim, all)) {
      const int64_t when = std::min(accuser.unix_millis, deps_.clock.UnixMillis());
      // The bound of its device speaks against an impossible claim, too.
      witnesses = deps_.workers.Accuse(claim.worker, accuser.worker, accuser.party, TimeOf(when, deps_.clock)) +
                  (claim.impossible ? 1 : 0);
      LogInfo("worker_accused", {{"worker", claim.worker}, {"by", accuser.worker}, {"party", accuser.party}});
      RETURN_IF_ERROR(
          Note({WorkerNoteKind::kAccused, claim.worker, WitnessText({accuser.worker, accuser.party}), when}));
    }
    if (witnesses >= kWitnesses) RETURN_IF_ERROR(Quarantine(claim.worker, AccusationText(claim, all, record)));
  }
  return absl::OkStatus();
}

absl::Status ReportTaker::Quarantine(const std::string& worker, const std::string& why) {
  deps_.workers.Quarantine(worker, why);
  LogWarning("worker_quarantined", {{"worker", worker}, {"why", why}, {"to_lift", "tune workers uncordon"}});
  return Note({WorkerNoteKind::kQuarantined, worker, why, deps_.clock.UnixMillis()});
}

absl::Status ReportTaker::Note(const WorkerNote& note) { return FromStorage(deps_.log.AddWorkerNote(note)); }

absl::Status ReportTaker::TakeFailure(const LiveLease& lease, std::string_view why) {
  const std::string detail = LogText(why);
  Log(LogLevel::kWarning, "worker failed", SubjectOf(deps_.jobs.Find(lease.job_id), lease.candidate_id, lease.token),
      {{"worker", lease.worker}, {"why", detail}});
  const HeldCandidate candidate = *deps_.ledger.Find(lease.candidate_id);
  ASSIGN_OR_RETURN(const LeaseVerdict verdict, deps_.ledger.Fail(lease.token, detail));
  if (verdict == LeaseVerdict::kRequeued) return absl::OkStatus();
  return deps_.jobs.OnGivenUp(candidate, absl::StrCat("worker ", lease.worker, " failed: ", detail));
}

absl::Status ReportTaker::TakeLate(const std::string& worker_id, const v1::CandidateReport& report,
                                   v1::ReportStatus& status) {
  ASSIGN_OR_RETURN(std::optional<AttemptRow> attempt, FromStorage(deps_.log.FindAttempt(report.token())));
  if (!attempt || attempt->worker != worker_id) {
    status.set_unknown(true);
    return absl::OkStatus();
  }
  if (!report.has_measurement()) return absl::OkStatus();
  absl::StatusOr<CandidatePlace> place = Locate(attempt->candidate_id);
  if (IsStorageFailure(place.status())) return place.status();
  if (!place.ok()) {  // Its row cannot be read. Acknowledged, because a repeated report would not find it either.
    LogWarning("late report dropped",
               {{"lease", report.token().substr(0, kLeaseDigits)}, {"why", place.status().message()}});
    return absl::OkStatus();
  }
  absl::StatusOr<TuningRecord> record = MakeRecord(report, *place, worker_id, attempt->device_uuid, attempt->number);
  if (!record.ok()) return absl::OkStatus();  // Late and senseless: acknowledged, or it would be sent again for ever.
  if (deps_.workers.IsQuarantined(worker_id)) {
    Discount(*record);
  } else if (IsStillAwaited(*attempt, *record)) {
    ASSIGN_OR_RETURN(const LiveLease lease, deps_.ledger.Reopen(*attempt));
    return TakeResult(lease, report, status);
  }
  record->canonical = false;
  absl::StatusOr<InsertedRecord> inserted = deps_.log.InsertRecord(report.token(), *record);
  if (absl::IsInvalidArgument(inserted.status())) return absl::OkStatus();
  if (!inserted.ok()) return FromStorage(inserted.status());
  status.set_canonical(inserted->canonical);
  status.set_duplicate(inserted->duplicate);
  return absl::OkStatus();
}

bool ReportTaker::IsStillAwaited(const AttemptRow& attempt, const TuningRecord& record) const {
  const HeldCandidate* held = deps_.ledger.Find(attempt.candidate_id);
  if (held == nullptr || attempt.state != AttemptState::kExpired) return false;
  if (record.measurement.outcome != Outcome::kOk) return false;  // being stopped may be the reason
  const std::optional<JobTarget>& target = deps_.jobs.Find(held->job_id)->target();
  return !target || target->class_key == record.device.ClassKey();
}

absl::StatusOr<TuningRecord> ReportTaker::MakeRecord(const v1::CandidateReport& report, const CandidatePlace& place,
                                                     const std::string& worker_id, const std::string& device_uuid,
                                                     int64_t attempt) const {
  TuningRecord record;
  ASSIGN_OR_RETURN(record.measurement, FromWire(report.measurement()));
  CleanTexts(record.measurement);
  const RegisteredWorker* worker = deps_.workers.Find(worker_id);
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
  ASSIGN_OR_RETURN(record.device, TargetFor(record.device, place.arch));
  record.uuid = deps_.new_token();
  record.job_uuid = place.job_uuid;
  record.problem = place.problem;
  record.schedule = place.schedule;
  record.worker = worker_id;
  record.attempt = attempt;
  record.canonical = true;
  record.unix_millis = deps_.clock.UnixMillis();
  RETURN_IF_ERROR(ValidateOrMarkSuspect(&record));
  record.measurement.message = LogText(record.measurement.message);
  return record;
}

absl::StatusOr<CandidatePlace> ReportTaker::Locate(int64_t candidate_id) {
  if (const HeldCandidate* held = deps_.ledger.Find(candidate_id))
    return PlaceOf(*held, *deps_.jobs.Find(held->job_id));
  ASSIGN_OR_RETURN(std::optional<CandidateRow> candidate, FromStorage(deps_.log.FindCandidate(candidate_id)));
  if (candidate) {
    if (const TuningJob* job = deps_.jobs.Find(candidate->job_id)) {
      return CandidatePlace{job->uuid(), job->spec().problem, std::move(candidate->schedule), job->spec().device.arch};
    }
    ASSIGN_OR_RETURN(const std::optional<JobRow> job, FromStorage(deps_.log.FindJobById(candidate->job_id)));
    if (job) {
      v1::JobSpec spec;
      spec.ParseFromString(job->spec);
      return CandidatePlace{job->uuid, job->problem, std::move(candidate->schedule), spec.device().arch()};
    }
  }
  return NotFound(absl::StrCat("no candidate ", candidate_id));
}

}  // namespace mmtune
