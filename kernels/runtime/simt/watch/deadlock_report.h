// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is found in a block in which no thread can go on.
#pragma once

#include <span>

#include "kernels/runtime/simt/watch/finding_log.h"

namespace mmtune::simt {

/// Adds a finding of `threads`, all of a block: "deadlock", or "warp-divergence" where a lane waits for lanes that
/// never come.
void ReportDeadlock(std::span<GpuThread> threads, FindingLog& log);

}  // namespace mmtune::simt
