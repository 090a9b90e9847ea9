// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of `tune report`: one file of HTML with its data, drawings, style and script, which makes no network
// request. With another log, it shows what became faster and slower, as when the toolchain changed between them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/tuning_log.h"
#include "nlohmann/json.hpp"
#include "server/tune/report/report_records.h"

namespace mmtune {

/// How the newest record of a schedule differs between the other log and ours.
enum class Change {
  kBroken,  ///< Ran there, and does not here.
  kSlower,
  kSame,
  kFaster,
  kMended,  ///< Runs here, and did not there.
};
/// Returns "broken", "slower", "same", "faster" or "mended".
std::string_view ChangeName(Change change);

/// Compares a schedule that both logs have, and that ran in at least one of them.
struct ScheduleChange {
  Schedule schedule;
  Change change = Change::kSame;
  Outcome outcome = Outcome::kOk, other_outcome = Outcome::kOk;
  double ns = 0, other_ns = 0;  ///< 0 where it did not run.
};

/// Compares one problem, class of devices and regime that both logs have.
struct GroupComparison {
  MatmulProblem problem;
  DeviceInfo device;
  std::string regime;
  std::string toolchain, other_toolchain;  ///< Those of the newest records.
  double best_ns = 0, other_best_ns = 0;   ///< 0: nothing ran.
  double mean_ratio = 0;                   ///< Geometric mean of our times over theirs; 0: no schedule ran in both.
  std::vector<ScheduleChange> changes;     ///< The worst first.

  size_t Count(Change change) const;
};

/// Slower or faster is what differs by more than 1 % and whose intervals do not overlap.
std::vector<GroupComparison> CompareGroups(const std::vector<ReportGroup>& ours,
                                           const std::vector<ReportGroup>& theirs);

/// Returns "mmtune 0.1.0, mlir 22.1.8, ptxas 13.0".
std::string ToolchainText(const Toolchain& toolchain);

/// The comparison with another log.
struct ReportComparison {
  std::string log;
  std::vector<GroupComparison> groups;
};

/// Returns what the page shows, as the JSON that page/report.js reads: every record of `groups`, with its schedule,
/// times and prediction, and the plots as drawings. `jobs`, in the order of their uuids, may lack some, as those of
/// imported records: these are named by their uuid. `left_out` says which records are not in `groups`; empty: none.
nlohmann::ordered_json ReportData(const std::string& log, int64_t made_unix_millis,
                                  const std::vector<ReportGroup>& groups, const std::vector<JobRow>& jobs,
                                  const std::optional<ReportComparison>& comparison, const std::string& left_out = "");

/// Escapes `title` and makes sure that no text in `data` can end the element that holds it.
std::string ReportPage(std::string_view title, const nlohmann::ordered_json& data);

/// The files of page/, which are compiled in.
struct PageParts {
  std::string_view html, css, js;
};
const PageParts& ReportPageParts();

}  // namespace mmtune
