// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tames slow outliers before a Gaussian process is fitted: a single schedule that spills and is ten times slower than
// the others would otherwise decide the length of the kernel for all of them.
//
// After the half-rank warping of Song et al., The Vizier Gaussian Process Bandit Algorithm (arXiv 2408.11527, 2024).
#pragma once

#include <vector>

namespace mmtune {

/// Returns the values with each one above the median lowered to the quantile, at its rank, of a normal distribution
/// with the deviation of the lower half. Keeps the order, the lower half and equality. Returns the values unchanged if
/// there are fewer than 8, or if the lower half is constant.
std::vector<double> WithoutOutliers(std::vector<double> values);

}  // namespace mmtune
