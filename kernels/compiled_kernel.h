// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of compiling a schedule: everything that is needed to check, time and ship it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "proto/types/compilation.h"

namespace mmtune {

/// The device buffers of a plan. All but the workspace are the problem's operands, row-major and dense; bias and addend
/// exist where its epilogue has them.
enum class PlanBuffer { kA, kB, kC, kBias, kAddend, kWorkspace };
inline constexpr size_t kPlanBufferCount = 6;

/// One step of a launch plan. Steps run in order on one stream.
struct PlanStep {
  enum class Kind { kMemset, kLaunch };
  Kind kind = Kind::kLaunch;

  // kMemset: zeroes the first `bytes` of the buffer, a multiple of 4; the whole buffer where that is 0.
  PlanBuffer buffer = PlanBuffer::kC;
  int64_t bytes = 0;

  // kLaunch: the kernel's parameters are the addresses of `arguments`, in order.
  std::string kernel;
  std::vector<PlanBuffer> arguments;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t dynamic_shared_bytes = 0;
};

/// The memsets and launches by which a schedule computes C. The family makes it without a compiler.
struct LaunchPlan {
  std::vector<PlanStep> steps;
  int64_t workspace_bytes = 0;
};

enum class ImageFormat {
  kPtx,         ///< PTX text, which the driver assembles.
  kCubin,       ///< Machine code from ptxas; registers and spills are known.
  kSimtObject,  ///< Relocatable host object for the SIMT device (kernels/simulator/abi/abi.h).
};

struct CompiledKernel {
  ImageFormat format = ImageFormat::kSimtObject;
  std::string image;
  LaunchPlan plan;

  /// Relocatable host object. Exports `_mlir_ciface_<host_symbol>`, the complete host function
  /// (A: memref<MxKxf32>, B: memref<KxNxf32>[, bias: memref<Nxf32>][, addend: memref<MxNxf32>]) -> memref<MxNxf32>,
  /// with B as NxK when it is transposed and a leading dimension when the problem has a batch; copies in, launches and
  /// copies out included, over the mgpu* functions of kernels/runtime/mgpu.h. The image is embedded and loaded by its
  /// global constructors.
  std::string host_object;
  std::string host_symbol;

  KernelResources resources;
  std::string code_digest;  ///< SHA-256 of `image`.
  PhaseTimes phases;        ///< emit, mlir, llvm, assemble, host.
};

/// The accuracy of transcendental activations (gelu, gelu_tanh, silu, tanh) in compiled kernels. For an activation f as
/// matmul_problem.h defines it, a kernel computes f(x) of an f32 x in f32 with an error of at most
/// kActivationRelativeError * |f(x)| + kActivationAbsoluteError: four units in the last place of f32 plus 2^-28. NaN
/// stays NaN. gelu, gelu_tanh and silu map +infinity to itself and -infinity to 0; tanh maps them to 1 and -1, and is
/// as accurate near 0 as elsewhere. The arithmetic is the same on every device: additions, multiplications and fused
/// multiply-adds with IEEE 754 rounding.
inline constexpr double kActivationRelativeError = 0x1p-21;
inline constexpr double kActivationAbsoluteError = 0x1p-28;

}  // namespace mmtune
