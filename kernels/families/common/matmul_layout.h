// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes matmuls in a model that are not dense problems of fixed sizes. RunTimeSizes: the number of rows or matrices
// is known only at run time. MatmulLayout: operands are parts of larger buffers, for example columns of a wider matrix,
// attention heads whose matrices are interleaved, or one matrix that the whole batch shares.
//
//   A in a buffer of 96 columns, of which it uses 64:   a.rowStride = 96
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// The sizes of a problem that are known only when its kernel is launched. The problem has representative sizes
/// instead, for which schedules are chosen.
struct RunTimeSizes {
  bool rows = false;  ///< M: the kernel receives it as its last parameter, an i32.
  /// The batch: the kernel receives it as its grid size only. The problem's representative batch is above 1.
  bool batch = false;

  bool any() const { return rows || batch; }
  bool operator==(const RunTimeSizes&) const = default;
};

/// Returns a representative number of rows: the first multiple of `factor` that is at least 512, an assumed typical
/// size. The number of rows at run time is known to be a multiple of `factor`. Returns 0 if `factor` is 0.
int64_t RepresentativeRows(int64_t factor);
/// Returns a representative number of matrices: the first multiple of `factor` that is at least 16. Returns 0 if
/// `factor` is 0.
int64_t RepresentativeBatch(int64_t factor);

/// Returns the reason why the kernels of a valid schedule do not support such run-time sizes, or an empty string if
/// they do.
std::string WhyRunTimeSizesUnsupported(const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes);

/// Returns the schedule without split-k and stream-k, as run-time sizes require; unchanged for an unknown family.
Schedule WithWholeTiles(const Schedule& schedule);

/// Returns MatmulProblem::Text() with ? in place of run-time sizes: "?x512x256 batch=?".
std::string TextWithSizes(const MatmulProblem& problem, RunTimeSizes sizes);

/// The layout of an operand, in elements. Rows are those in memory: for a transposed A, a row has the elements of one
/// k. The elements of a row are contiguous.
struct OperandLayout {
  int64_t rowStride = 0;  ///< Distance of consecutive rows (leading dimension).
  /// The distance of consecutive matrices, for each dimension of MatmulLayout::matrices. 0: all matrices along the
  /// dimension are the same one.
  std::vector<int64_t> matrixStrides;
  /// If not 0, the first matrix does not begin at an address with the alignment that kernels expect, but a multiple of
  /// this number of elements after such an address.
  int64_t alignment = 0;

  bool operator==(const OperandLayout&) const = default;
};

/// The layout of all operands of a matmul. The addend has the layout of C. An empty layout means that all operands are
/// dense.
struct MatmulLayout {
  /// The dimensions of the batch, slowest first; their product is MatmulProblem::batch.
  std::vector<int64_t> matrices;
  OperandLayout a, b, c;

  /// True unless operands are dense.
  bool any() const { return a.rowStride != 0; }
  /// Returns "lda=96 ldb=96 ldc=32 matrices=2x3 stride_a=768,16 stride_b=768,16 stride_c=768,32 align=0,16,0"; empty if
  /// operands are dense.
  std::string Text() const;
  bool operator==(const MatmulLayout&) const = default;
};

/// Returns the layout of dense operands with all strides filled in.
MatmulLayout DenseLayout(const MatmulProblem& problem);

/// Returns an empty layout if `layout` is that of dense operands whose matrices all have the alignment that kernels
/// expect. Otherwise returns `layout`.
MatmulLayout NormalizedLayout(const MatmulProblem& problem, MatmulLayout layout);

/// Returns the alignment of rows, in elements: the greatest common divisor of `rowElements` (the length of a row), the
/// strides and OperandLayout::alignment. For a dense operand it is the length of a row. Vectors whose length divides it
/// are aligned.
int64_t RowAlignment(const OperandLayout& layout, int64_t rowElements);

/// Returns the reason why the kernels of a schedule do not support the layout, or an empty string if they do. The
/// schedule must be valid for the dense problem. For fma and mma, the schedule's rules (FmaConstraints(),
/// MmaConstraints()) must also hold with the vector widths that the layout's alignment allows. For fma, mma and gemv, C
/// must be dense if it is cleared and partial sums are added to it. Other families support dense operands only.
std::string WhyLayoutUnsupported(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                                 const MatmulLayout& layout);

}  // namespace mmtune
