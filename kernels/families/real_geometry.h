// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiling a schedule tells of its geometry.
#pragma once

#include "kernels/families/schedule_geometry.h"
#include "proto/types/compilation.h"

namespace mmtune {

/// `geometry` with the registers, shared memory and threads that the kernel has, instead of what its family estimates;
/// registers that are unknown (-1) stay, and so does all where it was not compiled (0 threads).
inline ScheduleGeometry WithReal(ScheduleGeometry geometry, const KernelResources& real) {
  if (real.threads <= 0) return geometry;  // It was never compiled.
  geometry.threads = real.threads;
  geometry.sharedBytes = real.shared_bytes;
  if (real.registers >= 0) geometry.registers = real.registers;
  return geometry;
}

}  // namespace mmtune
