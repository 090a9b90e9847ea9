#include "db/record_check.h"

#include <cmath>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/schedule_name.h"

namespace mmtune {
namespace {

constexpr size_t kMaxUuid = 64;
/// So many parameters fit in a schedule's text however long they are.
constexpr size_t kShortSchedule = 64;
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

absl::Status CheckTime(std::string_view field, double value) {
  if (std::isfinite(value) && value >= 0) return absl::OkStatus();
  return InvalidArgument(absl::StrCat(ToAbsl(field), " is ", value, "; a time is finite and >= 0"));
}

absl::Status CheckTimes(const Measurement& measurement) {
  const Timing& timing = measurement.timing;
  const PhaseTimes& phases = measurement.phases;
  for (double sample : timing.samples_ns) RETURN_IF_ERROR(CheckTime("timing.samples_ns", sample));
  RETURN_IF_ERROR(CheckTime("timing.median_ns", timing.median_ns));
  RETURN_IF_ERROR(CheckTime("timing.low_ns", timing.low_ns));
  RETURN_IF_ERROR(CheckTime("timing.high_ns", timing.high_ns));
  for (double phase : {phases.emit_ms, phases.mlir_ms, phases.llvm_ms, phases.assemble_ms, phases.host_ms,
                       phases.load_ms, phases.check_ms, phases.timing_ms}) {
    RETURN_IF_ERROR(CheckTime("phases", phase));
  }
  return absl::OkStatus();
}

absl::Status CheckAtLeast(std::string_view field, int64_t value, int64_t least) {
  if (value >= least) return absl::OkStatus();
  return InvalidArgument(absl::StrCat(ToAbsl(field), " is ", value, "; it is >= ", least));
}

absl::Status CheckResources(const KernelResources& resources) {
  RETURN_IF_ERROR(CheckAtLeast("resources.registers", resources.registers, -1));
  RETURN_IF_ERROR(CheckAtLeast("resources.spill_bytes", resources.spill_bytes, -1));
  RETURN_IF_ERROR(CheckAtLeast("resources.shared_bytes", resources.shared_bytes, 0));
  RETURN_IF_ERROR(CheckAtLeast("resources.threads", resources.threads, 0));
  RETURN_IF_ERROR(CheckAtLeast("resources.grid_x", resources.grid_x, 0));
  RETURN_IF_ERROR(CheckAtLeast("resources.grid_y", resources.grid_y, 0));
  return CheckAtLeast("resources.grid_z", resources.grid_z, 0);
}

absl::Status CheckSchedule(const Schedule& schedule) {
  bool names = IsScheduleName(schedule.family);
  for (const auto& [name, value] : schedule.params) names = names && IsScheduleName(name);
  if (!names) return InvalidArgument("schedule: its family or a parameter is not a name");
  if (schedule.params.size() <= kShortSchedule) return absl::OkStatus();
  return WithContext(ParseSchedule(schedule.CanonicalJson()).status(), "schedule");
}

}  // namespace

absl::Status CheckRecord(const TuningRecord& record) {
  if (!IsUuid(record.uuid))
    return InvalidArgument("uuid is not 1 to 64 letters, digits, '-' and '_', or looks like an id");
  RETURN_IF_ERROR(WithContext(record.problem.Validate(), "problem"));
  RETURN_IF_ERROR(CheckSchedule(record.schedule));
  RETURN_IF_ERROR(CheckResources(record.measurement.resources));
  RETURN_IF_ERROR(CheckTimes(record.measurement));
  const Conditions& conditions = record.measurement.conditions;
  RETURN_IF_ERROR(conditions.baseline.Validate());
  if (conditions.comparison) RETURN_IF_ERROR(conditions.comparison->Validate());
  if (record.measurement.outcome == Outcome::kOk) {
    double gflops = record.Gflops();
    if (!(record.measurement.timing.median_ns > 0) || !std::isfinite(gflops)) {
      return InvalidArgument("timing.median_ns of a record with outcome ok is not a positive time");
    }
  }
  RETURN_IF_ERROR(CheckAtLeast("attempt", record.attempt, 1));
  return CheckAtLeast("unix_millis", record.unix_millis, 0);
}

}  // namespace mmtune
