// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compile child hands to a measure child: everything needed to check, time and ship one schedule.
//
// How exact the curved steps of an epilogue (gelu, gelu_tanh, silu, tanh) are: what emitted kernels keep, and what
// checks ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "proto/types/compilation.h"

namespace mmtune {

/// The device buffers of a plan. All but the workspace hold the problem's operands, row-major and dense; bias and
/// addend exist where its epilogue has them.
enum class PlanBuffer { kA, kB, kC, kBias, kAddend, kWorkspace };
inline constexpr size_t kPlanBufferCount = 6;

/// One step of a launch plan. Steps run in order on one stream.
struct PlanStep {
  enum class Kind { kMemset, kLaunch };
  Kind kind = Kind::kLaunch;

  // kMemset: the buffer's first `bytes`, a multiple of 4, are zeroed; all of it where that is 0.
  PlanBuffer buffer = PlanBuffer::kC;
  int64_t bytes = 0;

  // kLaunch: the kernel's parameters are the addresses of `arguments`, in order.
  std::string kernel;
  std::vector<PlanBuffer> arguments;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t dynamic_shared_bytes = 0;
};

/// How a schedule computes C: memsets and launches. Made by the family without a compiler.
struct LaunchPlan {
  std::vector<PlanStep> steps;
  int64_t workspace_bytes = 0;
};

enum class ImageFormat {
  kPtx,         ///< The driver assembles it.
  kCubin,       ///< Assembled by ptxas; registers and spills are known.
  kSimtObject,  ///< Relocatable object of the host, for the SIMT device (kernels/simulator/abi/abi.h).
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


/// Where f is the step as matmul_problem.h defines it, a kernel computes f(x) of a number x of f32 in f32, with an
/// error of at most kActivationRelativeError * |f(x)| + kActivationAbsoluteError: four units in the last place of f32,
/// or 2^-28. NaN stays NaN. Infinity stays infinity, and that of the other sign becomes 0; of tanh they are 1 and -1,
/// and numbers near 0 are as exact as others. The steps are the same
/// arithmetic on every device, of additions, multiplications and fused multiply-adds that round as IEEE 754 says.
inline constexpr double kActivationRelativeError = 0x1p-21;
inline constexpr double kActivationAbsoluteError = 0x1p-28;

}  // namespace mmtune
