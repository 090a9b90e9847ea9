// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products whose number of rows, or of matrices, is known when they are launched and not before.
#pragma once

#include <cstdint>
#include <string>

#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// The sizes of a problem that its kernel is launched with. In their place the problem has representative ones, which
/// schedules are chosen by; they say nothing of what is run.
struct RunTimeSizes {
  bool rows = false;   ///< MatmulProblem::m. The kernel gets it as its last parameter, an i32.
  bool batch = false;  ///< MatmulProblem::batch, which the grid alone tells the kernel; then it is not 1.

  bool any() const { return rows || batch; }
  bool operator==(const RunTimeSizes&) const = default;
};

/// The representative number of rows: of multiples of `factor` (what is known of it) the first of at least 512; a
/// judgement. Returns 0 when `factor` is 0.
int64_t RepresentativeRows(int64_t factor);
/// The same of matrices: the first multiple of at least 16.
int64_t RepresentativeBatch(int64_t factor);

/// Why the kernels of a schedule that is valid for the problem cannot have such sizes at run time; empty when they can:
/// what its family says (SpaceFamily), or that the family is unknown.
std::string WhyNotAtRunTime(const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes);

/// The schedule with every tile a block's own, for sizes at run time: without split-k and stream-k. One of an unknown
/// family is returned as it is.
Schedule WithWholeTiles(const Schedule& schedule);

/// MatmulProblem::Text() with ? for such sizes: "?x512x256 batch=?".
std::string TextWithSizes(const MatmulProblem& problem, RunTimeSizes sizes);

}  // namespace mmtune
