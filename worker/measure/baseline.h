// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baseline of candidates: the vendor's matmul, cuBLAS, or cuBLASLt with an epilogue, opened at run time and timed
// on the problems of a measure child's candidates now and then between them.
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

/// Returns where cuBLAS may be, the newest major version first: $CUBLAS_LIBRARY, then by the loader's path, then in
/// /usr/local/cuda*/lib64 and /usr/local/cuda*/targets/*/lib.
std::vector<std::string> BlasLibraries();

/// A cuBLAS handle of the calling thread's current CUDA context. It computes what a problem asks for: f32 in plain
/// FP32 (CUBLAS_DEFAULT_MATH, no TF32 and no emulation), also for tf32x3 and
/// bf16x6 math, whose candidates are as accurate, f16 and bf16 with sums of f32 to the end (also where work is split
/// along k), tf32 math by CUBLAS_COMPUTE_32F_FAST_TF32, s8 by CUBLAS_COMPUTE_32I and f64 by CUBLAS_COMPUTE_64F. What
/// has an epilogue goes through cuBLASLt, which cuBLAS is linked with. Not thread-safe. The library stays open until
/// the process ends.
class VendorBlas {
 public:
  /// Opens the first of `libraries` that works and is of no newer major version than `driver`, the CUDA version of the
  /// device's driver ("12.8"; empty: unknown). Returns NotFound if there is none, FailedPrecondition if it cannot be
  /// used, or the environment makes it compute in less than FP32 or FP64; with a message of one line.
  static absl::StatusOr<std::unique_ptr<VendorBlas>> Open(const std::vector<std::string>& libraries,
                                                          const std::string& driver);
  ~VendorBlas();
  VendorBlas(const VendorBlas&) = delete;
  VendorBlas& operator=(const VendorBlas&) = delete;

  /// Returns "cuBLAS 13.1.0"; NameFor a problem with an epilogue returns "cuBLASLt 13.1.0".
  const std::string& name() const { return name_; }
  std::string NameFor(const MatmulProblem& problem) const;

  /// Returns InvalidArgument, with the reason, if the library does not compute this problem: an epilogue that
  /// LtEpilogue has not, an extent of 2^31 or more, or rows of s8 that are no multiples of 4 elements. Returns
  /// FailedPrecondition if the environment makes it compute a problem of tf32 math in FP32.
  static absl::Status Covers(const MatmulProblem& problem);

  /// Returns the size of the workspace of matmuls on a device. PyTorch uses the same: 32 MiB from sm_90 on, else
  /// 2 * 4 MiB + 16 * 8 KiB (parseChosenWorkspaceSize in aten/src/ATen/cuda/CublasHandlePool.cpp).
  static int64_t WorkspaceBytes(const DeviceInfo& device);

  /// Describes a covered problem to cuBLASLt, which is asked for `most_suggestions` algorithms. This object outlives
  /// the result.
  absl::StatusOr<std::unique_ptr<LtProduct>> MakeLtProduct(const MatmulProblem& problem, int64_t workspace_bytes,
                                                           int most_suggestions);

  /// Enqueues C = A * B for a covered problem.
  absl::Status Enqueue(const MatmulProblem& problem, const PlanMemories& memories, StreamHandle stream);

 private:
  VendorBlas(std::unique_ptr<const cublas::Functions> functions, std::string version);
  static absl::StatusOr<std::unique_ptr<VendorBlas>> OpenOne(void* library, const std::string& path,
                                                             const std::string& driver);
  absl::Status Check(int status, std::string_view call) const;
  absl::Status SetMathMode(int mode);
  absl::Status SetStream(StreamHandle stream, const PlanMemory& workspace);

  /// Uses product_ if the last problem was the same.
  absl::Status EnqueueWithEpilogue(const MatmulProblem& problem, const PlanMemories& memories, StreamHandle stream);

  std::unique_ptr<const cublas::Functions> functions_;
  std::string version_, name_;
  void* handle_ = nullptr;
  StreamHandle stream_ = 0;  // of the handle
  DevicePtr workspace_ = 0;  // likewise
  int math_mode_ = -1;       // likewise; -1: not set yet
  std::unique_ptr<LtProduct> product_;
};

/// The baselines of a process. Each problem and regime has a series, timed with its first candidate and again with
/// every kEvery-th one. Not thread-safe; the device must outlive it.
class BaselineSeries {
 public:
  static constexpr int kEvery = 16;

  BaselineSeries(Device* device, std::vector<std::string> libraries)
      : device_(device), libraries_(std::move(libraries)) {}

  /// True if Next() will run the library, which needs memory for one more set of operands. Called once for each
  /// candidate.
  bool Due(const MatmulProblem& problem, const TimeOptions& options) const;

  /// Returns the baseline of a candidate: median and interval of all samples of the series so far. It is timed like a
  /// candidate, on the operands of `checker` (null: the problem has no error bound), but never cut off for being slow,
  /// and its first result has to pass the rounding tier. Never fails: a missing baseline has the reason, and a library
  /// that failed on a problem is not tried again.
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
  std::optional<absl::StatusOr<std::unique_ptr<VendorBlas>>> blas_;  // set once it was looked for
  std::map<std::string, Series> series_;                             // by problem and regime
};

}  // namespace mmtune
