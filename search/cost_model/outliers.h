// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is far too slow is not worth a model: one schedule that spills, ten times slower than all others, would decide
// how smooth a Gaussian process takes all times to be, and that it is sure of what it does not know.
//
// After the half-rank warping of Song et al., The Vizier Gaussian Process Bandit Algorithm (arXiv 2408.11527, 2024).
#pragma once

#include <vector>

namespace mmtune {

/// Pulls in slow outliers: a value above the median is lowered to what a normal distribution, with the spread of the
/// lower half, has at its rank. Order and lower half are unchanged, and equal values stay equal. With fewer than 8
/// values, or an equal lower half, nothing changes.
std::vector<double> WithoutOutliers(std::vector<double> values);

}  // namespace mmtune
