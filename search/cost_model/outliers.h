// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tames slow outliers before a Gaussian process is fitted: a single schedule that spills and is ten times slower than
// the others would otherwise decide the length of the kernel for all of them.
//
// After the half-rank warping of Song et al., The Vizier Gaussian Process Bandit Algorithm (arXiv 2408.11527, 2024).
#pragma once

#include <vector>

namespace mmtune {

/// Returns the values with slow outliers lowered, to prepare them for MostLikelyKernel(). Otherwise a single schedule
/// that spills registers and is ten times slower would decide the length of the kernel for all.
///
/// Each value above the median is lowered to the quantile, at its rank, of a normal distribution with the deviation of
/// the lower half. Order and equality are kept. Returns the values unchanged if there are fewer than 8, or the lower
/// half is constant. It is the half-rank warping of Song et al., The Vizier Gaussian Process Bandit Algorithm (arXiv
/// 2408.11527, 2024).
std::vector<double> WithoutOutliers(std::vector<double> values);

}  // namespace mmtune
