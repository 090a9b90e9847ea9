// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baseline: the time of the vendor's library (cuBLAS, or cuBLASLt with an epilogue) for the same problem, measured
// in the same way, so that kernels can be compared with it. The library is opened at run time; without it there is no
// baseline.
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
#include "worker/measure/lt_matmul.h"
#include "worker/measure/rounding_checker.h"

namespace mmtune {

/// Returns the paths to try for cuBLAS: $CUBLAS_LIBRARY if it is set, then, for each major version from the newest on,
/// its name for the dynamic loader and its files in /usr/local/cuda*/lib64 and /usr/local/cuda*/targets/*/lib.
std::vector<std::string> BlasLibraries();

/// A cuBLAS handle of the calling thread's current CUDA context. It computes a problem with the accuracy that
/// candidates must have:
/// - f32, also with math tf32x3 and bf16x6: FP32 (CUBLAS_DEFAULT_MATH, neither TF32 nor emulation);
/// - f16 and bf16: f32 accumulators, also for partial sums if the work is split along k;
/// - tf32: CUBLAS_COMPUTE_32F_FAST_TF32; s8: CUBLAS_COMPUTE_32I; f64: CUBLAS_COMPUTE_64F.
///
/// Problems with an epilogue use cuBLASLt, with which cuBLAS is linked. The library stays open until the process ends.
/// Not thread-safe.
class VendorBlas {
 public:
  /// Opens the first of `libraries` that works and whose major version is not newer than `driver`, the CUDA version of
  /// the driver ("12.8"; empty: unknown). Returns NotFound if there is none. Returns FailedPrecondition if the library
  /// cannot be used, or environment variables make it compute with less precision. Messages have one line.
  static absl::StatusOr<std::unique_ptr<VendorBlas>> Open(const std::vector<std::string>& libraries,
                                                          const std::string& driver);
  ~VendorBlas();
  VendorBlas(const VendorBlas&) = delete;
  VendorBlas& operator=(const VendorBlas&) = delete;

  /// Returns "cuBLAS 13.1.0".
  const std::string& name() const { return name_; }
  /// Returns the name of the library that computes the problem: "cuBLASLt 13.1.0" if it has an epilogue, else name().
  std::string NameFor(const MatmulProblem& problem) const;

  /// Returns InvalidArgument with the reason if the library does not compute the problem: an epilogue that LtEpilogue
  /// cannot express, an extent of 2^31 or more, or rows of s8 that are not a multiple of 4 elements. Returns
  /// FailedPrecondition if environment variables make the library compute tf32 problems in FP32.
  static absl::Status Covers(const MatmulProblem& problem);

  /// Returns the size of the workspace for a matmul on the device, the same as in PyTorch: 32 MiB from sm_90 on, else 2
  /// * 4 MiB + 16 * 8 KiB (parseChosenWorkspaceSize in aten/src/ATen/cuda/CublasHandlePool.cpp).
  static int64_t WorkspaceBytes(const DeviceInfo& device);

  /// Prepares a problem that is covered (Covers()) in cuBLASLt, and asks for `most_suggestions` algorithms. This object
  /// must outlive the result. Returns the errors of LtMatmul::Create().
  absl::StatusOr<std::unique_ptr<LtMatmul>> MakeLtMatmul(const MatmulProblem& problem, int64_t workspace_bytes,
                                                         int most_suggestions);

  /// Enqueues one run of a problem that is covered (Covers()).
  absl::Status Enqueue(const MatmulProblem& problem, const PlanMemories& memories, StreamHandle stream);

 private:
  VendorBlas(std::unique_ptr<const cublas::Functions> functions, std::string version);
  static absl::StatusOr<std::unique_ptr<VendorBlas>> OpenOne(void* library, const std::string& path,
                                                             const std::string& driver);
  absl::Status Check(int status, std::string_view call) const;
  absl::Status SetMathMode(int mode);
  absl::Status SetStream(StreamHandle stream, const PlanMemory& workspace);

  /// Enqueues a problem with cuBLASLt. Reuses lt_matmul_ if the last problem was the same.
  absl::Status EnqueueWithEpilogue(const MatmulProblem& problem, const PlanMemories& memories, StreamHandle stream);

  std::unique_ptr<const cublas::Functions> functions_;
  std::string version_, name_;
  void* handle_ = nullptr;
  StreamHandle stream_ = 0;  // the stream that is set in the handle
  DevicePtr workspace_ = 0;  // the workspace that is set in the handle
  int math_mode_ = -1;       // the math mode that is set in the handle; -1: not set yet
  std::unique_ptr<LtMatmul> lt_matmul_;
};

/// Times the baseline repeatedly between candidates, because the state of a GPU drifts. Each problem and regime (warm
/// or cold caches) has a series of timings: the first together with the first candidate, and another with every
/// kEvery-th candidate after it. Not thread-safe. The device must outlive it.
class BaselineSeries {
 public:
  /// The number of candidates from one timing of the baseline to the next.
  static constexpr int kEvery = 16;

  BaselineSeries(Device* device, std::vector<std::string> libraries)
      : device_(device), libraries_(std::move(libraries)) {}

  /// True if Next() will run the library, which needs memory for another set of operands.
  bool Due(const MatmulProblem& problem, const TimeOptions& options) const;

  /// Returns the baseline of a candidate: median and interval of all samples of its series. The library is timed like a
  /// candidate, on the operands of `checker`, and its first result must pass the rounding check. It is never cut off
  /// for being slow. `checker` is null if the problem has no error bound; then there is no baseline. Never fails: a
  /// missing baseline has a reason, and a library that failed on a problem is not tried again.
  Baseline Next(const MatmulProblem& problem, const RoundingChecker* checker, const TimeOptions& options);

 private:
  struct Series {
    Baseline baseline;
    std::vector<double> samples_ns;
    double first_ns = 0;
    int since = 0;  // the number of candidates since it was timed
  };
  static std::string Key(const MatmulProblem& problem, const TimeOptions& options);
  absl::Status TimeOnce(const MatmulProblem& problem, const RoundingChecker& checker, TimeOptions options,
                        Series& series);

  Device* device_;
  const std::vector<std::string> libraries_;
  std::optional<absl::StatusOr<std::unique_ptr<VendorBlas>>> blas_;  // set once a library was searched for
  std::map<std::string, Series> series_;                             // by problem and regime
};

}  // namespace mmtune
