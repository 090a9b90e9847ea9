// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls beyond dense operands of fixed sizes: sizes that are known at run time only, and layouts such as rows of a
// wider buffer, heads between rows and columns, or one matrix for a whole batch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// The sizes of a problem that are known when its kernel is launched. The problem has representative sizes in their
/// place, by which schedules are chosen.
struct RunTimeSizes {
  bool rows = false;   ///< MatmulProblem::m; the kernel gets it as its last parameter, an i32.
  bool batch = false;  ///< MatmulProblem::batch, not 1; the kernel gets it by the grid alone.

  bool any() const { return rows || batch; }
  bool operator==(const RunTimeSizes&) const = default;
};

/// Returns the representative number of rows: the first multiple of `factor` (a known factor of the rows) of at least
/// 512, which is a judgement; 0 where `factor` is 0.
int64_t RepresentativeRows(int64_t factor);
/// Returns the representative number of matrices: the first multiple of `factor` of at least 16; 0 where it is 0.
int64_t RepresentativeBatch(int64_t factor);

/// Says why the kernels of a valid schedule cannot have such sizes at run time; empty where they can.
std::string WhyNotAtRunTime(const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes);

/// Returns the schedule without split-k and stream-k, as sizes at run time need it; unchanged for an unknown family.
Schedule WithWholeTiles(const Schedule& schedule);

/// Returns MatmulProblem::Text() with ? for such sizes: "?x512x256 batch=?".
std::string TextWithSizes(const MatmulProblem& problem, RunTimeSizes sizes);

/// The layout of an operand, in elements. Rows are those in which it is stored: for a transposed A, rows of k. The
/// elements of a row are contiguous.
struct OperandLayout {
  int64_t rowStride = 0;               ///< Distance of consecutive rows, the leading dimension.
  std::vector<int64_t> matrixStrides;  ///< One stride for each of MatmulLayout::matrices; 0: they share a matrix.
  /// The first matrix begins at a multiple of so many elements from an address that is aligned as kernels expect; 0: at
  /// that address.
  int64_t alignment = 0;

  bool operator==(const OperandLayout&) const = default;
};

/// The layout of all operands of a matmul; the addend has that of C. Empty where they are dense, as MatmulProblem says.
struct MatmulLayout {
  /// The extents of the batch, the first of which varies slowest; their product is MatmulProblem::batch.
  std::vector<int64_t> matrices;
  OperandLayout a, b, c;

  bool any() const { return a.rowStride != 0; }
  /// Returns "lda=96 ldb=96 ldc=32 matrices=2x3 stride_a=768,16 stride_b=768,16 stride_c=768,32 align=0,16,0"; empty
  /// where dense.
  std::string Text() const;
  bool operator==(const MatmulLayout&) const = default;
};

/// Returns the layout of dense operands, which an empty layout stands for.
MatmulLayout DenseLayout(const MatmulProblem& problem);

/// Returns the layout, or an empty one where it is dense and every matrix is aligned as kernels expect.
MatmulLayout WithoutDense(const MatmulProblem& problem, MatmulLayout layout);

/// Returns the alignment of rows in elements: it divides `rowElements`, strides and offsets. For a dense operand it is
/// the length of a row. Divisors of it can be moved at once.
int64_t RowAlignment(const OperandLayout& layout, int64_t rowElements);

/// Says why the kernels of a schedule that is valid for the dense problem cannot have such a layout; empty where they
/// can: `fma` and `mma`, if the rules hold for the copies that it allows, and `gemv`, if C is neither cleared nor
/// summed as a dense matrix.
std::string WhyNotLaidOut(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                          const MatmulLayout& layout);

}  // namespace mmtune
