// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/replay/landscape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

absl::Status ValidateLandscape(const Landscape& landscape) {
  std::unordered_set<std::string> seen;
  int64_t ran = 0;
  for (const LandscapePoint& point : landscape.points) {
    if (!seen.insert(point.schedule.Text()).second) {
      return InvalidArgument(absl::StrCat("two times for one schedule: ", point.schedule.Text()));
    }
    if (point.outcome != Outcome::kOk) continue;
    if (!std::isfinite(point.time_ns) || point.time_ns <= 0) {
      return InvalidArgument(absl::StrCat("no time above 0 for ", point.schedule.Text()));
    }
    ++ran;
  }
  if (ran < 2) return InvalidArgument(absl::StrCat("schedules that ran: ", ran, "; a search needs 2 or more"));
  return absl::OkStatus();
}

double BestTimeNs(const Landscape& landscape) {
  double best = std::numeric_limits<double>::infinity();
  for (const LandscapePoint& point : landscape.points) {
    if (point.outcome == Outcome::kOk) best = std::min(best, point.time_ns);
  }
  return best;
}

}  // namespace mmtune
