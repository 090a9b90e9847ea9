// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/run_time_sizes.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "kernels/families/common/registry.h"
#include "proto/base/whole_numbers.h"

namespace mmtune {
namespace {

constexpr int64_t kRepresentativeRows = 512, kRepresentativeBatch = 16;

int64_t Representative(int64_t least, int64_t factor) {
  return factor > 0 && factor < least ? RoundUp(least, factor) : factor;
}

}  // namespace

int64_t RepresentativeRows(int64_t factor) { return Representative(kRepresentativeRows, factor); }

int64_t RepresentativeBatch(int64_t factor) { return Representative(kRepresentativeBatch, factor); }

std::string WhyNotAtRunTime(const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes) {
  if (!sizes.any()) return "";
  const absl::StatusOr<const SpaceFamily*> family = FindKernelFamily(schedule.family);
  if (!family.ok()) return std::string(family.status().message());
  return (*family)->WhyNotAtRunTime(problem, schedule, sizes);
}

Schedule WithWholeTiles(const Schedule& schedule) {
  const absl::StatusOr<const SpaceFamily*> family = FindKernelFamily(schedule.family);
  return family.ok() ? (*family)->WithWholeTiles(schedule) : schedule;
}

std::string TextWithSizes(const MatmulProblem& problem, RunTimeSizes sizes) {
  std::string text = problem.Text();
  if (sizes.rows) text.replace(0, text.find('x'), "?");
  if (sizes.batch) text = absl::StrReplaceAll(text, {{absl::StrCat("batch=", problem.batch), "batch=?"}});
  return text;
}

}  // namespace mmtune
