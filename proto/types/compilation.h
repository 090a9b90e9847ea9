// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of a compilation: the toolchain, the resources of the kernel, the time of each phase.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "proto/types/fields.h"

namespace mmtune {

/// Returns InvalidArgument naming `field` unless `value` is finite and >= 0.
absl::Status CheckTime(std::string_view field, double value);
/// Returns InvalidArgument naming `field` unless `value` >= `least`.
absl::Status CheckAtLeast(std::string_view field, int64_t value, int64_t least);

/// Resources read back from the assembled kernel; -1: unknown (PTX left to the driver, or the SIMT device).
struct KernelResources {
  int64_t registers = -1;
  int64_t spill_bytes = -1;  ///< Spill stores plus loads.
  int64_t shared_bytes = 0;  ///< Per block, static plus dynamic.
  int64_t threads = 0;       ///< Per block.
  int64_t grid_x = 0, grid_y = 0, grid_z = 0;

  MMTUNE_FIELDS(registers, spill_bytes, shared_bytes, threads, grid_x, grid_y, grid_z)
  /// Returns InvalidArgument naming the field that is below 0, or below -1 where it may be unknown.
  absl::Status Validate() const;
  bool operator==(const KernelResources&) const = default;
};

/// Milliseconds of each phase of a candidate; 0 when it did not run. Verification at small shapes is in no phase.
struct PhaseTimes {
  double emit_ms = 0, mlir_ms = 0, llvm_ms = 0, assemble_ms = 0, host_ms = 0, load_ms = 0, check_ms = 0, timing_ms = 0;

  /// Returns InvalidArgument naming a time that is not finite and >= 0.
  absl::Status Validate() const;
  MMTUNE_FIELDS(emit_ms, mlir_ms, llvm_ms, assemble_ms, host_ms, load_ms, check_ms, timing_ms)
  bool operator==(const PhaseTimes&) const = default;
};

/// The versions that compiled a kernel. Where any field differs, measurements count as those of another toolchain.
struct Toolchain {
  std::string mmtune;     ///< Version of this program.
  std::string mlir;       ///< "22.1.8".
  std::string assembler;  ///< "ptxas 13.0", "driver 13.0", "llvm 22.1.8".
  std::string families;   ///< "direct=1 fma=1".

  std::string CanonicalJson() const;
  std::string Digest() const;
  MMTUNE_FIELDS(mmtune, mlir, assembler, families)
  bool operator==(const Toolchain&) const = default;
};

/// Returns the sum of the phases of compilation.
inline double CompileMs(const PhaseTimes& phases) {
  return phases.emit_ms + phases.mlir_ms + phases.llvm_ms + phases.assemble_ms + phases.host_ms;
}

/// Returns the sum of the phases on the device.
inline double DeviceMs(const PhaseTimes& phases) { return phases.load_ms + phases.check_ms + phases.timing_ms; }

/// Facts about the speed of a compiled kernel, before it has run.
struct CodeFacts {
  KernelResources resources;
  /// The throughput of the main loop by a model of its machine code (kernels/perf_model), with as many blocks resident
  /// as fit, as a fraction of the peak of the units that multiply: in (0, 1], or 0: unknown.
  double predicted_peak_fraction = 0;

  bool operator==(const CodeFacts&) const = default;
};

}  // namespace mmtune
