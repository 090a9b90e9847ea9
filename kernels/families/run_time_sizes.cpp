// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/run_time_sizes.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "kernels/families/fma_schedule.h"
#include "kernels/families/mma_schedule.h"
#include "proto/base/whole_numbers.h"

namespace mmtune {
namespace {

constexpr int64_t kRepresentativeRows = 512, kRepresentativeBatch = 16;

template <typename S>
bool SharesTiles(const S& s) {
  return s.splitK > 1 || s.streamK > 1;
}

template <typename S>
Schedule WithWholeTiles(S s) {
  s.splitK = 1;
  s.reduction = kNoReduction;
  s.streamK = 1;
  return s.ToSchedule();
}

int64_t Representative(int64_t least, int64_t factor) {
  return factor > 0 && factor < least ? RoundUp(least, factor) : factor;
}

}  // namespace

int64_t RepresentativeRows(int64_t factor) { return Representative(kRepresentativeRows, factor); }

int64_t RepresentativeBatch(int64_t factor) { return Representative(kRepresentativeBatch, factor); }

std::string WhyNotAtRunTime(const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes) {
  if (!sizes.any()) return "";
  const bool fma = schedule.family == FmaSchedule::kFamily, mma = schedule.family == MmaSchedule::kFamily;
  if (!fma && !mma) return absl::StrCat("kernels of ", schedule.family, " have their sizes when they are compiled");
  if (fma ? SharesTiles(FmaSchedule::FromSchedule(schedule)) : SharesTiles(MmaSchedule::FromSchedule(schedule)))
    return "its blocks share tiles";
  if (sizes.rows && problem.transpose_a) return "A is transposed";
  return "";
}

Schedule WithWholeTiles(const Schedule& schedule) {
  if (schedule.family == FmaSchedule::kFamily) return WithWholeTiles(FmaSchedule::FromSchedule(schedule));
  if (schedule.family == MmaSchedule::kFamily) return WithWholeTiles(MmaSchedule::FromSchedule(schedule));
  return schedule;
}

std::string TextWithSizes(const MatmulProblem& problem, RunTimeSizes sizes) {
  std::string text = problem.Text();
  if (sizes.rows) text.replace(0, text.find('x'), "?");
  if (sizes.batch) text = absl::StrReplaceAll(text, {{absl::StrCat("batch=", problem.batch), "batch=?"}});
  return text;
}

}  // namespace mmtune
