// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects a few kernels for a problem of many sizes. Its sizes are divided into buckets, each kernel has a time in each
// bucket, and a dispatch table names the kernel of each bucket. Regret is the time of the kernel of a bucket divided by
// that of the bucket's fastest kernel, less 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// Divides the sizes `from` to `to` into buckets, and returns the last size of each bucket, ascending. These are the
/// powers of two and the sizes halfway between them (1, 2, 3, 4, 6, 8, 12, ...), and `to`. A bucket begins after the
/// last size of the one before. `from` must be 1 or more, and not above `to`.
std::vector<int64_t> HalfOctaves(int64_t from, int64_t to);

/// The kernels that were selected.
struct KernelSelection {
  std::vector<size_t> kernel_of;  ///< The kernel of each bucket.
  std::vector<double> regret;     ///< One for each bucket.
  size_t kernels = 0;             ///< The number of different kernels in `kernel_of`.
  double mean_regret = 0;         ///< The geometric mean of 1 + regret over all buckets, less 1.
  double p90_regret = 0;          ///< At least nine tenths of the buckets have at most this regret.
};

/// Selects kernels one by one, each time the one that lowers mean_regret most, until mean_regret is at most
/// kMostMeanRegret and p90_regret is at most kMostP90Regret. `ns[kernel][bucket]` is a time, or 0 where the kernel
/// cannot be used or was not measured. Of kernels that are equally good, the first is taken. Returns NotFound with the
/// first bucket that no kernel can be used in.
absl::StatusOr<KernelSelection> SelectKernels(const std::vector<std::vector<double>>& ns);

inline constexpr double kMostMeanRegret = 0.03;
inline constexpr double kMostP90Regret = 0.08;

}  // namespace mmtune
