// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiling a schedule tells of its geometry.
#pragma once

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/compilation.h"

namespace mmtune {

/// `geometry` with the registers, shared memory and threads that the kernel has, instead of what its family estimates;
/// registers that are unknown (-1) stay, and so does all where it was not compiled (0 threads). What a thread spills
/// counts as if it stood in its loop, once a k step, 4 bytes an access: a judgement.
inline ScheduleGeometry WithReal(ScheduleGeometry geometry, const KernelResources& real) {
  if (real.threads <= 0) return geometry;  // It was never compiled.
  geometry.threads = real.threads;
  geometry.sharedBytes = real.shared_bytes;
  if (real.registers >= 0) geometry.registers = real.registers;
  if (real.spill_bytes > 0) {
    const double accesses = static_cast<double>(real.spill_bytes) / 4;  // a wavefront of 128 bytes each, of a warp
    geometry.loop.instructions += accesses;
    geometry.loop.wavefronts += accesses * static_cast<double>(geometry.warps());
  }
  return geometry;
}

/// WithReal(), and what the model of its machine code says of its loop; spilled accesses are part of that.
inline ScheduleGeometry WithFacts(const ScheduleGeometry& geometry, const CodeFacts& facts) {
  ScheduleGeometry real = WithReal(geometry, facts.resources);
  if (facts.predicted_peak_fraction > 0) real.loop.share = facts.predicted_peak_fraction;
  return real;
}

}  // namespace mmtune
