// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a warp meet: at bar.warp.sync, and at operations that they execute together.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/simulator/block/gpu_thread.h"

namespace mmtune::simt {

/// The thread meets the other lanes of `mask`.
void WarpBarrier(GpuThread* thread, uint32_t mask, uint32_t site);

/// Of a block.
class WarpMeetings {
 public:
  /// Before a block of `threads` threads starts.
  void Reset(uint32_t threads);

  /// The thread meets the other lanes of `mask` at the operations `ops`, which the last to come executes for all.
  void Execute(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t mask, const uint32_t* in, uint32_t* out);

 private:
  /// Lanes of one warp, from the first that comes to the last.
  struct Meeting {
    const WarpOp* ops = nullptr;
    uint32_t count = 0;
    uint32_t mask = 0;
    uint32_t arrived = 0;  ///< The lanes that have come.
  };
  struct Warp {
    uint32_t lanes = 0;  ///< Bit i: meetings[i], to which lane i came first, is under way.
    std::array<Meeting, kWarpSize> meetings;
  };

  Meeting& Join(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t members);

  std::vector<Warp> warps_;
};

}  // namespace mmtune::simt
