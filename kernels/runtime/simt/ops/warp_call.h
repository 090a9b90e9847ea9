// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One warp operation whose lanes have met, and the functions that execute it.
#pragma once

#include <cstdint>

#include "kernels/runtime/simt/abi/abi.h"

namespace mmtune::simt {

struct GpuThread;

struct WarpCall {
  GpuThread* warp = nullptr;    ///< Lane 0 of the warp; the lanes follow it.
  uint32_t mask = 0;            ///< Lanes that take part.
  const uint32_t* in[32] = {};  ///< Operands of each lane that does.
  uint32_t* out[32] = {};       ///< Where its results go.
};

/// Executes `op` for the lanes of `call`. What the GPU forbids is Block::Fail() of a lane.
void ExecuteWarpOp(const WarpOp& op, const WarpCall& call);

}  // namespace mmtune::simt
