// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compile seam: Compile(problem, schedule, target) -> CompiledKernel. No MLIR type crosses it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

struct CompileTarget {
  /// Kind, arch and limits are read; the schedule is validated against them.
  DeviceInfo device;
  /// For a CUDA device: assemble with ptxas when it is found, so that registers and spills are known.
  bool assemble = true;
  /// For the SIMT device: code for its watch mode, far slower; without it, races are not looked for.
  bool watched = false;
  /// With `watched`: code for the SIMT device's profile mode, slower still.
  bool profile = false;
  /// The processor that host code and SIMT code is for, as kernels/compiler/codegen/host_cpu.h names it; empty: this
  /// machine's, unless the environment says otherwise.
  std::string host_cpu;
};

/// Reusable for many candidates; not thread-safe. MLIR and LLVM can abort the process on bad input, so only a compile
/// child (or a test) calls it.
class Compiler {
 public:
  static absl::StatusOr<std::unique_ptr<Compiler>> Create();
  virtual ~Compiler() = default;

  /// InvalidArgument: the schedule is invalid for the problem or device (an Outcome of kRejected).
  /// Unavailable: the host's own failure, which says nothing of the schedule.
  /// Any other error: the pipeline or the assembler failed (kCompileFailed); the message is its first diagnostic.
  virtual absl::StatusOr<CompiledKernel> Compile(const MatmulProblem& problem, const Schedule& schedule,
                                                 const CompileTarget& target) = 0;
};

/// The versions Compile() uses for a target. Cheap after the first call; thread-safe.
Toolchain CompilerToolchain(DeviceKind kind);

}  // namespace mmtune
