// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static analysis that finds out whether values from shared memory can decide branches or addresses of a kernel.
//
// A kernel may read words of shared memory that nothing has written, as long as its results do not depend on them.
// Running it twice, with different values in these words, shows whether the results depend on them. But it does not
// show which branch the kernel would take, or which address it would access, for a third value. That is why the PTX is
// analysed.
#pragma once

#include "kernels/simulator/ptx/module.h"

namespace mmtune::ptx {

/// True if a value that `kernel` reads from shared memory may decide a guard or a branch, or become part of an address,
/// an operand of an atomic operation, a barrier or a copy, or an argument of a call. The functions of the module are
/// analysed like the kernel, because it may call any of them.
///
/// False positives are possible: the analysis does not know which branches are taken, and it treats loads from local
/// memory, and loads from global memory after a store of such a value, like loads from shared memory. A false negative
/// is possible only through global memory: one thread or kernel stores a value from shared memory there, and another
/// one loads it before it has stored such a value itself.
bool sharedMayDecide(const Module& module, const Function& kernel);

}  // namespace mmtune::ptx
