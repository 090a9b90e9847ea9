// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic with the roundings, flushing and saturation of PTX, from operations that round to nearest.
//
// An operation whose result is rounded other than to nearest, or to a type that the host lacks, is computed in f64 and
// rounded to odd: the last bit of an inexact result is 1. Rounding that to a type of at most 51 bits gives what
// rounding the exact result gives.
#pragma once

#include "kernels/simulator/ptx/instruction_emitter.h"

namespace mmtune::ptx {

enum class Rounding { kNearest, kZero, kDown, kUp };

/// Returns the rounding that the opcode names by rn, rz, rm, rp or their integer forms rni, …; else to nearest.
Rounding roundingOf(InstructionEmitter& e);

// The values of these functions are scalars. `type` is the PTX type of the result.

/// Returns a value as f64, exactly.
mlir::Value widened(InstructionEmitter& e, mlir::Value value);
/// Returns an f64 that is exact, or rounded to odd, rounded to a type.
mlir::Value narrowed(InstructionEmitter& e, mlir::Value value, const ScalarType& type, Rounding rounding);
/// Returns a + b, a * b + c, a / b and the square root in f64, rounded to odd. Factors have at most 26 bits.
mlir::Value oddSum(InstructionEmitter& e, mlir::Value a, mlir::Value b);
mlir::Value oddFma(InstructionEmitter& e, mlir::Value a, mlir::Value b, mlir::Value c);
mlir::Value oddQuotient(InstructionEmitter& e, mlir::Value a, mlir::Value b);
mlir::Value oddRoot(InstructionEmitter& e, mlir::Value a);

/// Returns a zero of the same sign for a subnormal number.
mlir::Value flushed(InstructionEmitter& e, mlir::Value value);
/// Clamps to [0, 1]; NaN becomes 0.
mlir::Value saturated(InstructionEmitter& e, mlir::Value value);
/// Returns 0 for negative numbers; NaN stays.
mlir::Value rectified(InstructionEmitter& e, mlir::Value value);
mlir::Value isNan(InstructionEmitter& e, mlir::Value value);
mlir::Value absolute(InstructionEmitter& e, mlir::Value value);

}  // namespace mmtune::ptx
