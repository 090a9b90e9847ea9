// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/skipped_bounds.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/runtime_lower_bound.h"

namespace mmtune {

void CountSkipped(const TuningRecord& record, SkippedBounds& bounds) {
  const Measurement& measured = record.measurement;
  if (measured.outcome != Outcome::kSkipped) return;
  if (measured.timing.low_ns == 0) {  // no bound has said that it cannot be as fast
    ++bounds[kNotChosen];
    return;
  }
  const auto geometry = DescribeSchedule(record.problem, record.schedule);
  const RuntimeLowerBound least =
      geometry.ok() ? RuntimeLowerBoundOf(record.problem, *geometry, record.device, measured.resources) : RuntimeLowerBound();
  ++bounds[least.bound.empty() ? "a bound that this program does not know" : least.bound];
}

std::string SkippedBoundsText(const SkippedBounds& bounds) {
  std::vector<std::string> parts;
  for (const auto& [bound, count] : bounds) {
    if (bound != kNotChosen) parts.push_back(absl::StrCat(count, " by ", bound));
  }
  return absl::StrJoin(parts, ", ");
}

std::string NotChosenText(const SkippedBounds& bounds) {
  const auto found = bounds.find(kNotChosen);
  return found == bounds.end() ? "" : absl::StrCat(found->second, " more, to choose by registers and spills");
}

}  // namespace mmtune
