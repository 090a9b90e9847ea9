// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul, with an epilogue or without, by cuBLASLt.
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

/// What cuBLASLt makes of an epilogue: D = activation(alpha * A * B + beta * C + bias), all of it in f32, rounded once.
/// C is the addend. Its GELU is that of tanh.
struct LtEpilogue {
  float alpha = 1, beta = 0;
  bool bias = false;
  uint32_t activation = 0;  ///< A cublas::EpilogueSteps, or none.

  /// InvalidArgument for steps, or an order of them, that it does not have.
  static absl::StatusOr<LtEpilogue> Of(const Epilogue& epilogue);
};

/// A scaling factor in the type that cuBLAS and cuBLASLt accumulate in.
union Factor {
  float f32;
  double f64;
  int32_t s32;

  Factor(DataType sums, double value) {
    if (sums == DataType::kF64) {
      f64 = value;
    } else if (sums == DataType::kS32) {
      s32 = static_cast<int32_t>(value);
    } else {
      f32 = static_cast<float>(value);
    }
  }
};

/// A problem as cuBLASLt sees it, with the algorithms that its heuristic suggests, the preferred one first: all are
/// found once, as a program would that runs the matmul often. Not thread-safe.
class LtProduct {
 public:
  /// Says in one line which call failed.
  using CheckCall = std::function<absl::Status(int status, std::string_view call)>;

  /// `functions`, and the handle of cuBLAS, which is one of cuBLASLt, outlive it. `compute` is of the sums. Asks for
  /// `most_suggestions` algorithms, each of which may use `workspace_bytes`. FailedPrecondition: the library has no
  /// algorithm for the problem.
  static absl::StatusOr<std::unique_ptr<LtProduct>> Create(const cublas::Functions* functions, void* handle,
                                                           CheckCall check, const MatmulProblem& problem,
                                                           cublas::ComputeType compute, int64_t workspace_bytes,
                                                           int most_suggestions = 1);

  const MatmulProblem& problem() const { return problem_; }
  /// Returns how many algorithms were suggested: at least 1.
  size_t suggestions() const { return suggestions_.size(); }
  /// Has Enqueue() run suggestion `index`; it begins with the first.
  void Use(size_t index) { used_ = index; }
  /// Enqueues it.
  absl::Status Enqueue(const PlanMemories& memories, StreamHandle stream);

 private:
  using Descriptor = std::unique_ptr<void, cublas::Status (*)(void*)>;
  LtProduct(const cublas::Functions* functions, void* handle, CheckCall check, const MatmulProblem& problem,
            LtEpilogue epilogue);
  absl::Status Describe(cublas::ComputeType compute);
  absl::Status Suggest(int64_t workspace_bytes, int most_suggestions);
  /// Row-major `rows` x `columns`, or stored the other way round: column-major, as cuBLAS has it.
  absl::StatusOr<Descriptor> Layout(DataType type, int64_t rows, int64_t columns, bool transposed) const;

  const cublas::Functions* functions_;
  void* handle_;
  CheckCall check_;
  MatmulProblem problem_;
  LtEpilogue epilogue_;
  Descriptor product_, a_, b_, c_;
  std::vector<cublas::AlgorithmChoice> suggestions_;
  size_t used_ = 0;
};

}  // namespace mmtune
