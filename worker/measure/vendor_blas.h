// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's matrix product, cuBLAS, opened at run time: what candidates are compared with.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device.h"
#include "proto/types/matmul_problem.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {

/// Where cuBLAS may be, the newest major version first: $CUBLAS_LIBRARY, then by the loader's path, then in
/// /usr/local/cuda*/lib64 and /usr/local/cuda*/targets/*/lib.
std::vector<std::string> BlasLibraries();

/// A cuBLAS handle of the calling thread's current CUDA context, in plain FP32: CUBLAS_DEFAULT_MATH, no TF32 and no
/// emulation. Not thread-safe. The library stays open until the process ends.
class VendorBlas {
 public:
  /// The first of `libraries` that works and is of no newer major version than `driver`, the CUDA version of the
  /// device's driver ("12.8"; empty: unknown). NotFound: there is none. FailedPrecondition: there is one that cannot be
  /// used, or the environment would have it compute in less than FP32. One line either way.
  static absl::StatusOr<std::unique_ptr<VendorBlas>> Open(const std::vector<std::string>& libraries,
                                                          const std::string& driver);
  ~VendorBlas();
  VendorBlas(const VendorBlas&) = delete;
  VendorBlas& operator=(const VendorBlas&) = delete;

  /// "cuBLAS 13.1.0".
  const std::string& name() const { return name_; }

  /// InvalidArgument says why SGEMM is not this problem: an epilogue, or an extent of 2^31 or more.
  static absl::Status Covers(const MatmulProblem& problem);

  /// Enqueues C = A * B, all as the problem lays them out; it is covered.
  absl::Status Enqueue(const MatmulProblem& problem, const PlanMemories& memories, StreamHandle stream);

 private:
  struct Functions;
  VendorBlas(std::unique_ptr<const Functions> functions, std::string name);
  static absl::StatusOr<std::unique_ptr<VendorBlas>> OpenOne(void* library, const std::string& path,
                                                             const std::string& driver);
  absl::Status Check(int status, std::string_view call) const;

  std::unique_ptr<const Functions> functions_;
  std::string name_;
  void* handle_ = nullptr;
  StreamHandle stream_ = 0;  // of the handle
};

}  // namespace mmtune
