// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of compiling one schedule (a kernel family with its parameters, such as tile sizes). These are the
// versions of the compiler (Toolchain), the resources of the kernel, the time of each phase, and facts about its speed
// before it has run. Two functions that check numbers come first.
//
// All are plain values that are stored with a measurement in the tuning log and sent between worker and server.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "proto/types/fields.h"

namespace mmtune {

/// Returns InvalidArgument naming `field` unless `value` is finite and at least 0.
absl::Status CheckTime(std::string_view field, double value);
/// Returns InvalidArgument naming `field` unless `value` is at least `least`.
absl::Status CheckAtLeast(std::string_view field, int64_t value, int64_t least);

/// The resources of a compiled kernel and its launch. Registers and spills are -1 if they are unknown, because the CUDA
/// driver is to assemble the PTX, or because the kernel was built for the SIMT device (the CPU simulator).
struct KernelResources {
  int64_t registers = -1;                      ///< Per thread.
  int64_t spill_bytes = -1;                    ///< Bytes of spill stores and loads that the assembler reports.
  int64_t shared_bytes = 0;                    ///< Per block, static plus dynamic.
  int64_t threads = 0;                         ///< Per block.
  int64_t grid_x = 0, grid_y = 0, grid_z = 0;  ///< The number of blocks in each dimension.

  MMTUNE_FIELDS(registers, spill_bytes, shared_bytes, threads, grid_x, grid_y, grid_z)
  /// Returns InvalidArgument naming the field that is below 0, or below -1 where it may be unknown.
  absl::Status Validate() const;
  bool operator==(const KernelResources&) const = default;
};

/// The milliseconds that a candidate (one schedule to be measured) spent in each phase; 0 for a phase that did not run.
///
/// Phases of compilation: emit (the family builds MLIR), mlir (MLIR passes), llvm (LLVM to PTX), assemble (ptxas), host
/// (launch code). Then verify (at small shapes, on the SIMT device). On the device: load, check, timing.
struct PhaseTimes {
  double emit_ms = 0, mlir_ms = 0, llvm_ms = 0, assemble_ms = 0, host_ms = 0, verify_ms = 0;
  double load_ms = 0, check_ms = 0, timing_ms = 0;

  /// Returns InvalidArgument naming a time that is not finite and >= 0.
  absl::Status Validate() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    MMTUNE_VISIT_ALL(emit_ms, mlir_ms, llvm_ms, assemble_ms, host_ms)
    visit("verify_ms", self.verify_ms, OmitIf{0.0});
    MMTUNE_VISIT_ALL(load_ms, check_ms, timing_ms)
  }
  bool operator==(const PhaseTimes&) const = default;
};

/// The versions of the programs that compile a kernel. Measurements whose toolchains differ in any field are not ranked
/// together.
struct Toolchain {
  std::string mmtune;     ///< Version of this program.
  std::string mlir;       ///< "22.1.8".
  std::string assembler;  ///< "ptxas 13.0", "driver 13.0", "llvm 22.1.8".
  std::string families;   ///< The code version of each kernel family: "direct=1 fma=1".

  /// Returns JSON with sorted keys and no spaces. Digest() is its SHA-256.
  std::string CanonicalJson() const;
  std::string Digest() const;
  /// Returns the part that the code of this family's kernels depends on: of `families`, its version alone.
  Toolchain ForFamily(std::string_view family) const;
  MMTUNE_FIELDS(mmtune, mlir, assembler, families)
  bool operator==(const Toolchain&) const = default;
};

/// Returns the milliseconds of all phases of compilation.
inline double CompileMs(const PhaseTimes& phases) {
  return phases.emit_ms + phases.mlir_ms + phases.llvm_ms + phases.assemble_ms + phases.host_ms;
}

/// Returns the milliseconds of all phases on the device.
inline double DeviceMs(const PhaseTimes& phases) { return phases.load_ms + phases.check_ms + phases.timing_ms; }

/// Returns the milliseconds of all phases: compile, verify, measure.
inline double TrialMs(const PhaseTimes& phases) { return CompileMs(phases) + phases.verify_ms + DeviceMs(phases); }

/// Facts about the speed of a compiled kernel before it has run. Search strategies use them to choose which compiled
/// kernels to measure.
struct CodeFacts {
  KernelResources resources;
  /// The predicted throughput of the main loop, as a fraction of the peak of the CUDA cores or tensor cores that it
  /// uses: in (0, 1], or 0 for unknown. A model of the machine code computes it (docs/profile.md), assuming that each
  /// multiprocessor holds as many blocks as fit.
  double predicted_peak_fraction = 0;

  bool operator==(const CodeFacts&) const = default;
};

}  // namespace mmtune
