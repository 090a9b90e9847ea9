// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// setmaxnreg in the simulator: the registers of a block, which its warps give back and take. They are only counted:
// values of registers are those of the compiled code. Used only with a monitor, an observer of the launch such as the
// race detector (monitor.h).
//
// All warps of a block start with the same number of registers a thread. A decrease puts the difference into the
// block's pool. An increase takes it from there, and waits until there are enough. So a block deadlocks if its
// increases take more registers than its decreases give back. It also deadlocks if the warp that would execute the
// decrease first waits (at a barrier, for example) for a warp that waits in an increase.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "kernels/simulator/block/scheduler.h"

namespace mmtune::simt {

/// Counts the registers that each warp of a block has, and those in the block's pool.
class RegisterPool {
 public:
  /// Begins a block.
  void Reset() {
    warps_.clear();
    left_ = 0;
  }
  /// Executes setmaxnreg.inc, or .dec, to `registers` a thread. Each lane of the warp has to call it, and waits for the
  /// other lanes; in an increase, they also wait until the pool has enough registers. Each thread had `at_entry`
  /// registers when the kernel started. `site` is the program point, for findings (abi/abi.h). Reports a finding if an
  /// increase would lower the number, or a decrease raise it.
  void Set(GpuThread& thread, uint32_t registers, bool is_increase, uint32_t at_entry, uint32_t site);
  /// Reports a finding for each warpgroup whose four warps have not executed the same setmaxnreg. `last` is the last
  /// thread of the block.
  void BlockExits(GpuThread& last) const;

 private:
  struct Warp {
    uint32_t registers = 0;         ///< Registers of a thread.
    std::vector<uint32_t> values;   ///< The operands of the warp's setmaxnreg.
    uint32_t site = 0;              ///< The program point of the warp's last setmaxnreg.
    uint32_t arrived = 0;           ///< Lanes that have arrived at the next setmaxnreg.
    std::array<char, 160> waits{};  ///< Says in words for what these lanes wait.
  };

  std::map<uint32_t, Warp> warps_;  ///< The warps that have executed setmaxnreg, by index.
  int64_t left_ = 0;                ///< Registers in the pool.
};

}  // namespace mmtune::simt
