// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp operations, and how they fail.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/gpu_thread.h"

namespace mmtune::simt {

/// One warp operation whose lanes have met.
struct WarpCall {
  GpuThread* warp = nullptr;    ///< Lane 0 of the warp; the lanes follow it.
  uint32_t mask = 0;            ///< Lanes that take part.
  const uint32_t* in[32] = {};  ///< Operands of each lane that does.
  uint32_t* out[32] = {};       ///< Where its results go.
};

/// Executes `op` for the lanes of `call`. What the GPU forbids is Block::Fail() of a lane.
void ExecuteWarpOp(const WarpOp& op, const WarpCall& call);

/// "f16", "s8", …
const char* ElementTypeName(ElementType type);

/// Fails the first lane of the call: the launch ends with "<name>: <what>".
[[noreturn]] void FailWarpOp(const WarpOp& op, const WarpCall& call, const std::string& what);
/// A finding in a watched launch; nothing in others.
void ReportWarpOp(const WarpOp& op, const WarpCall& call, uint32_t lane, const char* kind, const std::string& what);
/// Fails unless all 32 lanes take part.
void RequireWholeWarp(const WarpOp& op, const WarpCall& call);

/// Calls visit(lane) for each lane of `mask`, ascending.
template <typename Visit>
void ForEachLane(uint32_t mask, Visit visit) {
  for (uint32_t left = mask; left != 0; left &= left - 1) visit(static_cast<uint32_t>(std::countr_zero(left)));
}

}  // namespace mmtune::simt
