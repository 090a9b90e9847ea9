// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became faster and slower from one log to another, as when the toolchain changed between them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/tune/report/report_groups.h"

namespace mmtune {

/// Of a schedule's newest record, from the other log to ours.
enum class Change {
  kBroken,  ///< Ran there, and does not here.
  kSlower,
  kSame,
  kFaster,
  kMended,  ///< Runs here, and did not there.
};
/// "broken", "slower", "same", "faster", "mended".
std::string_view ChangeName(Change change);

/// Of a schedule that both logs have, and that ran in at least one of them.
struct ScheduleChange {
  Schedule schedule;
  Change change = Change::kSame;
  Outcome outcome = Outcome::kOk, other_outcome = Outcome::kOk;
  double ns = 0, other_ns = 0;  ///< 0 where it did not run.
};

/// Of one problem, class of devices and regime that both logs have.
struct GroupComparison {
  MatmulProblem problem;
  DeviceInfo device;
  std::string regime;
  std::string toolchain, other_toolchain;  ///< Of the newest records.
  double best_ns = 0, other_best_ns = 0;   ///< Of all that ran; 0: nothing did.
  double mean_ratio =
      0;  ///< Geometric mean of our times over theirs, of schedules that ran in both; 0: there are none.
  std::vector<ScheduleChange> changes;  ///< The worst first.

  size_t Count(Change change) const;
};

/// Slower or faster is what differs by more than 1 % and by more than both intervals: neither median lies within the
/// other's interval, and these do not overlap.
std::vector<GroupComparison> CompareGroups(const std::vector<ReportGroup>& ours,
                                           const std::vector<ReportGroup>& theirs);

/// "mmtune 0.1.0, mlir 22.1.8, ptxas 13.0".
std::string ToolchainText(const Toolchain& toolchain);

}  // namespace mmtune
