// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/record_maker.h"

#include "proto/base/status.h"
#include "proto/types/device_check.h"
#include "proto/types/field_text.h"
#include "proto/types/validate.h"
#include "proto/wire/convert.h"
#include "server/work_requests.h"

namespace mmtune {
namespace {

void Clean(std::string& text) { text = LogText(text); }

}  // namespace

absl::StatusOr<TuningRecord> RecordMaker::Make(const v1::CandidateReport& report, const CandidatePlace& place,
                                               const std::string& worker_id, const std::string& device_uuid,
                                               int64_t attempt) const {
  TuningRecord record;
  ASSIGN_OR_RETURN(record.measurement, FromWire(report.measurement()));
  ForEachText(record.measurement, Clean);
  const RegisteredWorker* worker = workers_.Find(worker_id);
  const RegisteredDevice* registered = worker ? WorkerRegistry::FindDevice(*worker, device_uuid) : nullptr;
  if (report.has_device()) {
    ASSIGN_OR_RETURN(record.device, FromWire(report.device()));
    RETURN_IF_ERROR(WithContext(CheckDevice(record.device), "device"));
    ASSIGN_OR_RETURN(record.toolchain, FromWire(report.toolchain()));
    ForEachText(record.toolchain, Clean);
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
  Clean(record.measurement.message);
  return record;
}

}  // namespace mmtune
