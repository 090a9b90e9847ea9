// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How operations that are no warp operations fail.
#pragma once

#include <string>

#include "kernels/runtime/simt/block/block.h"

namespace mmtune::simt {

/// An operation used as the GPU forbids, in any mode: ends the launch.
[[noreturn]] void FailOperation(GpuThread& thread, uint32_t site, std::string what);

/// "shared+0x40", as findings have it.
std::string SharedAddress(const GpuThread& thread, const void* address);

}  // namespace mmtune::simt
