// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the phases of a candidate amount to, in milliseconds.
#pragma once

#include "proto/types/compilation.h"

namespace mmtune {

/// Without proofs, which are in no phase.
inline double CompileMs(const PhaseTimes& phases) {
  return phases.emit_ms + phases.mlir_ms + phases.llvm_ms + phases.assemble_ms + phases.host_ms;
}

/// On the device.
inline double DeviceMs(const PhaseTimes& phases) { return phases.load_ms + phases.check_ms + phases.timing_ms; }

}  // namespace mmtune
