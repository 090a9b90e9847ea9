// What is tuned: C[M,N] = A[M,K] * B[K,N].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

enum class DataType { kF32 };

/// "f32".
std::string_view DataTypeName(DataType type);
absl::StatusOr<DataType> ParseDataType(std::string_view name);
/// Bytes of one element.
int64_t DataTypeBytes(DataType type);

/// All matrices dense and row-major; the accumulator has the type of the elements.
struct MatmulProblem {
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  DataType dtype = DataType::kF32;

  /// InvalidArgument unless every extent is >= 1 and every matrix has fewer than 2^40 elements.
  absl::Status Validate() const;

  int64_t ElementsA() const { return m * k; }
  int64_t ElementsB() const { return k * n; }
  int64_t ElementsC() const { return m * n; }
  /// Bytes of A, B and C together.
  int64_t OperandBytes() const;
  /// 2*M*N*K.
  double Flops() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }

  /// "1024x1024x1024".
  std::string ShapeText() const;
  /// Sorted, no spaces: {"dtype":"f32","k":1,"m":1,"n":1,"op":"matmul"}. Digest() is its SHA-256.
  std::string CanonicalJson() const;
  std::string Digest() const;

  bool operator==(const MatmulProblem&) const = default;
};

/// "MxNxK" with decimal extents: "4x5x6" is M=4, N=5, K=6. The error says what is wrong with the text.
absl::StatusOr<MatmulProblem> ParseMatmulShape(std::string_view shape, DataType dtype);

}  // namespace mmtune
