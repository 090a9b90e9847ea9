// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The problem that is tuned: a batch of matrix multiplications, each followed by elementwise steps (the epilogue).
//
//   C[i] = epilogue(A[i] * B[i])     A[i] is M x K, B[i] is K x N, C[i] is M x N
//
// Example: "1024x512x256 bf16 epilogue=bias,relu" multiplies a 1024x256 by a 256x512 matrix of bf16 elements, adds a
// bias to each row, and applies relu.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/data_type.h"
#include "proto/types/fields.h"

namespace mmtune {

/// One elementwise step that a kernel applies to the accumulators before it stores them. Below, x is the accumulator.
struct EpilogueOp {
  enum class Kind {
    kBias,      ///< x + bias[column]: one vector of N elements for the whole batch.
    kAdd,       ///< x + addend[i][row][column]: a second operand of C's size.
    kRelu,      ///< max(x, 0); NaN stays NaN.
    kScale,     ///< x * factor.
    kGelu,      ///< x/2 * (1 + erf(x/sqrt(2))).
    kGeluTanh,  ///< x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715*x^3))).
    kSilu,      ///< x / (1 + exp(-x)).
    kClamp,     ///< min(max(x, low), high); NaN stays NaN.
    kSub,       ///< x - addend[i][row][column].
    kTanh,      ///< tanh(x).
  };
  Kind kind = Kind::kRelu;
  /// The factor of kScale: finite and not 0.
  float factor = 1;
  /// The bounds of kClamp: finite, low <= high.
  float low = 0, high = 0;

  /// True for a step that reads a second operand of the size of C.
  bool ReadsAddend() const { return kind == Kind::kAdd || kind == Kind::kSub; }
  bool operator==(const EpilogueOp&) const = default;
};

/// The steps in the order in which they are applied. Each step rounds to AccumulatorType(): f32, or f64 for f64.
/// Transcendental activations (gelu, gelu_tanh, silu, tanh) are approximated.
using Epilogue = std::vector<EpilogueOp>;

/// Returns the text that ParseEpilogue() reads: "bias,relu,scale:0.125,clamp:0:6", or "" for no steps.
std::string EpilogueText(const Epilogue& epilogue);
/// Parses such a text. Returns InvalidArgument naming the wrong step.
absl::StatusOr<Epilogue> ParseEpilogue(std::string_view text);
MMTUNE_TEXT_FORM(Epilogue, EpilogueText, ParseEpilogue);

/// A batch of matmuls. All matrices are dense and row-major; those of a batch follow one another. A and B have the type
/// `dtype`; C, addend and bias have TypeOfC(). Accumulation and the epilogue use AccumulatorType(); the result is
/// rounded once, when it is stored.
struct MatmulProblem {
  int64_t m = 1;  ///< Rows of A and C.
  int64_t n = 1;  ///< Columns of B and C.
  int64_t k = 1;  ///< Columns of A, and rows of B.
  DataType dtype = DataType::kF32;
  int64_t batch = 1;         ///< The number of matrices in each of A, B and C.
  bool transpose_b = false;  ///< If true, B is stored as N x K, so that C = A * B^T.
  Epilogue epilogue = {};
  bool transpose_a = false;  ///< If true, A is stored as K x M, so that C = A^T * B.
  OutputType out = OutputType::kSame;
  MathMode math = MathMode::kIeee;

  /// Returns OK for a problem that can be tuned, else InvalidArgument with the field and its value. The rules:
  /// - Every extent is at least 1, and every operand has fewer than 2^40 elements.
  /// - The epilogue has at most 8 steps, with at most one bias and at most one of add and sub.
  /// - `out` is kF32 only for 16-bit elements, and `math` is set only for f32.
  /// - s32 operands are not supported. s8 has no epilogue; f64 has only bias, add, sub, relu and scale.
  absl::Status Validate() const;

  /// True if the epilogue reads a bias vector.
  bool HasBias() const { return HasStep(EpilogueOp::Kind::kBias); }
  /// True if the epilogue reads a second operand of the size of C.
  bool HasAddend() const { return HasStep(EpilogueOp::Kind::kAdd) || HasStep(EpilogueOp::Kind::kSub); }

  /// True for f32 with IEEE arithmetic, which tensor cores cannot compute.
  bool IsPlainF32() const { return dtype == DataType::kF32 && math == MathMode::kIeee; }
  /// Returns the type of the accumulators: s32 for s8, f64 for f64, else f32.
  DataType AccumulatorType() const { return TraitsOf(dtype).accumulator; }
  /// Returns the element type of C.
  DataType TypeOfC() const {
    if (out == OutputType::kF32) return DataType::kF32;
    return TraitsOf(dtype).is_integer ? AccumulatorType() : dtype;
  }

  /// Each returns the number of elements of an operand, over the whole batch.
  int64_t ElementsA() const { return batch * m * k; }
  int64_t ElementsB() const { return batch * k * n; }
  int64_t ElementsC() const { return batch * m * n; }
  int64_t ElementsBias() const { return HasBias() ? n : 0; }
  int64_t ElementsAddend() const { return HasAddend() ? ElementsC() : 0; }
  /// Returns the size of all operands together, C included.
  int64_t OperandBytes() const;
  /// Returns the floating-point operations: 2*M*N*K for each matrix of the batch. The epilogue is not counted.
  double Flops() const {
    return 2.0 * static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }

  /// Returns "1024x512x256".
  std::string ShapeText() const;
  /// Returns the shape and every field that is not the default: "1024x512x256 bf16 out=f32 batch=8 transpose_b
  /// epilogue=bias,relu".
  std::string Text() const;
  /// Returns JSON with sorted keys and no spaces: {"dtype":"f32","k":1,"m":1,"n":1,"op":"matmul"}, with "batch",
  /// "epilogue" (EpilogueText), "math", "out", "transpose_a" and "transpose_b" only where they are not the default.
  /// Digest() is its SHA-256.
  std::string CanonicalJson() const;
  std::string Digest() const;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("op", Constant{"matmul"});
    MMTUNE_VISIT_ALL(dtype, m, n, k)
    visit("batch", self.batch, OmitIf{int64_t{1}});
    visit("transpose_a", self.transpose_a, OmitIf{false});
    visit("transpose_b", self.transpose_b, OmitIf{false});
    visit("out", self.out, OmitIf{OutputType::kSame});
    visit("math", self.math, OmitIf{MathMode::kIeee});
    visit("epilogue", self.epilogue, OmitIf{Epilogue()});
  }
  bool operator==(const MatmulProblem&) const = default;

 private:
  bool HasStep(EpilogueOp::Kind kind) const;
  absl::Status ValidateTypes() const;
};

/// Parses "MxNxK": "4x5x6" is M=4, N=5, K=6. Returns InvalidArgument saying what is wrong with the text.
absl::StatusOr<MatmulProblem> ParseMatmulShape(std::string_view shape, DataType dtype);

}  // namespace mmtune
