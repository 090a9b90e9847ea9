// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that the lanes of a warp execute together, in the simulator: lanes wait for one another, then the last
// lane to arrive executes the operation for all. This file has the waiting (WarpRendezvous), the dispatch, and the
// reporting of errors. warp_ops.cc implements the operations that exchange words: shfl, vote, redux, elect and match.
// warp_matrix.h and wgmma.h have the matrix operations.
//
// A monitor (monitor.h) is an observer of the launch, such as the race detector. A `site` is the number of a program
// point, for reports (abi/abi.h).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/scheduler.h"

namespace mmtune::simt {

/// A warp operation after all its lanes have arrived.
struct WarpCall {
  GpuThread* warp = nullptr;    ///< Lane 0 of the warp; the other lanes follow it in memory.
  uint32_t mask = 0;            ///< Lanes that take part.
  const uint32_t* in[32] = {};  ///< The operands of each lane that takes part.
  uint32_t* out[32] = {};       ///< The results of each lane that takes part.
};

/// Executes `op` for the lanes of `call`. Ends the launch if the operation is misused.
void ExecuteWarpOp(const WarpOp& op, const WarpCall& call);

/// Returns the name of a type: "f16", "s8".
const char* ElementTypeName(ElementType type);

/// Ends the launch with the error "<name of the operation>: <what>", for the first lane that takes part.
[[noreturn]] void FailWarpOp(const WarpOp& op, const WarpCall& call, const std::string& what);
/// Reports a finding by lane `lane` to the monitor, if there is one. `kind` is the kind of finding, and `what`
/// describes it.
void ReportWarpOp(const WarpOp& op, const WarpCall& call, uint32_t lane, const char* kind, const std::string& what);
/// Ends the launch with an error unless all 32 lanes take part.
void RequireWholeWarp(const WarpOp& op, const WarpCall& call);

/// Calls visit(lane) for each lane of `mask`, in ascending order.
template <typename Visit>
void ForEachLane(uint32_t mask, Visit visit) {
  for (uint32_t left = mask; left != 0; left &= left - 1) visit(static_cast<uint32_t>(std::countr_zero(left)));
}

/// bar.warp.sync: makes the thread wait for the other lanes of `mask` that have not exited.
void WarpBarrier(GpuThread* thread, uint32_t mask, uint32_t site);

/// Lets the lanes of a warp wait for each other at warp operations. Each block has one.
class WarpRendezvous {
 public:
  /// Begins a block of `threads` threads.
  void Reset(uint32_t threads);

  /// Makes the thread wait for the other lanes of `mask` at the operations `ops`. The last lane to arrive executes them
  /// for all. Lanes that have exited are not waited for, and do not take part. There are `count` operations,
  /// independent of one another: the compiler may gather several in one call. `in` has the thread's operands, and `out`
  /// receives its results, as 32-bit words, operation after operation.
  void Execute(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t mask, const uint32_t* in, uint32_t* out);
  /// Records that the lane has returned from the kernel. Executes the operations, and completes the warp barriers, that
  /// waited only for it.
  void ThreadExits(GpuThread& thread);
  /// Returns the lanes of the warp that have exited.
  uint32_t exited(uint32_t warp) const { return warps_[warp].exited; }

 private:
  /// Lanes of one warp at the same operations, from the first arrival to the last.
  struct Rendezvous {
    const WarpOp* ops = nullptr;
    uint32_t count = 0;
    uint32_t mask = 0;
    uint32_t arrived = 0;  ///< The lanes that have arrived.
  };
  struct Warp {
    uint32_t lanes = 0;   ///< Bit i is set if rendezvous[i], begun by lane i, is in use.
    uint32_t exited = 0;  ///< The lanes that have exited.
    std::array<Rendezvous, kWarpSize> rendezvous;
  };

  /// Executes the operations for the lanes that have arrived, and makes all of them but `last` ready.
  void Finish(GpuThread* last, Rendezvous& rendezvous);
  Rendezvous& FindOrBegin(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t members);

  std::vector<Warp> warps_;
};

}  // namespace mmtune::simt
