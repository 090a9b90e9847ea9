// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes what `tune model` prints: the products of a model (its distinct matmul problems), their progress, and their
// times before and after.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "proto/json/model_products.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/schedule.h"
#include "server/tune/report/progress.h"
#include "server/tune/report/table.h"

namespace mmtune {

/// A product of a model, and what was found for it.
struct ProductResult {
  ModelProduct product;          ///< Its calls are known.
  double before_ns = 0;          ///< The time of the schedule that the model used before.
  bool before_measured = false;  ///< False if before_ns is an estimate.
  double after_ns = 0;           ///< The time of the best schedule; 0 if there is none.
  std::optional<Schedule> best;
  int64_t trials = 0;  ///< Trials with a result, those of the log included.
  int64_t failed = 0;  ///< How many of these gave no valid time.
  /// Set for a bucket of a product whose M is known at run time only: these M. That of the problem is the last.
  std::optional<RowRange> rows;
  double share = 1;  ///< The share of a bucket in the calls of its product.

  double Calls() const { return share * static_cast<double>(product.calls.value_or(1)); }
  /// Returns the time of the model in this product, before and with the best schedule.
  double BeforeNs() const { return Calls() * before_ns; }
  double AfterNs() const { return Calls() * (after_ns > 0 ? after_ns : before_ns); }
};

/// A part of a dispatch table, of which all M get the same kernel.
struct DispatchBucket {
  RowRange rows;
  double best_ns = 0;  ///< The time of the fastest kernel for the last M of its bucket.
  double used_ns = 0;  ///< That of `schedule`.
  Schedule schedule;

  double Regret() const { return best_ns > 0 ? used_ns / best_ns - 1 : 0; }
};

/// The dispatch table of a product whose M is known at run time only.
struct DispatchTable {
  std::string problem;  ///< ModelProduct::Text().
  std::vector<DispatchBucket> buckets;
  size_t kernels = 0;
  double mean_regret = 0;  ///< By the geometric mean of the ratios.
  double p90_regret = 0;
};

/// Returns the dispatch tables, with the regret of each bucket: by how much its kernel is slower than its fastest one.
std::string DispatchText(const std::vector<DispatchTable>& tables, const TableStyle& style);

/// Returns the table of the products: how often each is computed, and its share of the FLOPs and of the time now. Times
/// that are estimates begin with "~".
std::string ProductsText(const std::vector<ProductResult>& products, const TableStyle& style);
/// Returns the table of the times before and after, and the time of the whole model.
std::string ModelResultText(const std::vector<ProductResult>& products, const TableStyle& style);
/// Returns the same as one JSON object on one line.
std::string ModelResultJson(const std::vector<ProductResult>& products, const std::vector<DispatchTable>& tables,
                            bool interrupted);
/// Returns "12 of 64 trials, matmuls 4.02 ms -> 3.1 ms (-23 %)". `limit` is the most trials, 0 for no limit.
std::string ModelProgressText(const std::vector<ProductResult>& products, int64_t limit);

/// Returns the same as numbers.
ProgressCounts ModelProgress(const std::vector<ProductResult>& products, int64_t limit);

/// Reads the number of calls of each product from JSON, an object of ModelProduct::Text() and numbers:
/// {"32x48x64 epilogue=bias,relu": 12}. Products that it does not name keep their calls. Returns InvalidArgument if a
/// text is no problem of the model, or a number is not whole and at least 0.
absl::Status ApplyCounts(std::string_view json, std::vector<ModelProduct>& products);

}  // namespace mmtune
