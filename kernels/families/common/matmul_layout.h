// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products whose number of rows, or of matrices, is known when they are launched and not before.
//
// Products whose matrices do not lie densely one after another: rows of a wider buffer, heads between rows and columns,
// one matrix for a whole batch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proto/types/device_info.h"
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


/// Where the elements of an operand are, in elements. Rows are those in which it is stored: of a transposed A those of
/// k. Neighbours in a row are neighbours in memory.
struct OperandLayout {
  int64_t rowStride = 0;               ///< From a row to the next one: the leading dimension.
  std::vector<int64_t> matrixStrides;  ///< For each of MatmulLayout::matrices; 0: they share a matrix.
  /// The first matrix begins at a multiple of so many elements from an address that is aligned as kernels expect it; 0:
  /// at that address.
  int64_t alignment = 0;

  bool operator==(const OperandLayout&) const = default;
};

/// The layout of all operands of a product; that of the addend is C's. Empty: they are dense, as MatmulProblem says.
struct MatmulLayout {
  /// The batch, counted by several numbers, the first of which varies slowest: their product is MatmulProblem::batch.
  std::vector<int64_t> matrices;
  OperandLayout a, b, c;

  bool any() const { return a.rowStride != 0; }
  /// "lda=96 ldb=96 ldc=32 matrices=2x3 stride_a=768,16 stride_b=768,16 stride_c=768,32 align=0,16,0"; empty where
  /// dense.
  std::string Text() const;
  bool operator==(const MatmulLayout&) const = default;
};

/// The layout that is meant where there is none.
MatmulLayout DenseLayout(const MatmulProblem& problem);

/// The layout, or none where it is what a dense problem has, and every matrix aligned as its kernels expect it.
MatmulLayout WithoutDense(const MatmulProblem& problem, MatmulLayout layout);

/// The elements that may be moved at once are a divisor of this: rows of `rowElements` are whole multiples of it, and
/// begin at such. Of the operand of a dense product it is the length of a row.
int64_t RowAlignment(const OperandLayout& layout, int64_t rowElements);

/// Why the kernels of a schedule that is valid for the dense problem cannot have such a layout; empty when they can.
/// `fma` and `mma` can, where the rules hold for the copies that it allows, and `gemv`, where C is not cleared or
/// summed as a dense one.
std::string WhyNotLaidOut(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                          const MatmulLayout& layout);

}  // namespace mmtune
