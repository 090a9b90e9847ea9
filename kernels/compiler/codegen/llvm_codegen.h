// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generates code with LLVM from modules in the LLVM dialect: PTX for GPUs, object files for the host and the SIMT
// device. Also chooses the host processor, links mathematical functions, and says which architectures have which
// instructions.
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

/// A processor that LLVM generates code for.
struct HostCpu {
  std::string name;      ///< LLVM's name of the processor.
  std::string features;  ///< Such as "+avx2,-avx512f"; empty means the features that `name` implies.
};

/// Returns the processor that LLVM knows by `name` ("x86-64-v3", "skylake"), or this machine's processor for "native".
/// If `name` is empty, the environment variable MMTUNE_HOST_CPU is used, or "native" if that is not set. Returns
/// InvalidArgument for unknown names. Thread-safe.
absl::StatusOr<HostCpu> findHostCpu(std::string_view name);

/// Returns FailedPrecondition if this machine's processor lacks a feature that code for `name` may use, and the error
/// of findHostCpu(name) if there is no such processor.
absl::Status checkRunsHere(std::string_view name);

/// The form of generated code.
enum class CodeKind { kLlvmIr, kAssembly, kObject };

/// Returns a target machine for "sm_75" to "sm_120", with a PTX version that has all instructions of `module`, for
/// which code will be generated. Returns InvalidArgument for other architectures.
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> createNvptxMachine(std::string_view arch, mlir::Operation* module);

/// Returns a target machine for position-independent code for the processor findHostCpu(cpuName), or the error of
/// findHostCpu(). The code has no bf16 instructions of x86, because they take subnormal numbers for zeros.
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> createHostMachine(std::string_view cpuName = "");

/// A value for `level` of generateCode(), for code that was optimised before: runs only SROA and EarlyCSE, which
/// promote variables from memory to registers, and the Scalarizer.
inline constexpr int kRegistersOnly = -1;

/// Optimises `module` (a builtin.module or gpu.module in the LLVM dialect) and returns its code. `level` is 0 to 3, or
/// kRegistersOnly. Returns Internal if LLVM cannot generate the code, and for a gpu.module the error of
/// linkDeviceMath().
absl::StatusOr<std::string> generateCode(mlir::Operation* module, llvm::TargetMachine& machine, int level,
                                         CodeKind kind);

/// Measures how long the phases of a compilation take.
class PhaseTimer {
 public:
  /// Returns the milliseconds since the last call, or since construction for the first call.
  double lap() {
    TimePoint now = Clock::Real().Now();
    double elapsed = Milliseconds(now - last);
    last = now;
    return elapsed;
  }

 private:
  TimePoint last = Clock::Real().Now();
};

/// Defines the mathematical functions `__nv_*` (the names of NVIDIA's libdevice) that the device code `module` declares
/// and calls. Also replaces LLVM intrinsics for which no target has an instruction by calls of such functions. The
/// definitions come from our own library. They use IEEE 754 arithmetic and no approximate instructions, so a GPU and
/// the SIMT device compute the same bits. Returns InvalidArgument if the library lacks one of the functions, or has it
/// with another type.
absl::Status linkDeviceMath(llvm::Module& module);

/// The architecture and PTX version that an operation needs. If the target does not satisfy the requirement, LLVM
/// aborts the process or ptxas rejects the code.
struct ArchitectureRequirement {
  int compute_capability = 0;   ///< Minimum compute capability: 80 for sm_80; 0: any.
  int ptx = 0;                  ///< Minimum version of the PTX ISA: 78 for 7.8; 0: any.
  std::string_view chips = {};  ///< If not empty, the only architectures with the operation: "sm_90a, sm_100a".
};

/// Returns the requirement of an operation of the NVVM or LLVM dialect. For most operations it is empty.
ArchitectureRequirement requirementOf(mlir::Operation* op);

/// True if the architecture `arch` satisfies the requirement. The version of PTX is not checked.
bool isSatisfied(const ArchitectureRequirement& need, std::string_view arch);

}  // namespace mmtune
