// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says what a kernel may do with the values that it reads from shared memory. A kernel may read words that nothing has
// written, as long as it only moves them and computes with them, and stores no result of that. Running it with other
// values in these words shows whether results depend on them; it does not show what a branch or an address would have
// been for yet another value. So that is decided here, by the text.
#pragma once

#include "kernels/simulator/ptx/module.h"

namespace mmtune::ptx {

/// True if a value that `kernel` reads from shared memory may decide a guard or a branch, or be part of an address, an
/// atomic operation, a barrier's or a copy's operand, or an argument of a call. It may be true where none does, because
/// branches are not followed, and loads from local memory count, too, as do those from global memory behind a store of
/// such a value. It is false where one does only if another thread, or another kernel, loads what was stored to global
/// memory before it stores such a value itself. The same holds for the functions of the module, as any may be called.
bool sharedMayDecide(const Module& module, const Function& kernel);

}  // namespace mmtune::ptx
