// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of best schedules that every ranking command prints, and the lines below it: the baseline of the vendor's
// library, and why schedules were skipped.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/perf_model/schedule_geometry.h"
#include "nlohmann/json.hpp"
#include "proto/types/measurement.h"
#include "server/tune/report/table.h"

namespace mmtune {

/// Returns "cuBLAS 13.1.0: 49.1 TFLOPS, drift +0.3 %" for the latest of `records` that has a baseline, or "none
/// (<why>)".
std::string BaselineText(const std::vector<TuningRecord>& records);
/// Returns the same as an object: library, median_ns, gflops and drift, or reason.
nlohmann::ordered_json BaselineJson(const std::vector<TuningRecord>& records);

/// Counts of skipped schedules by the lower bound that refuted them, or kNotChosen.
using SkippedBounds = std::map<std::string, int64_t>;

/// Compiled ahead, for a search that chose others.
inline constexpr char kNotChosen[] = "not chosen";

/// Counts a skipped record; ignores any other one.
void CountSkipped(const TuningRecord& record, SkippedBounds& bounds);
/// Returns "12 by blocks, 3 by schedulers"; empty if none was skipped by a bound.
std::string SkippedBoundsText(const SkippedBounds& bounds);
/// Returns "36 more, to choose by registers and spills"; empty if all that were compiled were chosen.
std::string NotChosenText(const SkippedBounds& bounds);

/// Returns the words that tables show of a schedule; all "-" if this program's families do not know it.
ScheduleLabels WordsOf(const TuningRecord& record);

/// The columns from "GFLOPS" to "registers" of a table of schedules.
class ScheduleColumns {
 public:
  /// Units and decimals suit the fastest of `records`.
  explicit ScheduleColumns(const std::vector<TuningRecord>& records);

  std::vector<Column> Headings() const;
  std::vector<std::string> Cells(const TuningRecord& record) const;

 private:
  int gflops_decimals_ = 2;
  std::string_view unit_name_ = "ms";
  double unit_ns_ = 1e6;
  int time_decimals_ = 2;
};

/// Returns `records` in their order, with their rank. Columns for percent of cuBLAS and of the peak are there if a
/// record has them; marks follow records that are in doubt or not verified. With a reference, a column says how much
/// longer they take: "+0.3 =" is tied, "0.0" the reference itself.
Table RankedTable(const std::vector<TuningRecord>& records, const std::optional<Schedule>& reference = std::nullopt);
/// Returns the table in lines of `width` characters (0: any), and a line that explains each kind of mark in it.
std::string RankedText(const std::vector<TuningRecord>& records,
                       const std::optional<Schedule>& reference = std::nullopt, size_t width = 0);

}  // namespace mmtune
