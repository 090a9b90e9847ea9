// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translation, optimisation and emission of machine code from the LLVM dialect, the processor that host and SIMT code
// is compiled for, and the library of mathematical functions that kernels call.
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

/// A processor as LLVM names it.
struct HostCpu {
  std::string name;
  std::string features;  ///< "+avx2,-avx512f"; empty: those of the name.
};

/// Returns the processor of an LLVM name ("x86-64-v3", "skylake"), or this machine's for "native". Empty means
/// $MMTUNE_HOST_CPU, else native. InvalidArgument for others. Thread-safe.
absl::StatusOr<HostCpu> findHostCpu(std::string_view name);

/// Returns FailedPrecondition when this machine's processor lacks a feature that code for `name` may use.
absl::Status checkRunsHere(std::string_view name);

enum class CodeKind { kLlvmIr, kAssembly, kObject };

/// Returns a machine for "sm_75" … "sm_120", with a PTX version that has the instructions of `module`, the code to
/// generate. InvalidArgument for other architectures.
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> createNvptxMachine(std::string_view arch, mlir::Operation* module);

/// Returns a machine that generates position-independent code for findHostCpu(cpuName).
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> createHostMachine(std::string_view cpuName = "");

/// Returns the code of `module` (a builtin.module or gpu.module in the LLVM dialect). `level` is 0 to 3.
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

/// Defines the functions `__nv_*` that the device code `module` declares and calls, and replaces LLVM intrinsics
/// without an instruction on any target by calls of them. The functions use IEEE 754 arithmetic and no approximate
/// instructions, so a GPU and the SIMT device compute the same bits on whichever machine they are compiled.
/// InvalidArgument when the library lacks one of the functions, or has it with another type.
absl::Status linkDeviceMath(llvm::Module& module);

}  // namespace mmtune
