// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul computed by cuBLASLt, with or without an epilogue, for the baseline (baseline.h).
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"
#include "proto/types/matmul_problem.h"
#include "worker/measure/cublas.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {

/// An epilogue as cuBLASLt computes it: D = activation(alpha * A * B + beta * C + bias) in f32, rounded once. C is the
/// addend. GELU is the tanh form.
struct LtEpilogue {
  float alpha = 1, beta = 0;
  bool bias = false;
  uint32_t activation = 0;  ///< A cublas::EpilogueSteps, or 0 for none.

  /// Converts an epilogue. Returns InvalidArgument for steps, or an order of steps, that cuBLASLt does not have.
  static absl::StatusOr<LtEpilogue> Of(const Epilogue& epilogue);
};

/// A scaling factor in the type in which cuBLAS accumulates.
union ScalingFactor {
  float f32;
  double f64;
  int32_t s32;

  ScalingFactor(DataType accumulator, double value) {
    if (accumulator == DataType::kF64) {
      f64 = value;
    } else if (accumulator == DataType::kS32) {
      s32 = static_cast<int32_t>(value);
    } else {
      f32 = static_cast<float>(value);
    }
  }
};

/// A problem described to cuBLASLt, with the algorithms that its heuristic suggests, the best first. The heuristic is
/// asked once, as in a program that runs the same matmul often. Not thread-safe.
class LtMatmul {
 public:
  /// Returns an error naming the call unless the status is success.
  using CheckCall = std::function<absl::Status(int status, std::string_view call)>;

  /// Asks for `most_suggestions` algorithms, each of which needs at most `workspace_bytes`. `compute` is the
  /// accumulator type. cuBLAS's `functions` and `handle` must outlive the result. Returns FailedPrecondition if the
  /// library has no algorithm for the problem.
  static absl::StatusOr<std::unique_ptr<LtMatmul>> Create(const cublas::Functions* functions, void* handle,
                                                          CheckCall check, const MatmulProblem& problem,
                                                          cublas::ComputeType compute, int64_t workspace_bytes,
                                                          int most_suggestions = 1);

  const MatmulProblem& problem() const { return problem_; }
  /// Returns the number of algorithms that were suggested, at least 1.
  size_t suggestions() const { return suggestions_.size(); }
  /// Makes Enqueue() run suggestion `index`, which must be below suggestions(); at first it is 0.
  void Use(size_t index) { used_ = index; }
  /// Enqueues one run.
  absl::Status Enqueue(const PlanMemories& memories, StreamHandle stream);

 private:
  using Descriptor = std::unique_ptr<void, cublas::Status (*)(void*)>;
  LtMatmul(const cublas::Functions* functions, void* handle, CheckCall check, const MatmulProblem& problem,
           LtEpilogue epilogue);
  absl::Status Describe(cublas::ComputeType compute);
  absl::Status Suggest(int64_t workspace_bytes, int most_suggestions);
  /// Describes a row-major `rows` x `columns` matrix, or its transpose, in the column-major terms of cuBLAS.
  absl::StatusOr<Descriptor> Layout(DataType type, int64_t rows, int64_t columns, bool transposed) const;

  const cublas::Functions* functions_;
  void* handle_;
  CheckCall check_;
  MatmulProblem problem_;
  LtEpilogue epilogue_;
  Descriptor description_, a_, b_, c_;
  std::vector<cublas::AlgorithmChoice> suggestions_;
  size_t used_ = 0;
};

}  // namespace mmtune
