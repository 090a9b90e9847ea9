// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/validate.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/device_check.h"
#include "proto/types/peak_gflops.h"

namespace mmtune {
namespace {

constexpr size_t kMaxUuid = 64;
constexpr size_t kLongerThanAnyId = 20;

bool IsUuid(std::string_view text) {
  if (text.empty() || text.size() > kMaxUuid) return false;
  bool all_digits = true;
  for (char c : text) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_') return false;
    all_digits = all_digits && c >= '0' && c <= '9';
  }
  return !all_digits || text.size() >= kLongerThanAnyId;
}

absl::Status CheckForm(const TuningRecord& record) {
  if (!IsUuid(record.uuid))
    return InvalidArgument("uuid is not 1 to 64 letters, digits, '-' and '_', or looks like an id");
  RETURN_IF_ERROR(WithContext(record.problem.Validate(), "problem"));
  RETURN_IF_ERROR(WithContext(record.schedule.Validate(), "schedule"));
  RETURN_IF_ERROR(record.measurement.Validate());
  RETURN_IF_ERROR(CheckAtLeast("attempt", record.attempt, 1));
  return CheckAtLeast("unix_millis", record.unix_millis, 0);
}

/// What has to hold for ok, but for the speed.
absl::Status CheckOk(const TuningRecord& record) {
  const Measurement& measurement = record.measurement;
  if (measurement.outcome != Outcome::kOk) return absl::OkStatus();
  RETURN_IF_ERROR(WithContext(CheckDevice(record.device), "device"));
  const CheckReport& check = measurement.check;
  if (!check.performed) return InvalidArgument("check.performed is false; what was not checked is not ok");
  if (!check.passed) return InvalidArgument("check.passed is false; a wrong result is not ok");
  if (measurement.proof.performed && !measurement.proof.passed) {
    return InvalidArgument("proof.passed is false; what failed its proof is not ok");
  }
  const Timing& timing = measurement.timing;
  if (!(timing.median_ns > 0)) return InvalidArgument("timing.median_ns of an ok measurement is not a positive time");
  if (timing.low_ns <= timing.median_ns && timing.median_ns <= timing.high_ns) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("timing.median_ns is ", timing.median_ns, ", not inside its interval ",
                                      timing.low_ns, " to ", timing.high_ns));
}

absl::Status CheckSpeed(const TuningRecord& record) {
  const double most = MostGflops(record.device, record.problem.dtype, record.problem.math);
  if (record.Gflops() <= most) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("timing.median_ns makes ", record.Gflops(), " GFLOPS; ",
                                      record.device.name.empty() ? "its device" : record.device.name, " does at most ",
                                      most));
}

void Suspect(Measurement& measurement, const absl::Status& why) {
  measurement.outcome = Outcome::kSuspect;
  measurement.message = ToStd(why.message());
}

}  // namespace

absl::Status Validate(const TuningRecord& record) {
  RETURN_IF_ERROR(CheckForm(record));
  RETURN_IF_ERROR(CheckOk(record));
  return CheckSpeed(record);
}

absl::Status Admit(TuningRecord* record) {
  RETURN_IF_ERROR(CheckForm(*record));
  RETURN_IF_ERROR(CheckOk(*record));
  if (absl::Status speed = CheckSpeed(*record); !speed.ok()) Suspect(record->measurement, speed);
  return absl::OkStatus();
}

void Distrust(TuningRecord* record) {
  absl::Status ok = CheckOk(*record);
  if (ok.ok()) ok = CheckSpeed(*record);
  if (!ok.ok()) Suspect(record->measurement, ok);
}

}  // namespace mmtune
