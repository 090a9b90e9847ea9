// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compilation says about itself and about the kernel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "proto/types/fields.h"

namespace mmtune {

/// InvalidArgument naming `field` unless `value` is finite and >= 0.
absl::Status CheckTime(std::string_view field, double value);
/// InvalidArgument naming `field` unless `value` >= `least`.
absl::Status CheckAtLeast(std::string_view field, int64_t value, int64_t least);

/// Read back from the assembled kernel; -1 is unknown (PTX left to the driver, the SIMT device).
struct KernelResources {
  int64_t registers = -1;
  int64_t spill_bytes = -1;  ///< Spill stores plus loads.
  int64_t shared_bytes = 0;  ///< Per block, static plus dynamic.
  int64_t threads = 0;       ///< Per block.
  int64_t grid_x = 0, grid_y = 0, grid_z = 0;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("registers", self.registers);
    visit("spill_bytes", self.spill_bytes);
    visit("shared_bytes", self.shared_bytes);
    visit("threads", self.threads);
    visit("grid_x", self.grid_x);
    visit("grid_y", self.grid_y);
    visit("grid_z", self.grid_z);
  }
  /// InvalidArgument names the field that is no size: sizes are >= 0, and -1 where they may be unknown.
  absl::Status Validate() const;
  bool operator==(const KernelResources&) const = default;
};

/// Milliseconds of each phase; 0 when it did not run.
struct PhaseTimes {
  double emit_ms = 0, mlir_ms = 0, llvm_ms = 0, assemble_ms = 0, host_ms = 0, load_ms = 0, check_ms = 0, timing_ms = 0;

  /// InvalidArgument names the field that is no time: times are finite and >= 0.
  absl::Status Validate() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("emit_ms", self.emit_ms);
    visit("mlir_ms", self.mlir_ms);
    visit("llvm_ms", self.llvm_ms);
    visit("assemble_ms", self.assemble_ms);
    visit("host_ms", self.host_ms);
    visit("load_ms", self.load_ms);
    visit("check_ms", self.check_ms);
    visit("timing_ms", self.timing_ms);
  }
  bool operator==(const PhaseTimes&) const = default;
};

/// What compiled the kernel. Measurements made before a change of any field count as another toolchain's.
struct Toolchain {
  std::string mmtune;     ///< Version of this program.
  std::string mlir;       ///< "22.1.8".
  std::string assembler;  ///< "ptxas 13.0", "driver 13.0", "llvm 22.1.8".
  std::string families;   ///< "direct=1 fma=1".

  std::string CanonicalJson() const;
  std::string Digest() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("mmtune", self.mmtune);
    visit("mlir", self.mlir);
    visit("assembler", self.assembler);
    visit("families", self.families);
  }
  bool operator==(const Toolchain&) const = default;
};

}  // namespace mmtune
