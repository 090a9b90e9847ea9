#include "server/record_maker.h"

#include "proto/base/status.h"
#include "proto/types/device_check.h"
#include "proto/types/validate.h"
#include "proto/wire/convert.h"
#include "server/work_requests.h"

namespace mmtune {

absl::StatusOr<TuningRecord> RecordMaker::Make(const v1::CandidateReport& report, const CandidatePlace& place,
                                               const std::string& worker_id, const std::string& device_uuid,
                                               int64_t attempt) const {
  TuningRecord record;
  ASSIGN_OR_RETURN(record.measurement, FromWire(report.measurement()));
  record.measurement.message = LogText(record.measurement.message);
  record.measurement.check.detail = LogText(record.measurement.check.detail);
  Conditions& conditions = record.measurement.conditions;
  for (std::string* text : {&record.measurement.timing_key, &conditions.run, &conditions.ended,
                            &conditions.health.source, &conditions.health.reason, &conditions.baseline.name}) {
    *text = LogText(*text);
  }
  conditions.health.finding = LogText(conditions.health.finding);
  conditions.baseline.reason = LogText(conditions.baseline.reason);
  for (FailedAttempt& failed : conditions.failed_attempts) failed.message = LogText(failed.message);
  record.measurement.proof.reason = LogText(record.measurement.proof.reason);
  record.measurement.proof.finding = LogText(record.measurement.proof.finding);
  record.measurement.proof.detail = LogText(record.measurement.proof.detail);
  const RegisteredWorker* worker = workers_.Find(worker_id);
  const RegisteredDevice* registered = worker ? WorkerRegistry::FindDevice(*worker, device_uuid) : nullptr;
  if (report.has_device()) {
    ASSIGN_OR_RETURN(record.device, FromWire(report.device()));
    RETURN_IF_ERROR(WithContext(CheckDevice(record.device), "device"));
    ASSIGN_OR_RETURN(record.toolchain, FromWire(report.toolchain()));
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
