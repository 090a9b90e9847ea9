// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a model whose rows are known at run time only. Their sizes are divided into buckets, each of which is
// tuned as a product of its own; then few kernels are selected for all of them, and a dispatch table says which rows
// each of these computes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/json/model_products.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/device_info.h"
#include "proto/types/ranked_record.h"
#include "server/tune/report/model_text.h"

namespace mmtune {

/// The sizes of a dimension of the model's arguments, where it is known at run time only.
struct DimensionSizes {
  int64_t dimension = 0;
  int64_t from = 1;
  int64_t to = 1;
};

/// Parses "0=1..8192". Returns InvalidArgument saying what is wrong.
absl::StatusOr<DimensionSizes> ParseDimensionSizes(std::string_view text);

/// Returns InvalidArgument if the model has no rows that depend on the dimension, or on others, too.
absl::Status CheckDimension(const ModelProducts& products, const DimensionSizes& sizes);

/// Makes one product of those that differ in their steps of rows alone, as one dispatch table serves them: it has the
/// calls of all, which are unknown if those of one are. Returns the steps of each product that is left; none where the
/// rows are constant.
std::vector<std::set<int64_t>> JoinSteps(std::vector<ModelProduct>& products);

/// Returns the buckets of a product whose rows are known at run time only, each with its largest number of rows: those
/// of all its steps. The schedule of a bucket is the product's if it is valid there, else a default one. Returns
/// InvalidArgument if the problem cannot have so many rows.
absl::StatusOr<std::vector<ProductResult>> BucketsOf(const ModelProduct& product, const std::set<int64_t>& steps,
                                                     const DimensionSizes& sizes, const DeviceInfo& device);

/// True if both are buckets of one product.
bool AreOfOneProduct(const ProductResult& a, const ProductResult& b);

/// Sets the share of each bucket in its product. Every bucket then has an equal part of the product's time, which is
/// that of the geometric mean of its buckets: small sizes count as much as large ones.
void SetShares(std::vector<ProductResult>& rows);

/// Returns the parts of families (JobSpec::only) whose kernels take rows at run time.
std::vector<std::string> PartsForRows(const MatmulProblem& problem, const DeviceInfo& device);

/// Returns the position of the fastest record whose kernel takes rows at run time; nullopt if there is none.
std::optional<size_t> FastestForRows(const std::vector<RankedRecord>& ranked);

/// Returns jobs that measure the best schedules of the nearest buckets in each bucket where they are valid, or the one
/// that is used now where nothing else is known. `job` is the request without its problem. `measured` are the rankings
/// of the rows.
std::vector<v1::JobSpec> NeighbourJobs(const std::vector<ProductResult>& rows,
                                       const std::vector<std::vector<RankedRecord>>& measured, const DeviceInfo& device,
                                       const v1::JobSpec& job);

/// Makes the dispatch table of each product, and appends its lines to `spec`. A kernel stands in a line only if its
/// rules hold for all rows of the line: a bucket is split where they begin to. Products with a bucket that no kernel
/// was measured in have no table; `note` is called with a line about them.
std::vector<DispatchTable> MakeTables(const std::vector<ProductResult>& rows,
                                      const std::vector<std::vector<RankedRecord>>& measured, const DeviceInfo& device,
                                      TuningSpec& spec, const std::function<void(std::string_view)>& note);

}  // namespace mmtune
