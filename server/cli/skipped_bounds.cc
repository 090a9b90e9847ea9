// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/skipped_bounds.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/families/least_time.h"
#include "kernels/families/registry.h"

namespace mmtune {

void CountSkipped(const TuningRecord& record, SkippedBounds& bounds) {
  const Measurement& measured = record.measurement;
  if (measured.outcome != Outcome::kSkipped) return;
  const auto geometry = DescribeSchedule(record.problem, record.schedule);
  const LeastTime least =
      geometry.ok() ? LeastTimeOf(record.problem, *geometry, record.device, measured.resources) : LeastTime();
  ++bounds[least.bound.empty() ? "a bound that this program does not know" : least.bound];
}

std::string SkippedBoundsText(const SkippedBounds& bounds) {
  return absl::StrJoin(bounds, ", ", [](std::string* out, const auto& bound) {
    absl::StrAppend(out, bound.second, " by ", bound.first);
  });
}

}  // namespace mmtune
