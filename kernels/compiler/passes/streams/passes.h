// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of Passes.td: create<Name>Pass(), the options' structs and registerMmtuneStreamPasses().
#pragma once

#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/passes/streams/Passes.h.inc"

}  // namespace mmtune
