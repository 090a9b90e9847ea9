// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best-schedule table: what every command that ranks schedules prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/measurement.h"
#include "server/tune/report/table.h"

namespace mmtune {

/// What tables show of a record's schedule; all "-" where this program's families do not know it.
ScheduleWords WordsOf(const TuningRecord& record);

/// The headings and the cells from "GFLOPS" to "registers", without the rank: for tables that put columns before them.
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

/// `records` in their order, with their rank; columns for percent of cuBLAS and of the peak where at least one record
/// has them; marks behind those whose health has a finding and those that are not proven. With a rival, a column says
/// how much longer they take than it: "+0.3 =" is tied, "0.0" the rival itself.
Table RankedTable(const std::vector<TuningRecord>& records, const std::optional<Schedule>& rival = std::nullopt);
/// The table as text in lines of `width` characters (0: any), and a line that explains each kind of mark in it.
std::string RankedText(const std::vector<TuningRecord>& records, const std::optional<Schedule>& rival = std::nullopt,
                       size_t width = 0);

}  // namespace mmtune
