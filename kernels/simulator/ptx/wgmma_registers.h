// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds wgmma operations whose registers are accessed at the wrong time. The SIMT device executes wgmma synchronously.
// So a result that is read too early is correct on the SIMT device, but not on a GPU.
//
// The analysis follows the registers of D and A over all paths of a function, also through moves, which ptxas removes:
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

/// Holds the lines of the PTX that misuse registers of one wgmma.mma_async; 0 for none.
struct WgmmaMisuse {
  uint32_t earlyAccess = 0;     ///< Accesses a register of D or A before a wait_group that covers the operation.
  uint32_t unfencedAccess = 0;  ///< Accesses a register of D or A, and no wgmma.fence follows before the operation.
};

/// Returns the misuses by index of the instruction.
std::map<size_t, WgmmaMisuse> findWgmmaMisuses(const Function& function);

}  // namespace mmtune::ptx
