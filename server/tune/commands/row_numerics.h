// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the summation signature (kernels/families/common/summation.h) that all kernels of a dispatch table have, so
// that a row of C has the same bits whatever M is, and whichever of the kernels computes it.
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

/// A signature for all buckets of a product.
struct SharedSignature {
  std::string text;
  /// How much slower the buckets are with it than each is with the signature that suits it best: the geometric mean of
  /// the ratios of predicted times, less 1.
  double cost = 0;
};

/// Chooses the signature with the lowest cost; of equal ones the first by their text. `buckets` are the problems of a
/// product that differ in M alone, and `parts` the parts of kernel families to search (JobSpec::only). Only signatures
/// that are possible for any M, and in all of these buckets, are considered. If there are many buckets, the cost is
/// predicted from a few of them. Returns InvalidArgument if there is no such signature.
absl::StatusOr<SharedSignature> ChooseSharedSignature(const std::vector<MatmulProblem>& buckets,
                                                      const std::vector<std::string>& parts, const DeviceInfo& device);

/// Returns, for each of `rows` (a product, or a bucket of one), how its search is restricted by the order of additions.
/// That is `asked`, except that for batch-invariant results each bucket must have the shared signature of its product.
/// `parts_for` returns the parts of kernel families to search; `note` is called with a line about each signature.
absl::StatusOr<std::vector<Numerics>> NumericsOfRows(
    const Numerics& asked, const std::vector<ProductResult>& rows,
    const std::function<std::vector<std::string>(const ProductResult&)>& parts_for, const DeviceInfo& device,
    const std::function<void(std::string_view)>& note);

}  // namespace mmtune
