// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The problem that is tuned: C[i] = epilogue(A[i] * B[i]) for every matrix i of a batch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/data_type.h"
#include "proto/types/fields.h"

namespace mmtune {

/// One elementwise step that a kernel applies to the accumulators before it stores them.
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
  float factor = 1;         ///< kScale only: finite and not 0.
  float low = 0, high = 0;  ///< kClamp only: finite, low <= high.

  bool ReadsAddend() const { return kind == Kind::kAdd || kind == Kind::kSub; }
  bool operator==(const EpilogueOp&) const = default;
};

/// The steps in the order of application; each rounds to f32. The transcendental activations (gelu, gelu_tanh, silu,
/// tanh) are approximated.
using Epilogue = std::vector<EpilogueOp>;

/// Returns "bias,relu,scale:0.125,clamp:0:6", with numbers that read back exactly; empty for no steps.
std::string EpilogueText(const Epilogue& epilogue);
/// Parses EpilogueText(). InvalidArgument names the offending step.
absl::StatusOr<Epilogue> ParseEpilogue(std::string_view text);
MMTUNE_TEXT_FORM(Epilogue, EpilogueText, ParseEpilogue);

/// A batch of matmuls. All matrices are dense and row-major, those of a batch one after another. A and B have the type
/// `dtype`; C, the addend and the bias have TypeOfC(). Accumulators and the epilogue have AccumulatorType() and are
/// rounded once, when C is stored.
struct MatmulProblem {
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  DataType dtype = DataType::kF32;
  int64_t batch = 1;         ///< A, B and C hold this many matrices.
  bool transpose_b = false;  ///< B is stored as N x K, so that C = A * B^T.
  Epilogue epilogue = {};
  bool transpose_a = false;  ///< A is stored as K x M, so that C = A^T * B.
  OutputType out = OutputType::kSame;
  MathMode math = MathMode::kIeee;

  /// Returns InvalidArgument unless every extent is >= 1; every operand has fewer than 2^40 elements; the epilogue has
  /// at most 8 steps, at most one bias and one add or sub, scales that are finite and not 0, and finite clamps with low
  /// <= high; `out` is kF32 only for 16-bit elements and `math` is set only for f32. s32 operands are not supported; s8
  /// has no epilogue, f64 only bias, add, sub, relu and scale.
  absl::Status Validate() const;

  bool HasBias() const { return HasStep(EpilogueOp::Kind::kBias); }
  bool HasAddend() const { return HasStep(EpilogueOp::Kind::kAdd) || HasStep(EpilogueOp::Kind::kSub); }

  /// True for f32 with IEEE arithmetic: no work for tensor cores.
  bool IsPlainF32() const { return dtype == DataType::kF32 && math == MathMode::kIeee; }
  /// Returns f32, or s32 for s8, or f64 for f64.
  DataType AccumulatorType() const { return TraitsOf(dtype).accumulator; }
  DataType TypeOfC() const {
    if (out == OutputType::kF32) return DataType::kF32;
    return TraitsOf(dtype).is_integer ? AccumulatorType() : dtype;
  }

  // Elements of each operand, over the whole batch.
  int64_t ElementsA() const { return batch * m * k; }
  int64_t ElementsB() const { return batch * k * n; }
  int64_t ElementsC() const { return batch * m * n; }
  int64_t ElementsBias() const { return HasBias() ? n : 0; }
  int64_t ElementsAddend() const { return HasAddend() ? ElementsC() : 0; }
  /// Returns the bytes of all operands together.
  int64_t OperandBytes() const;
  /// Returns 2*M*N*K for each matrix of the batch, without the epilogue.
  double Flops() const {
    return 2.0 * static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }

  /// Returns "1024x512x256".
  std::string ShapeText() const;
  /// Returns the shape and what is not the default: "1024x512x256 bf16 out=f32 batch=8 transpose_b
  /// epilogue=bias,relu". The type is left out where it is f32.
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
    visit("batch", self.batch, Unless{int64_t{1}});
    visit("transpose_a", self.transpose_a, Unless{false});
    visit("transpose_b", self.transpose_b, Unless{false});
    visit("out", self.out, Unless{OutputType::kSame});
    visit("math", self.math, Unless{MathMode::kIeee});
    visit("epilogue", self.epilogue, Unless{Epilogue()});
  }
  bool operator==(const MatmulProblem&) const = default;

 private:
  bool HasStep(EpilogueOp::Kind kind) const;
  absl::Status ValidateTypes() const;
};

/// Parses "MxNxK" with decimal extents: "4x5x6" is M=4, N=5, K=6. The error says what is wrong with the text.
absl::StatusOr<MatmulProblem> ParseMatmulShape(std::string_view shape, DataType dtype);

}  // namespace mmtune
