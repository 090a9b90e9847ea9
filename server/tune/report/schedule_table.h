// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of best schedules that every ranking command prints, and the lines below it: the baseline of the vendor's
// library, and why schedules were skipped.
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
/// Returns the same as an object: library, median_ns, gflops and drift, or reason.
nlohmann::ordered_json BaselineJson(const std::vector<TuningRecord>& records);

/// Counts of skipped schedules by the lower bound that refuted them, or kNotChosen.
using SkippedBounds = std::map<std::string, int64_t>;

/// The key of schedules that were compiled ahead, for a search that chose others.
inline constexpr char kNotChosen[] = "not chosen";

/// Counts a skipped record; ignores any other one.
void CountSkipped(const TuningRecord& record, SkippedBounds& bounds);
/// Returns "12 by blocks, 3 by schedulers"; empty if none was skipped by a bound.
std::string SkippedBoundsText(const SkippedBounds& bounds);
/// Returns "36 more, to choose by registers and spills"; empty if all that were compiled were chosen.
std::string NotChosenText(const SkippedBounds& bounds);

/// The columns from "GFLOP/s" to "differs in" of a table of schedules.
class ScheduleColumns {
 public:
  /// Units and decimals suit the fastest of `records`.
  explicit ScheduleColumns(const std::vector<TuningRecord>& records);

  std::vector<Column> Headings() const;
  /// Returns the cells of one of the records, by its index.
  std::vector<std::string> Cells(size_t index) const;

  /// Index of the first column behind the speed, and of the first one behind the time.
  static constexpr int kAfterSpeed = 1, kAfterTime = 5;

 private:
  std::string SpreadCell(const Measurement& measured) const;

  std::vector<TuningRecord> records_;
  std::vector<std::string> differences_;
  int gflops_decimals_ = 2;
  std::string_view unit_name_ = "ms";
  double unit_ns_ = 1e6;
  int time_decimals_ = 2;
  bool any_wide_ = false;  ///< A spread is marked.
};

/// Returns `records` in their order, with their rank, the first one bold. Columns that are empty or alike in all rows
/// are left out. Marks follow records that are in doubt or not verified, and spreads that are wide. With a reference, a
/// column says how much longer they take: "+0.3 =" is tied, "0.0" the reference itself; red is slower.
Table RankedTable(const std::vector<TuningRecord>& records, const std::optional<Schedule>& reference = std::nullopt);
/// Returns the table, and a line that explains each kind of mark in it, and the comparison.
std::string RankedText(const std::vector<TuningRecord>& records,
                       const std::optional<Schedule>& reference = std::nullopt, const TableStyle& style = {});

}  // namespace mmtune
