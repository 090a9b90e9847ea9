// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the page of `tune report`: one HTML file that contains its data, drawings, style and script, and makes no
// network request. If it compares two logs, it shows which schedules became faster or slower, for example after a
// change of the toolchain.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/tuning_log.h"
#include "nlohmann/json.hpp"
#include "server/tune/report/report_records.h"

namespace mmtune {

/// The change of a schedule's newest record from the other log to the log of the page ("our log").
enum class Change {
  kBroken,  ///< Runs in the other log, but not in ours.
  kSlower,
  kSame,
  kFaster,
  kMended,  ///< Runs in our log, but not in the other.
};
/// Returns "broken", "slower", "same", "faster" or "mended".
std::string_view ChangeName(Change change);

/// The comparison of one schedule that both logs have, and that ran in at least one of them.
struct ScheduleChange {
  Schedule schedule;
  Change change = Change::kSame;
  Outcome outcome = Outcome::kOk, other_outcome = Outcome::kOk;
  double ns = 0, other_ns = 0;  ///< The times in our log and in the other; 0 if it did not run.
};

/// The comparison of the schedules of one problem, class of devices and regime (warm or cold caches) that both logs
/// have.
struct GroupComparison {
  MatmulProblem problem;
  DeviceInfo device;
  std::string regime;
  std::string toolchain, other_toolchain;  ///< The toolchains of the newest records of the two logs.
  double best_ns = 0, other_best_ns = 0;   ///< The fastest times of the two logs; 0 if nothing ran.
  double mean_ratio = 0;                ///< The geometric mean of our time / other time; 0 if no schedule ran in both.
  std::vector<ScheduleChange> changes;  ///< Broken and slower schedules first.

  /// Returns the number of schedules with this change.
  size_t Count(Change change) const;
};

/// Compares the groups that both logs have. A schedule is slower or faster if its times differ by more than 1 % and
/// their confidence intervals do not overlap.
std::vector<GroupComparison> CompareGroups(const std::vector<ReportGroup>& ours,
                                           const std::vector<ReportGroup>& theirs);

/// Returns "mmtune 0.1.0, mlir 22.1.8, ptxas 13.0".
std::string ToolchainText(const Toolchain& toolchain);

/// The comparison with another log.
struct ReportComparison {
  std::string log;  ///< The name of the other log.
  std::vector<GroupComparison> groups;
};

/// Returns the contents of the page, as the JSON that page/report.js reads: every record of `groups`, with its
/// schedule, times and prediction, and the plots as drawings. `jobs` must be sorted by uuid. A job that it does not
/// contain, such as one of imported records, is shown by its uuid. `left_out` is a sentence that says which records are
/// not in `groups`; empty: none are missing.
nlohmann::ordered_json ReportData(const std::string& log, int64_t made_unix_millis,
                                  const std::vector<ReportGroup>& groups, const std::vector<JobRow>& jobs,
                                  const std::optional<ReportComparison>& comparison, const std::string& left_out = "");

/// Returns the page as HTML. Escapes `title`, and makes sure that no text in `data` can end the HTML element that
/// contains it.
std::string ReportPage(std::string_view title, const nlohmann::ordered_json& data);

/// The files of the folder page/, which are compiled into the program.
struct PageParts {
  std::string_view html, css, js;
};
const PageParts& ReportPageParts();

}  // namespace mmtune
