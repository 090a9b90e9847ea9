// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the LLVM dialect to machine code: translation, optimisation, emission.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/IR/Operation.h"
#include "proto/base/clock.h"

namespace mmtune {

enum class CodeKind { kLlvmIr, kAssembly, kObject };

/// For "sm_75" … "sm_120". InvalidArgument for others. `module` is what it is to generate code for.
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> createNvptxMachine(std::string_view arch, mlir::Operation* module);

/// For the processor that findHostCpu() finds by the name (kernels/compiler/codegen/host_cpu.h);
/// position-independent code.
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> createHostMachine(std::string_view cpuName = "");

/// The code of `module` (a builtin.module or gpu.module in the LLVM dialect). `level` is 0 to 3.
absl::StatusOr<std::string> generateCode(mlir::Operation* module, llvm::TargetMachine& machine, int level,
                                         CodeKind kind);

/// Measures the phases of a compilation.
class PhaseTimer {
 public:
  /// Milliseconds since the timer was made or last asked.
  double lap() {
    TimePoint now = Clock::Real().Now();
    double elapsed = Milliseconds(now - last);
    last = now;
    return elapsed;
  }

 private:
  TimePoint last = Clock::Real().Now();
};

}  // namespace mmtune
