// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the table of best schedules that all commands with a ranking print, and the lines below it: the time of the
// vendor's library (the baseline), and the reasons why schedules were skipped.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nlohmann/json.hpp"
#include "proto/types/measurement.h"
#include "server/tune/report/table.h"

namespace mmtune {

/// Returns "cuBLAS 13.1.0: 49.1 TFLOP/s, drift +0.3 %" for the latest of `records` that has a baseline, or "none
/// (<why>)".
std::string BaselineText(const std::vector<TuningRecord>& records);
/// Returns the baseline as a JSON object: library, median_ns, low_ns, high_ns, gflops and drift. If there is none, the
/// object has the reason only.
nlohmann::ordered_json BaselineJson(const std::vector<TuningRecord>& records);

/// The number of skipped schedules for each reason: the name of the lower bound that shows that the schedule cannot
/// win, or kNotChosen.
using SkippedBounds = std::map<std::string, int64_t>;

/// The reason of schedules that were compiled for a search which then chose others.
inline constexpr char kNotChosen[] = "not chosen";

/// Counts the record if its outcome is skipped.
void CountSkipped(const TuningRecord& record, SkippedBounds& bounds);
/// Returns "12 by blocks, 3 by schedulers"; empty if none was skipped by a bound.
std::string SkippedBoundsText(const SkippedBounds& bounds);
/// Returns "36 more, to choose by registers and spills" for the kNotChosen schedules; empty if there are none.
std::string NotChosenText(const SkippedBounds& bounds);

/// The columns from "GFLOP/s" to "differs in" of a table of schedules.
class ScheduleColumns {
 public:
  /// Chooses units and decimals by the fastest of `records`.
  explicit ScheduleColumns(const std::vector<TuningRecord>& records);

  std::vector<Column> Headings() const;
  /// Returns the cells of one of the records, by its index.
  std::vector<std::string> Cells(size_t index) const;

  /// The indices of the first column after the speed, and of the first one after the time.
  static constexpr int kAfterSpeed = 1, kAfterTime = 5;

 private:
  std::string SpreadCell(const Measurement& measured) const;

  std::vector<TuningRecord> records_;
  std::vector<std::string> differences_;
  int gflops_decimals_ = 2;
  std::string_view unit_name_ = "ms";
  double unit_ns_ = 1e6;
  int time_decimals_ = 2;
  bool any_wide_ = false;  ///< True if a spread is marked as wide.
};

/// Returns a table of `records` in their order, with their rank; the first row is bold. Columns that are empty or equal
/// in all rows are left out. Records whose device was in a doubtful state, or that are not verified, are marked, and so
/// are wide spreads. With a reference, the schedule with which the others were timed side by side, a column says how
/// much longer a schedule takes, in percent: "+0.3 =" is tied, "0.0" is the reference itself, and red is slower.
Table RankedTable(const std::vector<TuningRecord>& records, const std::optional<Schedule>& reference = std::nullopt);
/// Returns the table as text, and below it lines that explain its marks and the comparison with the reference.
std::string RankedText(const std::vector<TuningRecord>& records,
                       const std::optional<Schedule>& reference = std::nullopt, const TableStyle& style = {});

}  // namespace mmtune
