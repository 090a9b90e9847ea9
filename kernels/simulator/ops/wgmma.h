// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma.mma_async: each warp of a warpgroup computes its own 16 rows of D when its lanes have met; the four warps do
// not wait for each other. The result is there at once; what is asynchronous is the reading of shared memory, which
// the monitor sees as going on until the wait that retires the operation's group. Arithmetic as mma.sync has it.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/ops/warp_ops.h"

namespace mmtune::simt {

/// Watched launches: the operations of a warpgroup, which its four warps must execute alike.
class WgmmaSequence {
 public:
  /// Operation `index` of a warp, with the words that all warps must agree on. False when another warp had another.
  bool Agrees(size_t index, const WarpOp& op, const uint32_t* words, size_t count);

 private:
  struct Step {
    WarpOp op;
    std::vector<uint32_t> words;
  };
  std::vector<Step> steps_;
};

/// Watched launches: the reads of shared memory by the operations of one warp, in groups as they were committed.
class WgmmaGroups {
 public:
  void Fence() { fenced_ = true; }
  bool fenced() const { return fenced_; }
  /// The number of operations before this one.
  size_t NextOperation() { return operations_++; }
  void AddRead(AsyncToken read) { open_.push_back(read); }
  void Commit();
  /// The lanes of the warp wait together, and return true to the last that comes.
  bool LastLaneArrives();
  /// `thread` knows that all committed groups but the last `groups` are finished.
  void Retire(uint64_t groups, GpuThread& thread);

 private:
  bool fenced_ = false;
  size_t operations_ = 0;
  uint32_t waiting_lanes_ = 0;
  std::vector<AsyncToken> open_;
  std::deque<std::vector<AsyncToken>> committed_;
};

void ExecuteWgmma(const WarpOp& op, const WarpCall& call);

}  // namespace mmtune::simt
