// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of mmtune.
//
// create<Name>Pass() and registerMmtunePasses(), generated from Passes.td. README.md gives the
// order in which pipelines use them. Includes no dialect: a pass includes those that it uses and
// those that Passes.td says it depends on.
#pragma once

#include <memory>

#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/passes/Passes.h.inc"

}  // namespace mmtune
