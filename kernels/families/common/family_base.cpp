// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/family_base.h"

#include <algorithm>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "kernels/families/common/verification_shapes.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Returns an error that names the first parameter without a domain.
absl::Status RefuseUnknown(std::string_view family, const std::vector<ParameterDomain>& domains,
                           const Schedule& schedule) {
  for (const auto& [name, value] : schedule.params) {
    bool known =
        std::any_of(domains.begin(), domains.end(), [&](const ParameterDomain& domain) { return name == domain.name; });
    if (!known) return InvalidArgument(absl::StrCat(ToAbsl(family), ": unknown parameter '", name, "'"));
  }
  return absl::OkStatus();
}

/// Returns the geometry of a schedule with these values. A search asks for its features and then for its time, so each
/// thread keeps the last geometry.
const ScheduleGeometry& Remembered(const FamilyBase& family, const MatmulProblem& problem,
                                   const std::vector<int64_t>& values, absl::FunctionRef<ScheduleGeometry()> describe) {
  struct Described {
    const FamilyBase* family = nullptr;
    MatmulProblem problem;
    std::vector<int64_t> values;
    ScheduleGeometry geometry;
  };
  thread_local Described last;
  if (last.family != &family || last.values != values || last.problem != problem)
    last = {&family, problem, values, describe()};
  return last.geometry;
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> FamilyBase::ReadValues(const Schedule& schedule) const {
  if (schedule.family != name())
    return InvalidArgument(
        absl::StrCat("the schedule is of family '", schedule.family, "', not '", ToAbsl(name()), "'"));
  std::vector<int64_t> values;
  values.reserve(domains().size());
  for (const ParameterDomain& domain : domains()) {
    const auto it = schedule.params.find(domain.name);
    if (it == schedule.params.end())
      return InvalidArgument(absl::StrCat(ToAbsl(name()), ": parameter '", domain.name, "' is missing"));
    values.push_back(it->second);
  }
  if (values.size() < schedule.params.size()) RETURN_IF_ERROR(RefuseUnknown(name(), domains(), schedule));
  for (size_t i = 0; i < values.size(); ++i) {
    const ParameterDomain& domain = domains()[i];
    if (values[i] < domain.low || values[i] > domain.high)
      return InvalidArgument(absl::StrCat(ToAbsl(name()), ": ", domain.name, "=", values[i],
                                          " is out of range; it must be within ", domain.low, " and ", domain.high));
  }
  return values;
}

absl::Status FamilyBase::Validate(const MatmulProblem& problem, const Schedule& schedule,
                                  const DeviceInfo& device) const {
  RETURN_IF_ERROR(problem.Validate());
  ASSIGN_OR_RETURN(std::vector<int64_t> values, ReadValues(schedule));
  for (const ScheduleConstraint& constraint : Constraints(problem, device))
    if (!constraint.holds(values.data()))
      return InvalidArgument(absl::StrCat(ToAbsl(name()), ": broken rule: ", constraint.name, " (", schedule.Text(),
                                          " on ", problem.Text(), ", ", device.arch, ")"));
  return absl::OkStatus();
}

absl::StatusOr<ScheduleGeometry> FamilyBase::Describe(const MatmulProblem& problem, const Schedule& schedule) const {
  RETURN_IF_ERROR(problem.Validate());
  RETURN_IF_ERROR(ReadValues(schedule).status());
  return DescribeValid(problem, schedule);
}

std::optional<PredictedTime> FamilyBase::Predict(const MatmulProblem& problem, const Schedule& schedule,
                                                 const DeviceInfo& device) const {
  if (!problem.Validate().ok()) return std::nullopt;
  absl::StatusOr<std::vector<int64_t>> values = ReadValues(schedule);
  if (!values.ok()) return std::nullopt;
  const ScheduleGeometry& geometry =
      Remembered(*this, problem, *values, [&] { return DescribeValid(problem, schedule); });
  return PredictTime(problem, geometry, device);
}

std::optional<PredictedTime> FamilyBase::PredictCompiled(const MatmulProblem& problem, const Schedule& schedule,
                                                         const DeviceInfo& device, const CodeFacts& facts) const {
  const absl::StatusOr<ScheduleGeometry> geometry = Describe(problem, schedule);
  if (!geometry.ok()) return std::nullopt;
  return PredictTime(problem, WithCodeFacts(*geometry, facts), device);
}

std::vector<double> FamilyBase::Features(const MatmulProblem& problem, const Schedule& schedule,
                                         const DeviceInfo& device) const {
  absl::StatusOr<std::vector<int64_t>> values = ReadValues(schedule);
  if (!values.ok() || !problem.Validate().ok()) return {};
  std::vector<double> features = ParameterFeatures(schedule);
  const ScheduleGeometry& geometry =
      Remembered(*this, problem, *values, [&] { return DescribeValid(problem, schedule); });
  std::vector<double> implied = GeometryFeatures(problem, geometry, device);
  features.insert(features.end(), implied.begin(), implied.end());
  return features;
}

std::vector<ByPreference<MatmulProblem>> FamilyBase::VerificationShapes(const MatmulProblem& problem,
                                                                        const ScheduleGeometry& geometry) const {
  return TiledVerificationShapes(problem, geometry);
}

std::string FamilyBase::WhyRunTimeSizesUnsupported(const MatmulProblem&, const Schedule&, RunTimeSizes) const {
  return absl::StrCat("kernels of ", ToAbsl(name()), " support sizes that are known at compile time only");
}

int64_t NextPowerOfTwo(int64_t value) {
  int64_t power = 1;
  while (power < value) power *= 2;
  return power;
}

std::vector<int64_t> AxisWithin(std::initializer_list<int64_t> candidates, int64_t low, int64_t high) {
  std::vector<int64_t> axis;
  for (int64_t value : candidates)
    if (value >= low && value <= high) axis.push_back(value);
  if (axis.empty()) axis.push_back(low);
  return axis;
}

double OperandBytesRead(const MatmulProblem& problem, int64_t gridM, int64_t gridN) {
  double elements = static_cast<double>(gridN) * static_cast<double>(problem.ElementsA()) +
                    static_cast<double>(gridM) * static_cast<double>(problem.ElementsB());
  auto epilogue = static_cast<double>(problem.ElementsBias() + problem.ElementsAddend());
  return elements * static_cast<double>(DataTypeBytes(problem.dtype)) +
         epilogue * static_cast<double>(DataTypeBytes(problem.TypeOfC()));
}

void AddEpilogueArguments(const MatmulProblem& problem, PlanStep& step) {
  if (problem.HasBias()) step.arguments.push_back(PlanBuffer::kBias);
  if (problem.HasAddend()) step.arguments.push_back(PlanBuffer::kAddend);
}

}  // namespace mmtune
