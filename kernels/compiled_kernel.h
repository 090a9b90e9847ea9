// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of compiling one schedule of a matmul: device code, the launches that run it, and what is known about it.
//
// A matmul here is C[M,N] = epilogue(A[M,K] * B[K,N]). A schedule chooses tile sizes and the like; from it a kernel
// family (kernels/families) makes a launch plan and kernels. A plan for split-k with atomics, for example, is
//
//   memset C to 0
//   launch gemm_simt(A, B, C), grid (64,1,4), block (256,1,1)
//
// Workers run a CompiledKernel on a device to verify and time it. `tune compile` writes the same code into a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/tensor_map.h"
#include "proto/types/compilation.h"

namespace mmtune {

/// Names a device buffer that a plan's kernels take. A, B, C, bias and addend are operands of the problem, row-major
/// and dense. Bias and addend exist only if the epilogue uses them. The workspace is scratch memory for partial sums.
enum class PlanBuffer { kA, kB, kC, kBias, kAddend, kWorkspace };
inline constexpr size_t kPlanBufferCount = 6;

/// A kernel's parameter: the address of a buffer, or a tensor map of it.
struct PlanArgument {
  PlanBuffer buffer = PlanBuffer::kA;
  /// The kernel takes this tensor map of the buffer by value: 128 bytes, aligned to 64, that no launch changes. The
  /// extents are those of the matrix, however large its allocation is. Its `address` is 0 here; MakeLaunchArgument()
  /// (device.h) sets that of the buffer.
  std::optional<TiledTensorMap> map;
  /// The dimension of the map, such as 1 for extents[1], that counts the rows of C, or the matrices of the batch; -1 if
  /// none does. Host code sets these extents where their size is known at run time only. An operand with
  /// such a size is dense, so its stride from one matrix to the next grows with the number of rows.
  int rows_dimension = -1, batch_dimension = -1;

  /// Passes the address of `buffer`. Implicit, so that a list of buffers is a list of arguments.
  PlanArgument(PlanBuffer buffer) : buffer(buffer) {}
  /// Passes a tensor map of `buffer`.
  PlanArgument(PlanBuffer buffer, TiledTensorMap map) : buffer(buffer), map(std::move(map)) {}
  bool operator==(const PlanArgument&) const = default;
};

/// One step of a launch plan: a memset or a kernel launch. Steps run one after another on one stream.
struct PlanStep {
  enum class Kind { kMemset, kLaunch };
  Kind kind = Kind::kLaunch;

  // kMemset: sets the first `bytes` of `buffer` to 0. `bytes` is a multiple of 4; 0 stands for the whole buffer.
  PlanBuffer buffer = PlanBuffer::kC;
  int64_t bytes = 0;

  // kLaunch: launches `kernel` with `arguments` as its parameters, in this order.
  std::string kernel;
  std::vector<PlanArgument> arguments;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t cluster[3] = {1, 1, 1};  ///< Blocks per cluster; each extent divides that of the grid.
  uint32_t dynamic_shared_bytes = 0;

  /// True if a cluster has more than one block.
  bool HasClusters() const { return cluster[0] != 1 || cluster[1] != 1 || cluster[2] != 1; }
};

/// All steps that compute C by one schedule, and the size of the workspace that they need. A kernel family derives the
/// plan from the schedule alone, without compiling anything.
struct LaunchPlan {
  std::vector<PlanStep> steps;
  int64_t workspace_bytes = 0;
};

/// The format of device code.
enum class ImageFormat {
  kPtx,         ///< PTX text. The driver assembles it when it is loaded.
  kCubin,       ///< Machine code assembled by ptxas, which also reports registers and spills.
  kSimtObject,  ///< Relocatable object of the host CPU, for the SIMT device (kernels/simulator/abi/abi.h).
};

/// Everything that compiling a schedule yields: device code, launch plan, host code, resources and times.
struct CompiledKernel {
  ImageFormat format = ImageFormat::kSimtObject;
  std::string image;  ///< The device code, in `format`.
  LaunchPlan plan;

  /// Relocatable host object with the complete host function: it copies operands in, launches, and copies C out. It
  /// exports the function in MLIR's C interface, as `_mlir_ciface_<host_symbol>`:
  ///
  ///   (A: memref<MxKxf32>, B: memref<KxNxf32>[, bias: memref<Nxf32>][, addend: memref<MxNxf32>]) -> memref<MxNxf32>
  ///
  /// B is NxK if it is transposed. With a batch, all but the bias have a leading dimension. The code calls the mgpu*
  /// functions of kernels/runtime/mgpu.h. It embeds `image`, which its global constructors load.
  std::string host_object;
  std::string host_symbol;  ///< Name of the host function.

  KernelResources resources;  ///< Registers, spills and shared memory of the kernels.
  /// The assembler's warnings about the kernels' speed, each in a line: "C7510: Potential Performance Loss: ...". Empty
  /// if PTX was left to the driver.
  std::vector<std::string> warnings;
  std::string code_digest;  ///< SHA-256 of `image`, in hexadecimal.
  PhaseTimes phases;        ///< Compile time of the phases emit, mlir, llvm, assemble and host.
};

/// The accuracy of the transcendental activations gelu, gelu_tanh, silu and tanh in compiled kernels. For an activation
/// f (defined in matmul_problem.h) and an f32 x, a kernel computes f(x) in f32 with
///
///   |error| <= kActivationRelativeError * |f(x)| + kActivationAbsoluteError
///
/// The first term is four units in the last place of f32. NaN stays NaN. gelu, gelu_tanh and silu map +infinity to
/// itself and -infinity to 0. tanh maps them to 1 and -1, and is as accurate near 0 as elsewhere. Every device computes
/// the same bits, because only IEEE 754 additions, multiplications and fused multiply-adds are used.
inline constexpr double kActivationRelativeError = 0x1p-21;
inline constexpr double kActivationAbsoluteError = 0x1p-28;

}  // namespace mmtune
