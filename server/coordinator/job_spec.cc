// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_spec.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/digest.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "search/strategies/strategy.h"

namespace mmtune {
namespace {

constexpr int kMaxSchedules = 4096;
constexpr int64_t kMaxTrials = 10'000'000;
constexpr double kMaxSeconds = 30.0 * 24 * 3600;
constexpr double kMaxBaselinePercent = 1000;

/// Checks one limit of the search, which must be between 0 (no limit) and `most`.
absl::Status CheckLimit(std::string_view field, double value, double most) {
  if (value >= 0 && value <= most) return absl::OkStatus();  // NaN fails both
  return InvalidArgument(absl::StrCat(ToAbsl(field), " is ", value, ": give 0 to ", most));
}

absl::StatusOr<const KernelFamily*> FindFamily(std::string_view name, const std::vector<const KernelFamily*>& known) {
  std::vector<absl::string_view> names;
  for (const KernelFamily* family : known) {
    if (family->name() == name) return family;
    names.push_back(ToAbsl(family->name()));
  }
  return InvalidArgument(
      absl::StrCat("unknown kernel family '", ToAbsl(name), "'; known: ", absl::StrJoin(names, ", ")));
}

absl::StatusOr<std::vector<const KernelFamily*>> SelectFamilies(const v1::JobSpec& message,
                                                                const MatmulProblem& problem,
                                                                const std::vector<const KernelFamily*>& known) {
  std::vector<const KernelFamily*> selected;
  for (const std::string& name : message.families()) {
    ASSIGN_OR_RETURN(const KernelFamily* family, FindFamily(name, known));
    if (std::find(selected.begin(), selected.end(), family) == selected.end()) selected.push_back(family);
  }
  return selected.empty() ? SearchedFamilies(problem, known) : selected;
}

absl::Status ParseOnly(const v1::JobSpec& message, const std::vector<const KernelFamily*>& known, JobSpec& spec) {
  if (message.only().empty()) return absl::OkStatus();
  if (!message.families().empty())
    return InvalidArgument("spec.only and spec.families exclude each other: give one of them");
  spec.families.clear();
  for (const std::string& text : message.only()) {
    absl::StatusOr<FamilyPart> part = ParseFamilyPart(text);
    if (!part.ok()) return WithContext(part.status(), "spec.only");
    ASSIGN_OR_RETURN(const KernelFamily* family, FindFamily(part->family, known));
    if (std::find(spec.families.begin(), spec.families.end(), family) != spec.families.end()) {
      return InvalidArgument(absl::StrCat("spec.only names family ", ToAbsl(family->name()), " twice"));
    }
    spec.families.push_back(family);
    spec.only.push_back(*std::move(part));
  }
  return absl::OkStatus();
}

absl::Status CheckStrategy(std::string_view name) {
  const std::vector<std::string>& names = StrategyNames();
  if (std::find(names.begin(), names.end(), name) != names.end()) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("unknown strategy '", ToAbsl(name), "'; known: ", absl::StrJoin(names, ", ")));
}

absl::StatusOr<SchedulingPolicy> ParseSchedulingPolicy(const v1::JobSpec& message, const DeviceSelector& device) {
  SchedulingPolicy policy;
  if (message.weight() != 0) policy.weight = message.weight();
  policy.priority = message.priority();
  absl::StatusOr<Labels> select = FromWire(message.select());
  if (!select.ok()) return WithContext(select.status(), "spec.select");
  policy.select = *std::move(select);
  absl::StatusOr<DeviceClass> device_class = ParseDeviceClass(message.device_class());
  if (!device_class.ok()) return WithContext(device_class.status(), "spec.device_class");
  policy.device_class = *std::move(device_class);
  RETURN_IF_ERROR(policy.Validate());
  const std::optional<DeviceKind>& kind = policy.device_class.kind;
  const DeviceSelector::Kind asked = device.kind;
  if ((kind == DeviceKind::kCuda && asked == DeviceSelector::Kind::kSimt) ||
      (kind == DeviceKind::kSimt && asked == DeviceSelector::Kind::kCuda)) {
    return InvalidArgument(absl::StrCat("device ", DeviceSelectorText(device), " and device class ",
                                        policy.device_class.Text(), " exclude each other: give one of them"));
  }
  return policy;
}

absl::StatusOr<StopLimits> ParseLimits(const v1::JobSpec& message) {
  if (message.trials() < 0 || message.trials() > kMaxTrials) {
    return InvalidArgument(absl::StrCat("spec.trials is ", message.trials(), ": give 0 (no limit) to ", kMaxTrials));
  }
  RETURN_IF_ERROR(CheckLimit("spec.seconds", message.seconds(), kMaxSeconds));
  RETURN_IF_ERROR(CheckLimit("spec.plateau_percent", message.plateau_percent(), 100));
  RETURN_IF_ERROR(CheckLimit("spec.baseline_percent", message.baseline_percent(), kMaxBaselinePercent));
  RETURN_IF_ERROR(CheckLimit("spec.bound_percent", message.bound_percent(), 100));
  if (message.plateau_percent() > 0 && (message.schedules_size() > 0 || !PredictsGain(message.strategy()))) {
    return InvalidArgument("spec.plateau_percent needs a strategy that predicts what a trial gains: model");
  }
  return StopLimits{message.trials(), message.seconds(), message.plateau_percent(), message.baseline_percent(),
                    message.bound_percent()};
}

absl::Status ParseModel(const v1::JobSpec& message, JobSpec& spec) {
  if (!message.has_model()) return absl::OkStatus();
  constexpr size_t kMostId = 64;
  constexpr int64_t kMostParts = 4 * kMostModelParts;  // Beyond kMostModelParts they count as more than one job.
  const v1::ModelShare& share = message.model();
  if (share.id().empty() || share.id().size() > kMostId) {
    return InvalidArgument(absl::StrCat("spec.model.id has ", share.id().size(), " bytes: give 1 to ", kMostId));
  }
  const auto is_positive = [](double value) { return value > 0 && std::isfinite(value); };
  if (!is_positive(share.calls()) || !is_positive(share.time_ns())) {
    return InvalidArgument(absl::StrCat("spec.model has calls ", share.calls(), " and time_ns ", share.time_ns(),
                                        ": give positive numbers"));
  }
  if (share.trials() < 0 || share.trials() > kMaxTrials) {
    return InvalidArgument(
        absl::StrCat("spec.model.trials is ", share.trials(), ": give 0 (no limit) to ", kMaxTrials));
  }
  if (share.parts() < 0 || share.parts() > kMostParts) {
    return InvalidArgument(absl::StrCat("spec.model.parts is ", share.parts(), ": give 0 (not known) to ", kMostParts));
  }
  if (!spec.schedules.empty()) return InvalidArgument("spec.model is for searches: leave spec.schedules out");
  ModelPart& part = spec.model.emplace();
  part = {share.id(), share.calls(), share.time_ns(), std::nullopt, share.trials(), share.parts()};
  if (!share.has_present()) return absl::OkStatus();
  absl::StatusOr<Schedule> present = FromWire(share.present());
  if (!present.ok()) return WithContext(present.status(), "spec.model.present");
  part.present = *std::move(present);
  return absl::OkStatus();
}

absl::Status ParseReference(const v1::JobSpec& message, JobSpec& spec) {
  if (!message.has_reference()) return absl::OkStatus();
  absl::StatusOr<Schedule> reference = FromWire(message.reference());
  if (!reference.ok()) return WithContext(reference.status(), "spec.reference");
  if (spec.schedules.empty()) return InvalidArgument("spec.reference needs spec.schedules to compare with it");
  spec.reference = *std::move(reference);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MeasureOptions> MeasureOf(const v1::JobSpec& message) {
  absl::StatusOr<MeasureOptions> measure = FromWire(message.measure());
  return measure.ok() ? measure : WithContext(measure.status(), "spec.measure");
}

bool WantsVerification(const v1::JobSpec& message) {
  const absl::StatusOr<MeasureOptions> measure = MeasureOf(message);
  return !measure.ok() || measure->verification;
}

absl::StatusOr<JobSpec> ParseJobSpec(const v1::JobSpec& message, const std::vector<const KernelFamily*>& known) {
  JobSpec spec;
  if (!message.has_problem()) return InvalidArgument("spec.problem is missing: give the problem to tune");
  if (!message.trace_id().empty() && !IsTraceId(message.trace_id())) {
    return InvalidArgument(absl::StrCat("spec.trace_id '", Shortened(message.trace_id(), 64),
                                        "' is not a trace id: give 32 hexadecimal digits, lower case, not all 0"));
  }
  absl::StatusOr<MatmulProblem> problem = FromWire(message.problem());
  if (!problem.ok()) return WithContext(problem.status(), "spec.problem");
  spec.problem = *problem;
  absl::StatusOr<DeviceSelector> device = FromWire(message.device());
  if (!device.ok()) return WithContext(device.status(), "spec.device");
  spec.device = *device;
  ASSIGN_OR_RETURN(spec.policy, ParseSchedulingPolicy(message, spec.device));

  ASSIGN_OR_RETURN(spec.limits, ParseLimits(message));
  if (message.schedules_size() > kMaxSchedules) {
    return InvalidArgument(
        absl::StrCat("spec.schedules holds ", message.schedules_size(), ": give at most ", kMaxSchedules));
  }
  for (int i = 0; i < message.schedules_size(); ++i) {
    absl::StatusOr<Schedule> schedule = FromWire(message.schedules(i));
    if (!schedule.ok()) return WithContext(schedule.status(), absl::StrCat("spec.schedules[", i, "]"));
    if (std::find(spec.schedules.begin(), spec.schedules.end(), *schedule) == spec.schedules.end()) {
      spec.schedules.push_back(*std::move(schedule));
    }
  }
  if (spec.schedules.empty()) RETURN_IF_ERROR(CheckStrategy(message.strategy()));
  spec.strategy = message.strategy();
  spec.seed = message.seed();
  spec.remeasure = message.remeasure();
  spec.cold_start = message.cold_start();
  spec.no_skip = message.no_skip();
  spec.no_compile_ahead = message.no_compile_ahead();
  ASSIGN_OR_RETURN(spec.measure, MeasureOf(message));
  if (spec.limits.baseline_percent > 0 && !spec.measure.baseline) {
    return InvalidArgument("spec.baseline_percent needs a baseline: leave spec.measure.baseline on");
  }
  RETURN_IF_ERROR(ParseReference(message, spec));
  RETURN_IF_ERROR(ParseModel(message, spec));
  ASSIGN_OR_RETURN(spec.families, SelectFamilies(message, spec.problem, known));
  RETURN_IF_ERROR(ParseOnly(message, known, spec));
  absl::StatusOr<Numerics> numerics = Numerics::Parse(message.numerics());
  if (!numerics.ok()) return WithContext(numerics.status(), "spec.numerics");
  spec.numerics = *std::move(numerics);
  return spec;
}

void ClearLimits(v1::JobSpec& message) {
  message.clear_trials();
  message.clear_seconds();
  message.clear_plateau_percent();
  message.clear_baseline_percent();
  message.clear_bound_percent();
}

}  // namespace mmtune
