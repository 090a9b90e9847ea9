// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tunes matmuls of a model whose number of rows, M, is known at run time only. The range of M is divided into buckets,
// and each bucket is tuned as a matmul of its own, with its largest M. Then a few kernels are selected for all buckets
// of a matmul, and a dispatch table says which kernel computes which M. If only the number of matrices is known at run
// time, one kernel is tuned.
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
#include "proto/json/model_matmuls.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/device_info.h"
#include "proto/types/ranked_record.h"
#include "server/tune/report/model_text.h"

namespace mmtune {

/// The sizes of a dimension of the model's arguments, where it is known at run time only.
struct DimensionSizes {
  int64_t dimension = 0;  ///< Its index in the arguments' shapes, from 0.
  int64_t from = 1;
  int64_t to = 1;  ///< The largest size, included.
};

/// Parses "0=1..8192". Returns InvalidArgument saying what is wrong.
absl::StatusOr<DimensionSizes> ParseDimensionSizes(std::string_view text);

/// Returns InvalidArgument if no matmul of the model has rows or a batch that depend on the dimension, or if the sizes
/// of other dimensions are known at run time only, too.
absl::Status CheckDimension(const ModelMatmuls& found, const DimensionSizes& sizes);

/// Joins matmuls that differ only in their number of rows and its divisor, ModelMatmul::rows_step, because one
/// dispatch table serves them all. The joined matmul has the sum of their calls, which is unknown if the calls of one
/// are. Returns, for each remaining matmul, the rows_step of all matmuls from which it was joined; an empty set if its
/// number of rows is constant.
std::vector<std::set<int64_t>> JoinSteps(std::vector<ModelMatmul>& matmuls);

/// Returns the buckets of a matmul whose number of rows is known at run time only. `steps`, a result of JoinSteps(),
/// must not be empty. The problem of a bucket has the bucket's largest number of rows. For each step of `steps`,
/// buckets end at the step times each size of HalfOctaves() (kernel_selection.h: powers of two, the sizes halfway
/// between them, and the last) of the range `sizes`. The schedule of a bucket is the matmul's if it is valid there,
/// else a default one. Returns InvalidArgument if the problem cannot have so many rows.
absl::StatusOr<std::vector<MatmulResult>> BucketsOf(const ModelMatmul& matmul, const std::set<int64_t>& steps,
                                                    const DimensionSizes& sizes, const DeviceInfo& device);

/// Returns the row of a matmul whose number of matrices is known at run time only: one kernel computes every number. It
/// is tuned for the middle of the range `sizes`, the geometric mean. If `rows` has that problem already, it is tuned
/// for more matrices. Returns InvalidArgument if the problem cannot have so many.
absl::StatusOr<MatmulResult> RowOfBatch(const ModelMatmul& matmul, const DimensionSizes& sizes,
                                        const std::vector<MatmulResult>& rows, const DeviceInfo& device);

/// True if both are buckets of one matmul.
bool HaveSameMatmul(const MatmulResult& a, const MatmulResult& b);

/// Sets MatmulResult::share of each bucket, its share in the calls of its matmul. The time of a matmul is taken to be
/// the geometric mean of the times of its buckets, and all buckets contribute equally to it, so that small sizes count
/// as much as large ones.
void SetShares(std::vector<MatmulResult>& rows);

/// Returns the parts of kernel families (in the form of JobSpec::only) whose kernels take the number of rows, or of
/// matrices, at run time.
std::vector<std::string> PartsForRows(const MatmulProblem& problem, const DeviceInfo& device);

/// Returns the index of the fastest record whose kernel takes the number of rows at run time; nullopt if there is none.
std::optional<size_t> FastestForRows(const std::vector<RankedRecord>& ranked);

/// Returns jobs that measure in each bucket the best schedules of the nearest buckets, if they are valid there. In a
/// bucket without any measured schedule, and without such neighbours, they measure the schedule that is used now. `job`
/// has the fields of the requests other than the problem. `measured` has the ranking of each of `rows`.
std::vector<v1::JobSpec> NeighbourJobs(const std::vector<MatmulResult>& rows,
                                       const std::vector<std::vector<RankedRecord>>& measured, const DeviceInfo& device,
                                       const v1::JobSpec& job);

/// Makes the dispatch table of each matmul, and appends its lines to `spec`. A line gives one kernel to a range of M.
/// The kernel's rules hold for the whole range: if they hold only from some M of a bucket on, the bucket is split
/// there. A matmul with a bucket in which no kernel was measured gets no table, and `note` is called with a line that
/// says so.
std::vector<DispatchTable> MakeTables(const std::vector<MatmulResult>& rows,
                                      const std::vector<std::vector<RankedRecord>>& measured, const DeviceInfo& device,
                                      TuningSpec& spec, const std::function<void(std::string_view)>& note);

}  // namespace mmtune
