// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats the output of `tune model`: the matmuls of a model (its distinct problems), their progress, and their times
// before and after tuning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "proto/json/model_matmuls.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/schedule.h"
#include "server/tune/report/progress.h"
#include "server/tune/report/table.h"

namespace mmtune {

/// A matmul of a model, and the results of tuning it.
struct MatmulResult {
  ModelMatmul matmul;            ///< If its `calls` are absent, they count as 1.
  double before_ns = 0;          ///< The time of the schedule that the model used before.
  bool before_measured = false;  ///< False if before_ns is an estimate.
  double after_ns = 0;           ///< The time of the best schedule found; 0 if there is none.
  std::optional<Schedule> best;  ///< The best schedule found; absent if there is none.
  int64_t trials = 0;            ///< The number of trials with a result, including results from the log.
  int64_t failed = 0;            ///< The number of these trials that gave no valid time.
  /// If M is known at run time only, its range is divided into buckets (row_tables.h), and this is the range of one
  /// bucket. The problem then has the largest M of the range.
  std::optional<RowRange> rows;
  double share = 1;  ///< The share of the bucket in the calls of its matmul; 1 without buckets.

  double Calls() const { return share * static_cast<double>(matmul.calls.value_or(1)); }
  /// Return the time that the model spends in this matmul, before tuning and with the best schedule.
  double BeforeNs() const { return Calls() * before_ns; }
  double AfterNs() const { return Calls() * (after_ns > 0 ? after_ns : before_ns); }
};

/// A line of a dispatch table: a range of M that uses one kernel.
struct DispatchBucket {
  RowRange rows;
  double best_ns = 0;  ///< The time of the fastest kernel for the last M of its bucket.
  double used_ns = 0;  ///< The time of `schedule` for the same M.
  Schedule schedule;

  /// Returns by how much the kernel that is used is slower than the fastest one: 0.05 means 5 %.
  double Regret() const { return best_ns > 0 ? used_ns / best_ns - 1 : 0; }
};

/// The dispatch table of a matmul whose M is known at run time only.
struct DispatchTable {
  std::string problem;  ///< ModelMatmul::Text().
  std::vector<DispatchBucket> buckets;
  size_t kernels = 0;      ///< The number of different kernels in `buckets`.
  double mean_regret = 0;  ///< The geometric mean of 1 + regret over all buckets, less 1.
  double p90_regret = 0;   ///< At least nine tenths of the buckets have at most this regret.
};

/// The time of the whole model: the median time of a call of one of its functions.
struct ModelRunTimes {
  std::string function;
  int64_t calls = 1;     ///< The number of calls of which the times are the median.
  double before_ns = 0;  ///< With the schedules that the model used before.
  double after_ns = 0;
};

/// Returns a line with the times of the model.
std::string ModelRunTimesText(const ModelRunTimes& times, const TableStyle& style);

/// Returns the dispatch tables as text, with the regret of each bucket: by how much the kernel that is used is slower
/// than the fastest one for the bucket.
std::string DispatchText(const std::vector<DispatchTable>& tables, const TableStyle& style);

/// Returns a table of the matmuls: how often the model computes each of them, and its share of the model's FLOPs and
/// of its time now. Estimated times begin with "~".
std::string MatmulsText(const std::vector<MatmulResult>& matmuls, const TableStyle& style);
/// Returns a table of the matmuls' times before and after tuning, and the time of the whole model.
std::string ModelResultText(const std::vector<MatmulResult>& matmuls, const TableStyle& style);
/// Returns the times and the dispatch tables as one JSON object on one line.
std::string ModelResultJson(const std::vector<MatmulResult>& matmuls, const std::vector<DispatchTable>& tables,
                            const std::optional<ModelRunTimes>& times, bool interrupted);
/// Returns "12 of 64 trials, matmuls 4.02 ms -> 3.1 ms (-23 %)". `limit` is the most trials, 0 for no limit.
std::string ModelProgressText(const std::vector<MatmulResult>& matmuls, int64_t limit);

/// Returns the counts of ModelProgressText() as numbers.
ProgressCounts ModelProgress(const std::vector<MatmulResult>& matmuls, int64_t limit);

/// Sets how often the model computes each matmul. `json` is an object that maps ModelMatmul::Text() to a number:
/// {"32x48x64 epilogue=bias,relu": 12}. Matmuls that it does not name keep their calls. Returns InvalidArgument if a
/// key is not a matmul of the model, or a number is negative or not an integer.
absl::Status ApplyCounts(std::string_view json, std::vector<ModelMatmul>& matmuls);

}  // namespace mmtune
