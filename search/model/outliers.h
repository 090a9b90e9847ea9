// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is far too slow is not worth a model: one schedule that spills, ten times slower than all others, would decide
// how smooth a Gaussian process takes all times to be, and that it is sure of what it does not know.
//
// After the half-rank warping of Song et al., The Vizier Gaussian Process Bandit Algorithm (arXiv 2408.11527, 2024).
#pragma once

#include <vector>

namespace mmtune {

/// Values (low ones are good) of which those above the median are no higher than a normal deviate of their rank would
/// be, were the others' spread below the median that of a normal distribution. Equal ones stay equal; order and lower
/// half stay as they are; so do all where the lower half is equal, and fewer than 8, half of which say too little of a
/// spread.
std::vector<double> WithoutOutliers(std::vector<double> values);

}  // namespace mmtune
