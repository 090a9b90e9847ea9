// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became faster and slower from one log to another, as when the toolchain changed between them.
//
// What the page of `tune report` shows, as the JSON that its script reads (page/report.js).
//
// The page of `tune report`: one file of HTML with its data, its style and its scripts, which asks no network for
// anything.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/tuning_log.h"
#include "nlohmann/json.hpp"
#include "server/tune/report/report_records.h"

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

/// The other log of a comparison.
struct ReportComparison {
  std::string log;
  std::vector<GroupComparison> groups;
};

/// Every record of `groups` is in it, with its schedule, times, phases and prediction; of the fastest of each group
/// also the histograms of their samples. `jobs`, in the order of their uuids, may lack some, as those of imported
/// records: these are named by their uuid. `left_out` says which records are not in `groups`; empty: none.
nlohmann::ordered_json ReportData(const std::string& log, int64_t made_unix_millis,
                                  const std::vector<ReportGroup>& groups, const std::vector<JobRow>& jobs,
                                  const std::optional<ReportComparison>& comparison, const std::string& left_out = "");

/// `title` is escaped; of `data`, whatever texts it holds, nothing can end the element that it stands in.
std::string ReportPage(std::string_view title, const nlohmann::ordered_json& data);

/// The parts that are compiled in: page/report.html, .css and .js, and Chart.js.
struct PageParts {
  std::string_view html, css, js, chart_js;
};
const PageParts& ReportPageParts();

}  // namespace mmtune
