// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says which buffers of a kernel are the matrices of C = A*B, and in which layout, so that the checks for mmtune's own
// kernels (worker/measure) can check any kernel.
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

/// The matrices of one shape. A buffer with two extents is a row-major matrix whose leading dimension is the last
/// extent. With ":t" after its name it holds the transpose of the matrix, which is then column-major. Extents may be
/// larger than the matrix.
class GemmBinding {
 public:
  /// Parses "A,B,C" or "A,B:t,C". Without a `shape`, takes M, N and K from the extents of the buffers. Returns
  /// InvalidArgument if a buffer is missing, does not have two extents or is too small, or if no matmul with these
  /// types can be checked.
  static absl::StatusOr<GemmBinding> Create(const std::string& text, const KernelLaunchPlan& plan,
                                            const std::optional<ShapeSizes>& shape);

  /// Returns the problem, with A, B and C row-major and without gaps. If A or B is fp8, their type in the problem is a
  /// wider one that can represent all fp8 numbers; see operand_bits().
  const MatmulProblem& problem() const { return problem_; }
  /// Returns the largest number of bits of precision that elements of A and B may have, if A or B is fp8; else 0.
  int operand_bits() const { return operand_bits_; }

  /// Writes A and B into the contents of their buffers, whose other elements become NaN. Fills C with a pattern unless
  /// the launch plan names its initial contents (KernelBuffer::fill).
  void WriteOperands(const OperandSource& source, std::vector<std::string>* contents) const;
  /// Returns the elements of C, row-major and without gaps.
  std::string ReadResult(const std::vector<std::string>& contents) const;
  /// Returns a line that names an element which the kernel wrongly changed: one of A or B, or one in C's buffer that is
  /// not part of C. Returns "" if there is none.
  std::string Damage(const std::vector<std::string>& before, const std::vector<std::string>& after) const;

 private:
  struct Matrix {
    size_t buffer = 0;
    std::string name;
    bool transposed = false;
    int64_t rows = 0, columns = 0;  ///< The extents of the buffer as stored.
    const ElementType* type = nullptr;
    int64_t element_bytes = 0;

    /// Returns the offset of an element of the matrix in the buffer, in bytes.
    size_t Offset(int64_t row, int64_t column) const {
      return static_cast<size_t>((transposed ? column * columns + row : row * columns + column) * element_bytes);
    }
  };

  absl::Status ChooseTypes(const KernelLaunchPlan& plan);
  absl::Status CheckExtents(const Matrix& matrix, int64_t rows, int64_t columns) const;
  /// Returns a string with one byte for each byte of the buffer: 1 if the kernel may change that byte, else 0.
  std::string Writable(size_t buffer, size_t bytes) const;

  Matrix a_, b_, c_;
  bool c_is_filled_ = false;  ///< True if the launch plan names the initial contents of C.
  MatmulProblem problem_;
  int operand_bits_ = 0;
};

}  // namespace mmtune
