// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the summation signature of a dispatch table: the order in which all of its kernels add up the products of an
// element of C (kernels/families/common/summation.h). Because the order is the same, a row of C has the same bits
// whatever M is, and whichever of the kernels computes it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/families/common/summation.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "server/tune/report/model_text.h"

namespace mmtune {

/// A signature for all buckets of a matmul. A bucket is a range of M, tuned as a problem of its own (row_tables.h).
struct SharedSignature {
  std::string text;  ///< SummationSignature::Text().
  /// How much slower the buckets are with it than each is with the signature that suits it best: the geometric mean of
  /// the ratios of predicted times, less 1.
  double cost = 0;
};

/// Chooses the signature with the lowest cost; of equal ones the first by their text. `buckets` are the problems of the
/// buckets of one matmul, which differ in M alone. `parts` are the parts of kernel families to search (JobSpec::only).
/// Only signatures that are possible for any M, and in all of these buckets, are considered. Returns InvalidArgument if
/// there is no such signature.
absl::StatusOr<SharedSignature> ChooseSharedSignature(const std::vector<MatmulProblem>& buckets,
                                                      const std::vector<std::string>& parts, const DeviceInfo& device);

/// Returns the restriction on the order of additions for the search of each of `rows`, which are matmuls and buckets of
/// matmuls. The restriction is `asked`, but if that is batch-invariant, all buckets of a matmul must have the signature
/// that ChooseSharedSignature() chooses for them. `parts_for` returns the parts of kernel families to search; `note` is
/// called with a line about each signature. Returns the error of ChooseSharedSignature().
absl::StatusOr<std::vector<Numerics>> NumericsOfRows(
    const Numerics& asked, const std::vector<MatmulResult>& rows,
    const std::function<std::vector<std::string>(const MatmulResult&)>& parts_for, const DeviceInfo& device,
    const std::function<void(std::string_view)>& note);

/// Checks that a model compiled with the results has the restriction `asked`; `numerics` are those of NumericsOfRows().
/// Returns an error with exit code kNoResult that names a matmul of one of these two kinds:
///
///   no measured schedule   the model keeps the schedule that it has now, and `numerics` of the row does not allow it
///   buckets, no table      `tables` lacks the matmul; a kernel for every M may have another order of additions
absl::Status CheckNumerics(const Numerics& asked, const std::vector<Numerics>& numerics,
                           const std::vector<MatmulResult>& rows, const std::vector<DispatchTable>& tables,
                           const DeviceInfo& device);

}  // namespace mmtune
