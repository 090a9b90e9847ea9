// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What candidates are compared with: the vendor's matrix product, cuBLAS, or with an epilogue cuBLASLt, opened at run
// time, on the problems of a measure child's candidates, timed now and then between them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"
#include "proto/types/conditions.h"
#include "proto/types/matmul_problem.h"
#include "worker/children/measurer.h"
#include "worker/measure/cublas.h"
#include "worker/measure/guarded_buffers.h"
#include "worker/measure/lt_product.h"
#include "worker/measure/rounding_checker.h"

namespace mmtune {

/// Where cuBLAS may be, the newest major version first: $CUBLAS_LIBRARY, then by the loader's path, then in
/// /usr/local/cuda*/lib64 and /usr/local/cuda*/targets/*/lib.
std::vector<std::string> BlasLibraries();

/// A cuBLAS handle of the calling thread's current CUDA context. What a problem asks for, it computes: f32 in plain
/// FP32 (CUBLAS_DEFAULT_MATH, no TF32 and no emulation), also where candidates are to be as accurate by tf32x3 or
/// bf16x6 math, f16 and bf16 with sums of f32 to the end (also where work is split along k), tf32 math by
/// CUBLAS_COMPUTE_32F_FAST_TF32, s8 by CUBLAS_COMPUTE_32I and f64 by CUBLAS_COMPUTE_64F. What has an epilogue goes
/// through cuBLASLt, which cuBLAS is linked with. Not thread-safe. The library stays open until the process ends.
class VendorBlas {
 public:
  /// The first of `libraries` that works and is of no newer major version than `driver`, the CUDA version of the
  /// device's driver ("12.8"; empty: unknown). NotFound: there is none. FailedPrecondition: there is one that cannot be
  /// used, or the environment would have it compute in less than FP32 or FP64. One line either way.
  static absl::StatusOr<std::unique_ptr<VendorBlas>> Open(const std::vector<std::string>& libraries,
                                                          const std::string& driver);
  ~VendorBlas();
  VendorBlas(const VendorBlas&) = delete;
  VendorBlas& operator=(const VendorBlas&) = delete;

  /// "cuBLAS 13.1.0"; what computes a problem with an epilogue is "cuBLASLt 13.1.0".
  const std::string& name() const { return name_; }
  std::string NameFor(const MatmulProblem& problem) const;

  /// InvalidArgument says why SGEMM, or GEMM of other types, is not this problem: an epilogue that LtEpilogue has not,
  /// an extent of 2^31 or more, or rows of s8 that are no multiples of 4 elements. FailedPrecondition: the environment
  /// would have a problem of tf32 math computed in FP32.
  static absl::Status Covers(const MatmulProblem& problem);

  /// Of the workspace that products get on a device. As PyTorch has it: 32 MiB from sm_90 on, else
  /// 2 * 4 MiB + 16 * 8 KiB (parseChosenWorkspaceSize in aten/src/ATen/cuda/CublasHandlePool.cpp).
  static int64_t WorkspaceBytes(const DeviceInfo& device);

  /// Describes a covered problem to cuBLASLt, which is asked for `most_suggestions` algorithms. This object outlives
  /// the result.
  absl::StatusOr<std::unique_ptr<LtProduct>> MakeLtProduct(const MatmulProblem& problem, int64_t workspace_bytes,
                                                           int most_suggestions);

  /// Enqueues C = A * B, all as the problem, which has to be covered, lays them out.
  absl::Status Enqueue(const MatmulProblem& problem, const PlanMemories& memories, StreamHandle stream);

 private:
  VendorBlas(std::unique_ptr<const cublas::Functions> functions, std::string version);
  static absl::StatusOr<std::unique_ptr<VendorBlas>> OpenOne(void* library, const std::string& path,
                                                             const std::string& driver);
  absl::Status Check(int status, std::string_view call) const;
  absl::Status SetMathMode(int mode);
  absl::Status SetStream(StreamHandle stream, const PlanMemory& workspace);

  /// With the product of the last problem, where that had an epilogue.
  absl::Status EnqueueWithEpilogue(const MatmulProblem& problem, const PlanMemories& memories, StreamHandle stream);

  std::unique_ptr<const cublas::Functions> functions_;
  std::string version_, name_;
  void* handle_ = nullptr;
  StreamHandle stream_ = 0;  // of the handle
  DevicePtr workspace_ = 0;  // likewise
  int math_mode_ = -1;       // likewise; -1: not set yet
  std::unique_ptr<LtProduct> product_;
};

/// One for the process. A problem in a regime has a series: it is timed with its first candidate and again with every
/// kEvery-th one. Not thread-safe; the device must outlive it.
class BaselineSeries {
 public:
  static constexpr int kEvery = 16;

  BaselineSeries(Device* device, std::vector<std::string> libraries)
      : device_(device), libraries_(std::move(libraries)) {}

  /// Whether Next() will run the library, for which the device should have room for one more set of operands. To be
  /// called once with each candidate.
  bool Due(const MatmulProblem& problem, const TimeOptions& options) const;

  /// The baseline of a candidate: median and interval of all samples of the series so far. Timed as candidates are, on
  /// the operands of `checker` (null: nothing bounds the problem's errors), but never cut for being slow. Its first
  /// result has to pass the rounding tier. Never fails: where there is no baseline it says why, and a library that
  /// failed on a problem is not asked again.
  Baseline Next(const MatmulProblem& problem, const RoundingChecker* checker, const TimeOptions& options);

 private:
  struct Series {
    Baseline baseline;
    std::vector<double> samples_ns;
    double first_ns = 0;
    int since = 0;  // candidates since it was timed
  };
  static std::string Key(const MatmulProblem& problem, const TimeOptions& options);
  absl::Status TimeOnce(const MatmulProblem& problem, const RoundingChecker& checker, TimeOptions options,
                        Series& series);

  Device* device_;
  const std::vector<std::string> libraries_;
  std::optional<absl::StatusOr<std::unique_ptr<VendorBlas>>> blas_;  // once it has been looked for
  std::map<std::string, Series> series_;                             // by problem and regime
};

}  // namespace mmtune
