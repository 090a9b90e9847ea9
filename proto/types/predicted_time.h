// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a schedule should take, by a formula.
#pragma once

namespace mmtune {

/// In seconds, of all kernels of a schedule together. Each unit's part is how long it would be busy if its work were
/// spread evenly over the device; they run at once. `latency`, `tail` and `others` are what is added to them.
/// kernels/perf_model/time_model.h has the formulas and their sources. A time to compare schedules by, not one to
/// report.
struct PredictedTime {
  double total = 0;
  double multiply = 0;  ///< The arithmetic of the tiles, padding too.
  double issue = 0;     ///< Every instruction of the loop over k.
  double shared = 0;    ///< Wavefronts of shared memory.
  double l2 = 0;        ///< Bytes that blocks read through L2.
  double dram = 0;      ///< Bytes that reach device memory.
  double latency = 0;   ///< Of k steps and of blocks, that no other work hides.
  double tail = 0;      ///< Of waves that do not fill the multiprocessors.
  double others = 0;    ///< Launches, clearing, atomics, and the kernel that sums a workspace.
  double waves = 0;     ///< Blocks / those resident at once; not a time.
};

}  // namespace mmtune
