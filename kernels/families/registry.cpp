#include "kernels/families/registry.h"

#include "absl/strings/str_cat.h"
#include "kernels/families/direct_family.h"
#include "kernels/families/simt_f32_family.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

const std::vector<const SpaceFamily *> &spaceFamilies() {
  static const DirectFamily direct;
  static const SimtF32Family simt;
  static const std::vector<const SpaceFamily *> families = {&direct, &simt};
  return families;
}

absl::StatusOr<const SpaceFamily *> findSpaceFamily(std::string_view name) {
  std::string known;
  for (const SpaceFamily *family : spaceFamilies()) {
    if (family->name() == name)
      return family;
    absl::StrAppend(&known, known.empty() ? "" : ", ", ToAbsl(family->name()));
  }
  return InvalidArgument(
      absl::StrCat("unknown kernel family '", ToAbsl(name), "'; known: ", known));
}

/// Of the valid schedules among `candidates`, the first.
void addFirstValid(const std::string &name, const std::vector<std::string> &candidates,
                   const MatmulProblem &problem, const DeviceInfo &device,
                   std::vector<std::pair<std::string, Schedule>> &rungs) {
  for (const std::string &text : candidates) {
    absl::StatusOr<Schedule> schedule = ParseSchedule(text);
    if (schedule.ok() && ValidateSchedule(problem, *schedule, device).ok()) {
      rungs.emplace_back(name, *std::move(schedule));
      return;
    }
  }
}

/// The text of an undecorated shared-memory schedule: synchronous copies, one stage.
std::string sharedMemoryText(const MatmulProblem &problem, int64_t bm, int64_t bn, int64_t tm,
                             int64_t tn, int64_t lm, int64_t bk) {
  return absl::StrCat("simt async=0 bk=", bk, " bm=", bm, " bn=", bn,
                      " group_m=1 kmajor_a=0 lm=", lm,
                      " min_blocks=1 pad_a=4 pad_b=", problem.transpose_b ? 4 : 0,
                      " reduction=0 "
                      "split_k=1 stages=1 tm=",
                      tm, " tn=", tn, " unroll_k=", bk);
}

} // namespace

const std::vector<const KernelFamily *> &KernelFamilies() {
  static const std::vector<const KernelFamily *> families(spaceFamilies().begin(),
                                                          spaceFamilies().end());
  return families;
}

absl::Status ValidateSchedule(const MatmulProblem &problem, const Schedule &schedule,
                              const DeviceInfo &device) {
  ASSIGN_OR_RETURN(const SpaceFamily *family, findSpaceFamily(schedule.family));
  return family->Validate(problem, schedule, device);
}

std::string KernelFamilyVersions() {
  std::string text;
  for (const SpaceFamily *family : spaceFamilies())
    absl::StrAppend(&text, text.empty() ? "" : " ", ToAbsl(family->name()), "=", family->version());
  return text;
}

absl::StatusOr<LaunchPlan> MakeLaunchPlan(const MatmulProblem &problem, const Schedule &schedule) {
  ASSIGN_OR_RETURN(const SpaceFamily *family, findSpaceFamily(schedule.family));
  return family->makeLaunchPlan(problem, schedule);
}

std::vector<std::pair<std::string, Schedule>> LadderSchedules(const MatmulProblem &problem,
                                                              const DeviceInfo &device) {
  std::vector<std::pair<std::string, Schedule>> rungs;
  addFirstValid("naive", {"direct bx=16 by=16 tm=1 tn=1", "direct bx=32 by=1 tm=1 tn=1"}, problem,
                device, rungs);
  addFirstValid("register-blocked",
                {"direct bx=16 by=16 tm=8 tn=8", "direct bx=16 by=16 tm=4 tn=4"}, problem, device,
                rungs);
  // The largest tile that the problem fills; small and thin problems get a small one.
  std::vector<std::string> shared;
  if (problem.m >= 64 && problem.n >= 64)
    shared = {sharedMemoryText(problem, 64, 64, 4, 4, 4, 16),
              sharedMemoryText(problem, 64, 64, 4, 4, 4, 4)};
  shared.push_back(sharedMemoryText(problem, 32, 32, 2, 2, 4, 16));
  shared.push_back(sharedMemoryText(problem, 32, 32, 2, 2, 4, 4));
  addFirstValid("shared-memory", shared, problem, device, rungs);
  return rungs;
}

} // namespace mmtune
