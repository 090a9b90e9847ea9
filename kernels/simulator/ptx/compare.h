// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The comparison operators of setp and set.
#pragma once

#include "kernels/simulator/ptx/instruction_emitter.h"

namespace mmtune::ptx {

/// Returns the i1, or vector of them, of `a <comparison> b`. The operator is one of PTX for the type: eq, lo, ltu, num,
/// …; with .ftz in the opcode, subnormal f32 and f16 numbers are zeros.
mlir::Value compareValues(InstructionEmitter& e, llvm::StringRef comparison, const ScalarType& type, mlir::Value a,
                          mlir::Value b);

}  // namespace mmtune::ptx
