// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says which buffers of a kernel are the matrices of C = A*B, and in which layout, so that the checks of our own
// kernels (worker/measure) judge it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/matmul_problem.h"
#include "worker/kernel_verify/launch_plan.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {

/// The matrices of one shape. A buffer of two extents is a row-major matrix whose leading dimension is the last extent,
/// or with ":t" behind its name the transposed one, which is column-major. Extents may be larger than the matrix.
class GemmBinding {
 public:
  /// Reads "A,B,C" or "A,B:t,C". Without a shape, it is that of the buffers. InvalidArgument if a buffer is missing,
  /// has not two extents or is too small, or if the types are no matmul that can be checked.
  static absl::StatusOr<GemmBinding> Create(const std::string& text, const KernelLaunchPlan& plan,
                                            const std::optional<ShapeSizes>& shape);

  /// Returns the problem, with A, B and C row-major and without gaps.
  /// fp8 operands are those of a type that has all their numbers; see operand_bits().
  const MatmulProblem& problem() const { return problem_; }
  /// Returns the bits of precision that operands may have at most, if A or B is fp8; else 0.
  int operand_bits() const { return operand_bits_; }

  /// Writes A and B into the contents of the buffers; their other elements become NaN. C
  /// becomes a pattern unless the request says how it begins.
  void WriteOperands(const OperandSource& source, std::vector<std::string>* contents) const;
  /// Returns the elements of C, row-major and without gaps.
  std::string ReadResult(const std::vector<std::string>& contents) const;
  /// Returns which element the kernel has changed of A or B, or of C's buffer beside the matrix; empty: none.
  std::string Damage(const std::vector<std::string>& before, const std::vector<std::string>& after) const;

 private:
  struct Matrix {
    size_t buffer = 0;
    std::string name;
    bool transposed = false;
    int64_t rows = 0, columns = 0;  ///< The extents of the buffer as it is stored.
    const ElementType* type = nullptr;
    int64_t element_bytes = 0;

    /// Returns the offset of an element of the matrix in the buffer, in bytes.
    size_t Offset(int64_t row, int64_t column) const {
      return static_cast<size_t>((transposed ? column * columns + row : row * columns + column) * element_bytes);
    }
  };

  absl::Status ChooseTypes(const KernelLaunchPlan& plan);
  absl::Status CheckExtents(const Matrix& matrix, int64_t rows, int64_t columns) const;
  /// Returns the bytes of the buffers that the kernel may change: 1 where it may.
  std::string Writable(size_t buffer, size_t bytes) const;

  Matrix a_, b_, c_;
  bool c_is_filled_ = false;  ///< The request says how C begins.
  MatmulProblem problem_;
  int operand_bits_ = 0;
};

}  // namespace mmtune
