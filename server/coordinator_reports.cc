// What workers report: results, failures, leases handed back, and what comes too late.
#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/types/device_check.h"
#include "proto/types/field_text.h"
#include "proto/types/validate.h"
#include "proto/wire/convert.h"
#include "server/coordinator.h"
#include "server/storage_status.h"
#include "server/work_requests.h"

namespace mmtune {

absl::StatusOr<v1::ReportResponse> Coordinator::Report(const v1::ReportRequest& request) {
  RETURN_IF_ERROR(ValidateReport(request));
  workers_.Touch(request.worker_id(), /*works=*/true);
  v1::ReportResponse response;
  for (const v1::CandidateReport& report : request.reports()) {
    ASSIGN_OR_RETURN(*response.add_statuses(), ReportOne(request.worker_id(), report));
  }
  return response;
}

absl::StatusOr<v1::FindMeasuredResponse> Coordinator::FindMeasured(const v1::FindMeasuredRequest& request) {
  RETURN_IF_ERROR(ValidateFindMeasured(request));
  workers_.Touch(request.worker_id());
  v1::FindMeasuredResponse response;
  ASSIGN_OR_RETURN(std::optional<TuningRecord> record, FromStorage(log_.FindMeasured(request.timing_key())));
  if (record) *response.mutable_measurement() = ToWire(record->measurement);
  return response;
}

absl::StatusOr<v1::ReportStatus> Coordinator::ReportOne(const std::string& worker_id,
                                                        const v1::CandidateReport& report) {
  v1::ReportStatus status;
  status.set_token(report.token());
  const LiveLease* live = leases_.Find(report.token());
  if (live == nullptr || live->worker != worker_id) {
    RETURN_IF_ERROR(ReportLate(worker_id, report, status));
    return status;
  }
  const LiveLease lease = *live;
  switch (report.result_case()) {
    case v1::CandidateReport::kMeasurement:
      RETURN_IF_ERROR(ReportResult(lease, report, status));
      break;
    case v1::CandidateReport::kReleased:
      leases_.Release(lease.token);
      RETURN_IF_ERROR(FromStorage(log_.EndAttempt(lease.token, AttemptState::kReleased, "handed back")));
      RETURN_IF_ERROR(FromStorage(log_.SetCandidateState(lease.candidate_id, CandidateState::kQueued)));
      break;
    case v1::CandidateReport::kInfrastructureError:
      RETURN_IF_ERROR(ReportFailure(lease, report.infrastructure_error()));
      break;
    case v1::CandidateReport::RESULT_NOT_SET:
      RETURN_IF_ERROR(ReportFailure(lease, "the report held no result"));
      break;
  }
  return status;
}

absl::Status Coordinator::ReportResult(const LiveLease& lease, const v1::CandidateReport& report,
                                       v1::ReportStatus& status) {
  absl::StatusOr<CandidatePlace> place = jobs_.Locate(lease.candidate_id);
  if (IsStorageFailure(place.status())) return place.status();
  if (!place.ok()) return ReportFailure(lease, ToStd(place.status().message()));
  absl::StatusOr<TuningRecord> record = MakeRecord(report, *place, lease.worker, lease.device_uuid, lease.attempt);
  // Nonsense is the worker's failure, never a result; retrying the call would not make it better.
  if (!record.ok()) return ReportFailure(lease, ToStd(record.status().message()));
  const JobTarget* target = jobs_.Target(lease.job_id);
  if (target != nullptr && record->device.ClassKey() != target->class_key) {
    return ReportFailure(lease, absl::StrCat("measured on ", record->device.name, ", not on ", target->device.name));
  }
  const bool again = record->measurement.outcome == Outcome::kSuspect && !leases_.Doubted(lease.token) &&
                     jobs_.OthersServe(lease.job_id, lease.worker);
  record->canonical = !again;
  absl::StatusOr<InsertedRecord> inserted = log_.InsertRecord(lease.token, *record);
  if (absl::IsInvalidArgument(inserted.status())) return ReportFailure(lease, ToStd(inserted.status().message()));
  if (!inserted.ok()) return FromStorage(inserted.status());
  RETURN_IF_ERROR(FromStorage(log_.EndAttempt(lease.token, AttemptState::kReported, "")));
  if (again) {
    LogWarning("measured again elsewhere",
               {{"candidate", lease.candidate_id}, {"worker", lease.worker}, {"why", record->measurement.message}});
    leases_.Doubt(lease.token);
    return FromStorage(log_.SetCandidateState(lease.candidate_id, CandidateState::kQueued));
  }
  RETURN_IF_ERROR(FromStorage(log_.SetCandidateState(lease.candidate_id, CandidateState::kDone)));
  leases_.Finish(lease.token);
  if (RegisteredWorker* worker = workers_.Touch(lease.worker)) ++worker->measured;
  status.set_canonical(inserted->canonical);
  status.set_duplicate(inserted->duplicate);
  record->id = inserted->id;
  record->canonical = inserted->canonical;
  LogInfo("candidate measured", {{"job", record->job_uuid},
                                 {"candidate", lease.candidate_id},
                                 {"lease", lease.token},
                                 {"outcome", OutcomeName(record->measurement.outcome)}});
  return jobs_.OnMeasured(lease, *record);
}

absl::Status Coordinator::ReportFailure(const LiveLease& lease, std::string_view why) {
  const std::string detail = LogText(why);
  LogWarning("worker failed",
             {{"candidate", lease.candidate_id}, {"lease", lease.token}, {"worker", lease.worker}, {"why", detail}});
  RETURN_IF_ERROR(FromStorage(log_.EndAttempt(lease.token, AttemptState::kFailed, detail)));
  if (leases_.Fail(lease.token) == LeaseVerdict::kRequeued) {
    return FromStorage(log_.SetCandidateState(lease.candidate_id, CandidateState::kQueued));
  }
  return jobs_.GiveUp(lease, absl::StrCat("worker ", lease.worker, " failed: ", detail));
}

absl::Status Coordinator::ReportLate(const std::string& worker_id, const v1::CandidateReport& report,
                                     v1::ReportStatus& status) {
  ASSIGN_OR_RETURN(std::optional<AttemptRow> attempt, FromStorage(log_.FindAttempt(report.token())));
  // A token counts only from the worker that leased it.
  if (!attempt || attempt->worker != worker_id) {
    status.set_unknown(true);
    return absl::OkStatus();
  }
  if (!report.has_measurement()) return absl::OkStatus();
  absl::StatusOr<CandidatePlace> place = jobs_.Locate(attempt->candidate_id);
  if (IsStorageFailure(place.status())) return place.status();
  if (!place.ok()) {  // its row cannot be read: acknowledged, for the next report would find no more
    LogWarning("late report dropped", {{"lease", report.token()}, {"why", place.status().message()}});
    return absl::OkStatus();
  }
  absl::StatusOr<TuningRecord> record = MakeRecord(report, *place, worker_id, attempt->device_uuid, attempt->number);
  if (!record.ok()) return absl::OkStatus();  // late and senseless: acknowledged, or it would come again for ever
  record->canonical = false;
  absl::StatusOr<InsertedRecord> inserted = log_.InsertRecord(report.token(), *record);
  if (absl::IsInvalidArgument(inserted.status())) return absl::OkStatus();
  if (!inserted.ok()) return FromStorage(inserted.status());
  status.set_canonical(inserted->canonical);
  status.set_duplicate(inserted->duplicate);
  return absl::OkStatus();
}

absl::StatusOr<TuningRecord> Coordinator::MakeRecord(const v1::CandidateReport& report, const CandidatePlace& place,
                                                     const std::string& worker_id, const std::string& device_uuid,
                                                     int64_t attempt) const {
  TuningRecord record;
  ASSIGN_OR_RETURN(record.measurement, FromWire(report.measurement()));
  ForEachText(record.measurement, [](std::string& text) { text = LogText(text); });
  const RegisteredWorker* worker = workers_.Find(worker_id);
  const RegisteredDevice* registered = worker ? WorkerRegistry::FindDevice(*worker, device_uuid) : nullptr;
  if (report.has_device()) {
    ASSIGN_OR_RETURN(record.device, FromWire(report.device()));
    RETURN_IF_ERROR(WithContext(CheckDevice(record.device), "device"));
    ASSIGN_OR_RETURN(record.toolchain, FromWire(report.toolchain()));
    ForEachText(record.toolchain, [](std::string& text) { text = LogText(text); });
  } else if (registered != nullptr) {
    record.device = registered->info;
    record.toolchain = registered->toolchain;
  } else {
    return InvalidArgument("the report names no device and its worker is not registered");
  }
  ASSIGN_OR_RETURN(record.device, StandInFor(record.device, place.arch));
  record.uuid = new_token_();
  record.job_uuid = place.job_uuid;
  record.problem = place.problem;
  record.schedule = place.schedule;
  record.worker = worker_id;
  record.attempt = attempt;
  record.canonical = true;
  record.unix_millis = clock_.UnixMillis();
  RETURN_IF_ERROR(Admit(&record));
  record.measurement.message = LogText(record.measurement.message);
  return record;
}

}  // namespace mmtune
