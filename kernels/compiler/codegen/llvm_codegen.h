// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generates code with LLVM from modules in the LLVM dialect: PTX for GPUs, objects for the host and the SIMT device.
// Also chooses the host processor, links mathematical functions, and says which architectures have which instructions.
//
//   auto machine = *createNvptxMachine("sm_90", module);
//   std::string ptx = *generateCode(module, *machine, /*level=*/3, CodeKind::kAssembly);
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/IR/Operation.h"
#include "proto/base/clock.h"

namespace mmtune {

/// A processor by its LLVM name.
struct HostCpu {
  std::string name;
  std::string features;  ///< Such as "+avx2,-avx512f"; empty means those of the name.
};

/// Returns the processor with an LLVM name ("x86-64-v3", "skylake"), or this machine's for "native". Empty means
/// $MMTUNE_HOST_CPU, else native. Returns InvalidArgument for unknown names. Thread-safe.
absl::StatusOr<HostCpu> findHostCpu(std::string_view name);

/// Returns FailedPrecondition if this machine's processor lacks a feature that code for `name` may use.
absl::Status checkRunsHere(std::string_view name);

/// The form of generated code.
enum class CodeKind { kLlvmIr, kAssembly, kObject };

/// Returns a target machine for "sm_75" to "sm_120". Its PTX version is one that has all instructions of `module`, the
/// code to generate. Returns InvalidArgument for other architectures.
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> createNvptxMachine(std::string_view arch, mlir::Operation* module);

/// Returns a target machine for position-independent code for findHostCpu(cpuName).
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> createHostMachine(std::string_view cpuName = "");

/// A level of generateCode() for code that was optimised before: only puts variables into registers.
inline constexpr int kRegistersOnly = -1;

/// Optimises `module` (a builtin.module or gpu.module in the LLVM dialect) and returns its code. `level` is 0 to 3, or
/// kRegistersOnly.
absl::StatusOr<std::string> generateCode(mlir::Operation* module, llvm::TargetMachine& machine, int level,
                                         CodeKind kind);

/// Measures the phases of a compilation.
class PhaseTimer {
 public:
  /// Returns the milliseconds since construction or the last call.
  double lap() {
    TimePoint now = Clock::Real().Now();
    double elapsed = Milliseconds(now - last);
    last = now;
    return elapsed;
  }

 private:
  TimePoint last = Clock::Real().Now();
};

/// Defines the functions `__nv_*` that the device code `module` declares and calls. Also replaces LLVM intrinsics that
/// no target has as an instruction by calls of them. They use IEEE 754 arithmetic and no approximate instructions, so a
/// GPU and the SIMT device compute the same bits. Returns InvalidArgument if the library lacks one of the functions, or
/// has it with another type.
absl::Status linkDeviceMath(llvm::Module& module);

/// The requirement of an operation on the target. If it is not satisfied, LLVM aborts the process or ptxas rejects the
/// code.
struct ArchitectureRequirement {
  int compute_capability = 0;   ///< Minimum compute capability: 80 for sm_80.
  int ptx = 0;                  ///< Minimum version of the PTX ISA: 78 for 7.8.
  std::string_view chips = {};  ///< If not empty, the only architectures that have it: "sm_90a, sm_100a".
};

/// Returns the requirement of an operation of the NVVM or LLVM dialect. Most have none.
ArchitectureRequirement requirementOf(mlir::Operation* op);

/// True if `arch` satisfies the requirement.
bool isSatisfied(const ArchitectureRequirement& need, std::string_view arch);

}  // namespace mmtune
