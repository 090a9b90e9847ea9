// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static analysis that finds wgmma operations whose registers are accessed at the wrong time. It is needed because
// the SIMT device executes wgmma synchronously: a result that is read too early is correct there, but not on a GPU.
//
// The analysis follows the registers of D and A over all paths through a function. It also follows moves (mov) between
// registers, because ptxas removes them. The effect of each instruction:
//
//   wgmma.mma_async     D and A are in flight; a finding if one was accessed since the last wgmma.fence
//   commit_group        the operations before belong to a group
//   wait_group N        registers of all but the last N groups are not in flight any more
//   other instructions  a finding if they access a register in flight
#pragma once

#include <cstdint>
#include <map>

#include "kernels/simulator/ptx/module.h"

namespace mmtune::ptx {

/// The lines of the PTX that misuse registers of one wgmma.mma_async. A line is 0 if there is no such misuse.
struct WgmmaMisuse {
  uint32_t earlyAccess = 0;     ///< Accesses a register of D or A before a wait_group that covers the operation.
  uint32_t unfencedAccess = 0;  ///< Accesses a register of D or A, and no wgmma.fence follows before the operation.
};

/// Returns the misuses of each wgmma.mma_async that has one, by its index in Function::instructions.
std::map<size_t, WgmmaMisuse> findWgmmaMisuses(const Function& function);

}  // namespace mmtune::ptx
