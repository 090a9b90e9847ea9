// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The children that ship, with kernels beside them that do on a device what no kernel may.
#pragma once

#include <string>

#include "proto/types/schedule.h"
#include "worker/children/child_server.h"

namespace mmtune {

enum class KernelFault {
  kIllegalAddress,     ///< Stores where nothing is allocated.
  kMisalignedAddress,  ///< Stores a word at an odd address: a GPU's error, and none of x86-64.
  kTrap,
  kRunaway,  ///< Never ends.
};

/// "illegal_address", …
std::string KernelFaultName(KernelFault fault);

/// A schedule whose kernel has the fault when it is checked, whatever the problem.
Schedule KernelFaultSchedule(KernelFault fault);

/// The real parts; schedules of KernelFaultSchedule are compiled and run as well.
ChildParts FaultyKernelChildParts();

}  // namespace mmtune
