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

/// What a record that counts has to be, but for the speed. A suspect one counts for nothing, and may be so for this.
absl::Status CheckConsistency(const TuningRecord& record) {
  const Measurement& measurement = record.measurement;
  if (measurement.outcome == Outcome::kSuspect) return absl::OkStatus();
  if (measurement.outcome == Outcome::kOk) RETURN_IF_ERROR(WithContext(CheckDevice(record.device), "device"));
  RETURN_IF_ERROR(measurement.CheckConsistency());
  if (measurement.conditions.comparison && measurement.conditions.comparison->rival == record.schedule) {
    return InvalidArgument("conditions.comparison.rival is the schedule itself");
  }
  return absl::OkStatus();
}

/// Every time that says how fast the device was.
absl::Status CheckSpeed(const TuningRecord& record) {
  if (!record.measurement.Timed()) return absl::OkStatus();
  const double most = MostGflops(record.device, record.problem.dtype, record.problem.math);
  const auto check = [&](std::string_view field, double ns) {
    const double gflops = record.problem.Flops() / ns;
    if (gflops <= most) return absl::OkStatus();
    return InvalidArgument(absl::StrCat(ToAbsl(field), " makes ", gflops, " GFLOPS; ",
                                        record.device.name.empty() ? "its device" : record.device.name,
                                        " does at most ", most));
  };
  RETURN_IF_ERROR(check("timing.median_ns", record.measurement.timing.median_ns));
  const Conditions& conditions = record.measurement.conditions;
  if (!conditions.baseline.name.empty()) {
    RETURN_IF_ERROR(check("conditions.baseline.median_ns", conditions.baseline.median_ns));
  }
  if (!conditions.comparison) return absl::OkStatus();
  for (double ns : conditions.comparison->medians_ns) RETURN_IF_ERROR(check("conditions.comparison.medians_ns", ns));
  for (double ns : conditions.comparison->rival_medians_ns) {
    RETURN_IF_ERROR(check("conditions.comparison.rival_medians_ns", ns));
  }
  return absl::OkStatus();
}

void Suspect(Measurement& measurement, const absl::Status& why) {
  measurement.outcome = Outcome::kSuspect;
  measurement.message = ToStd(why.message());
}

}  // namespace

absl::Status Validate(const TuningRecord& record) {
  RETURN_IF_ERROR(CheckForm(record));
  RETURN_IF_ERROR(CheckConsistency(record));
  return CheckSpeed(record);
}

absl::Status Admit(TuningRecord* record) {
  RETURN_IF_ERROR(CheckForm(*record));
  RETURN_IF_ERROR(CheckConsistency(*record));
  if (absl::Status speed = CheckSpeed(*record); !speed.ok()) Suspect(record->measurement, speed);
  return absl::OkStatus();
}

void Distrust(TuningRecord* record) {
  if (record->measurement.outcome != Outcome::kOk) return;
  if (const absl::Status valid = Validate(*record); !valid.ok()) Suspect(record->measurement, valid);
}

}  // namespace mmtune
