// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled code calls where an assertion of its own does not hold.
#pragma once

#include "kernels/simulator/abi/abi.h"

namespace mmtune::simt {

extern "C" {

/// __assertfail of CUDA; does not return.
void mmtune_simt_assert_fail(ThreadContext*, const char* message, uint32_t site);

}  // extern "C"
}  // namespace mmtune::simt
