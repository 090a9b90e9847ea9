// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/registry.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

const std::vector<const FamilyBase*>& AllFamilies() {
#define MMTUNE_LIST_FAMILY(NAME, TITLE) &Get##TITLE##Family(),
  static const std::vector<const FamilyBase*> families = {MMTUNE_KERNEL_FAMILIES(MMTUNE_LIST_FAMILY)};
#undef MMTUNE_LIST_FAMILY
  return families;
}

const std::vector<const KernelFamily*>& KernelFamilies() {
  static const std::vector<const KernelFamily*> families(AllFamilies().begin(), AllFamilies().end());
  return families;
}

std::vector<const FamilyBase*> PortableFamilies(const DeviceInfo& device) {
  std::vector<const FamilyBase*> families = AllFamilies();
  std::erase_if(families,
                [&](const FamilyBase* family) { return IsArchitectureSpecific(family->Architecture(device)); });
  return families;
}

absl::StatusOr<const FamilyBase*> FindKernelFamily(std::string_view name) {
  std::string known;
  for (const FamilyBase* family : AllFamilies()) {
    if (family->name() == name) return family;
    absl::StrAppend(&known, known.empty() ? "" : ", ", ToAbsl(family->name()));
  }
  return InvalidArgument(absl::StrCat("unknown kernel family '", ToAbsl(name), "'; known: ", known));
}

absl::Status ValidateSchedule(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device) {
  ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(schedule.family));
  return family->Validate(problem, schedule, device);
}

absl::Status ValidateForRows(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                             int64_t from, int64_t to) {
  // The largest divisor of a remainder rule on the number of rows. A rule that is neither about such a remainder nor a
  // limit would require testing every number.
  constexpr int64_t kLargestTile = 256;
  MatmulProblem with_rows = problem;
  for (int64_t rows = from; rows <= to; ++rows) {
    if (rows >= from + kLargestTile) rows = std::max(rows, to - kLargestTile + 1);
    with_rows.m = rows;
    if (absl::Status valid = ValidateSchedule(with_rows, schedule, device); !valid.ok()) {
      return WithContext(valid, absl::StrCat("for ", rows, " rows"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ScheduleGeometry> DescribeSchedule(const MatmulProblem& problem, const Schedule& schedule) {
  ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(schedule.family));
  return family->Describe(problem, schedule);
}

std::string KernelFamilyVersions() {
  std::string text;
  for (const FamilyBase* family : AllFamilies())
    absl::StrAppend(&text, text.empty() ? "" : " ", ToAbsl(family->name()), "=", family->version());
  return text;
}

absl::StatusOr<LaunchPlan> MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) {
  ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(schedule.family));
  return family->MakeLaunchPlan(problem, schedule);
}

std::vector<std::pair<std::string, Schedule>> LadderSchedules(const MatmulProblem& problem, const DeviceInfo& device) {
  std::vector<std::pair<std::string, Schedule>> rungs;
  for (const FamilyBase* family : AllFamilies())
    for (const LadderRung& rung : family->ladder(problem))
      if (const Schedule* schedule = FirstValid(rung.schedules, problem, device))
        rungs.emplace_back(rung.name, *schedule);
  return rungs;
}

const Schedule* FirstValid(const ByPreference<Schedule>& schedules, const MatmulProblem& problem,
                           const DeviceInfo& device) {
  for (const Schedule& schedule : schedules)
    if (ValidateSchedule(problem, schedule, device).ok()) return &schedule;
  return nullptr;
}

}  // namespace mmtune
