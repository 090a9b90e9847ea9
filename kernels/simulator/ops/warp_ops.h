// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that the lanes of a warp execute together: how lanes wait for each other (bar.warp.sync, WarpRendezvous),
// how operations are dispatched and fail. shfl, vote, redux, elect and match, which exchange words, are implemented
// here.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/scheduler.h"

namespace mmtune::simt {

/// A warp operation all of whose lanes have arrived.
struct WarpCall {
  GpuThread* warp = nullptr;    ///< Lane 0 of the warp; the lanes follow it.
  uint32_t mask = 0;            ///< Lanes that take part.
  const uint32_t* in[32] = {};  ///< Operands of each of these lanes.
  uint32_t* out[32] = {};       ///< Their results.
};

/// Executes `op` for the lanes of `call`. Calls Block::Fail() for misuse.
void ExecuteWarpOp(const WarpOp& op, const WarpCall& call);

/// Returns "f16", "s8", ...
const char* ElementTypeName(ElementType type);

/// Ends the launch with the error "<name>: <what>" of the first lane.
[[noreturn]] void FailWarpOp(const WarpOp& op, const WarpCall& call, const std::string& what);
/// Reports a finding to the monitor, if there is one.
void ReportWarpOp(const WarpOp& op, const WarpCall& call, uint32_t lane, const char* kind, const std::string& what);
/// Fails unless all 32 lanes take part.
void RequireWholeWarp(const WarpOp& op, const WarpCall& call);

/// Calls visit(lane) for each lane of `mask`, ascending.
template <typename Visit>
void ForEachLane(uint32_t mask, Visit visit) {
  for (uint32_t left = mask; left != 0; left &= left - 1) visit(static_cast<uint32_t>(std::countr_zero(left)));
}

/// Makes the thread wait for the other lanes of `mask` (bar.warp.sync).
void WarpBarrier(GpuThread* thread, uint32_t mask, uint32_t site);

/// The warp operations of a block whose lanes have not all arrived.
class WarpRendezvous {
 public:
  /// Begins a block of `threads` threads.
  void Reset(uint32_t threads);

  /// Makes the thread wait for the other lanes of `mask` at the operations `ops`. The last lane executes them for all.
  void Execute(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t mask, const uint32_t* in, uint32_t* out);

 private:
  /// Lanes of one warp at the same operations, from the first arrival to the last.
  struct Rendezvous {
    const WarpOp* ops = nullptr;
    uint32_t count = 0;
    uint32_t mask = 0;
    uint32_t arrived = 0;  ///< The lanes that have arrived.
  };
  struct Warp {
    uint32_t lanes = 0;  ///< Bit i: rendezvous[i], where lane i arrived first, is in use.
    std::array<Rendezvous, kWarpSize> rendezvous;
  };

  Rendezvous& FindOrBegin(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t members);

  std::vector<Warp> warps_;
};

}  // namespace mmtune::simt
