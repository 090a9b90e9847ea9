// What a compilation says about itself and about the kernel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace mmtune {

/// InvalidArgument naming `field` unless `value` is finite and >= 0.
absl::Status CheckTime(std::string_view field, double value);

/// Read back from the assembled kernel; -1 is unknown (PTX left to the driver, the SIMT device).
struct KernelResources {
  int64_t registers = -1;
  int64_t spill_bytes = -1;  ///< Spill stores plus loads.
  int64_t shared_bytes = 0;  ///< Per block, static plus dynamic.
  int64_t threads = 0;       ///< Per block.
  int64_t grid_x = 0, grid_y = 0, grid_z = 0;

  bool operator==(const KernelResources&) const = default;
};

/// Milliseconds of each phase; 0 when it did not run.
struct PhaseTimes {
  double emit_ms = 0, mlir_ms = 0, llvm_ms = 0, assemble_ms = 0, host_ms = 0, load_ms = 0, check_ms = 0, timing_ms = 0;

  /// As Timing::Validate().
  absl::Status Validate() const;
  bool operator==(const PhaseTimes&) const = default;
};

/// What compiled the kernel. A change of any field makes old measurements another toolchain's.
struct Toolchain {
  std::string mmtune;     ///< Version of this program.
  std::string mlir;       ///< "22.1.8".
  std::string assembler;  ///< "ptxas 13.0", "driver 13.0", "llvm 22.1.8".
  std::string families;   ///< "direct=1 fma=1".

  std::string CanonicalJson() const;
  std::string Digest() const;
  bool operator==(const Toolchain&) const = default;
};

}  // namespace mmtune
