// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/validate.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"

namespace mmtune {
namespace {

constexpr int64_t kGi = int64_t{1} << 30, kPi = int64_t{1} << 50;
constexpr size_t kLongestArch = 16;

struct Text {
  const char* field;
  const std::string& value;
  size_t least, most;
};

struct Number {
  const char* field;
  int64_t value, least, most;
};

}  // namespace

absl::Status CheckText(std::string_view field, std::string_view value, size_t least, size_t most) {
  if (value.size() < least || value.size() > most) {
    return InvalidArgument(
        absl::StrCat(ToAbsl(field), " must have ", least, " to ", most, " bytes, has ", value.size()));
  }
  if (IsPlainText(value)) return absl::OkStatus();
  return InvalidArgument(absl::StrCat(ToAbsl(field), " contains control or invisible characters; without them it is '",
                                      PlainText(value), "'"));
}

absl::Status CheckToolchain(const Toolchain& toolchain) {
  for (const Text& text :
       {Text{"toolchain.mmtune", toolchain.mmtune, 0, 128}, Text{"toolchain.mlir", toolchain.mlir, 0, 128},
        Text{"toolchain.assembler", toolchain.assembler, 0, 256},
        Text{"toolchain.families", toolchain.families, 0, 1000}}) {
    RETURN_IF_ERROR(CheckText(text.field, text.value, text.least, text.most));
  }
  return absl::OkStatus();
}

absl::Status CheckDevice(const DeviceInfo& device) {
  for (const Text& text :
       {Text{"name", device.name, 1, 256}, Text{"uuid", device.uuid, 1, 128}, Text{"driver", device.driver, 0, 64}}) {
    RETURN_IF_ERROR(CheckText(text.field, text.value, text.least, text.most));
  }
  if (device.ComputeCapability() == 0 || device.arch.size() > kLongestArch) {
    return InvalidArgument(
        absl::StrCat("arch must be written like sm_80, got '", device.arch.substr(0, kLongestArch), "'"));
  }
  for (const Number& number : {
           Number{"multiprocessors", device.multiprocessors, 1, 65536},
           Number{"memory_bytes", device.memory_bytes, 1, kPi},
           Number{"max_threads_per_block", device.max_threads_per_block, 1, 65536},
           Number{"max_threads_per_multiprocessor", device.max_threads_per_multiprocessor, 1, 65536},
           Number{"registers_per_multiprocessor", device.registers_per_multiprocessor, 1, kGi},
           Number{"shared_bytes_per_block", device.shared_bytes_per_block, 0, kGi},
           Number{"shared_bytes_per_multiprocessor", device.shared_bytes_per_multiprocessor, 0, kGi},
           Number{"l2_bytes", device.l2_bytes, 0, kPi},
           Number{"clock_khz", device.clock_khz, 0, 100'000'000},
           Number{"active_clusters_of_2", device.active_clusters_of_2, 0, 65536},
           Number{"active_clusters_of_4", device.active_clusters_of_4, 0, 65536},
       }) {
    if (number.value >= number.least && number.value <= number.most) continue;
    return InvalidArgument(
        absl::StrCat(number.field, " is ", number.value, "; it must be ", number.least, " to ", number.most));
  }
  return absl::OkStatus();
}

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
    return InvalidArgument(absl::StrCat("uuid is not valid: '", PlainText(Shortened(record.uuid, kMaxUuid)),
                                        "'; give 1 to 64 letters, digits, '-' and '_', not only digits"));
  RETURN_IF_ERROR(WithContext(record.problem.Validate(), "problem"));
  RETURN_IF_ERROR(WithContext(record.schedule.Validate(), "schedule"));
  RETURN_IF_ERROR(record.measurement.Validate());
  RETURN_IF_ERROR(CheckAtLeast("attempt", record.attempt, 1));
  return CheckAtLeast("unix_millis", record.unix_millis, 0);
}

/// Checks all but the speed. Suspect records are exempt: they do not count, and may be suspect for this reason.
absl::Status CheckConsistency(const TuningRecord& record) {
  const Measurement& measurement = record.measurement;
  if (measurement.outcome == Outcome::kSuspect) return absl::OkStatus();
  if (measurement.outcome == Outcome::kOk) RETURN_IF_ERROR(WithContext(CheckDevice(record.device), "device"));
  RETURN_IF_ERROR(measurement.CheckConsistency());
  if (measurement.conditions.comparison && measurement.conditions.comparison->reference == record.schedule) {
    return InvalidArgument("conditions.comparison.reference must be another schedule than the record's own");
  }
  return absl::OkStatus();
}

/// Checks every time that says how fast the device was.
absl::Status CheckSpeed(const TuningRecord& record) {
  if (!record.measurement.Timed()) return absl::OkStatus();
  const double most = PlausibleGflopsLimit(record.device, record.problem.dtype, record.problem.math);
  const auto check = [&](std::string_view field, double ns) {
    const double gflops = record.problem.Flops() / ns;
    if (gflops <= most) return absl::OkStatus();
    return InvalidArgument(absl::StrCat(ToAbsl(field), " is impossible: it means ", gflops, " GFLOP/s, but ",
                                        record.device.name.empty() ? "the device" : record.device.name,
                                        " reaches at most ", most));
  };
  RETURN_IF_ERROR(check("timing.median_ns", record.measurement.timing.median_ns));
  const Conditions& conditions = record.measurement.conditions;
  if (!conditions.baseline.name.empty()) {
    RETURN_IF_ERROR(check("conditions.baseline.median_ns", conditions.baseline.median_ns));
  }
  if (!conditions.comparison) return absl::OkStatus();
  for (double ns : conditions.comparison->medians_ns) RETURN_IF_ERROR(check("conditions.comparison.medians_ns", ns));
  for (double ns : conditions.comparison->reference_medians_ns) {
    RETURN_IF_ERROR(check("conditions.comparison.reference_medians_ns", ns));
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

absl::Status ValidateOrMarkSuspect(TuningRecord* record) {
  RETURN_IF_ERROR(CheckForm(*record));
  RETURN_IF_ERROR(CheckConsistency(*record));
  if (absl::Status speed = CheckSpeed(*record); !speed.ok()) Suspect(record->measurement, speed);
  return absl::OkStatus();
}

void MarkSuspectIfInvalid(TuningRecord* record) {
  if (record->measurement.outcome != Outcome::kOk) return;
  if (const absl::Status valid = Validate(*record); !valid.ok()) Suspect(record->measurement, valid);
}

}  // namespace mmtune
