// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits floating-point arithmetic with the rounding modes, flushing of subnormals and saturation of PTX, from host
// operations that only round to nearest.
//
// An operation that rounds in another mode, or to a type that the host lacks, is computed in f64 and rounded to odd:
// the last bit of an inexact result is 1. Rounding this intermediate result to a type with a significand of at most 51
// bits gives the same as rounding the exact result.
#pragma once

#include "kernels/simulator/ptx/instruction_emitter.h"

namespace mmtune::ptx {

enum class Rounding { kNearest, kZero, kDown, kUp };

/// Returns the rounding mode that the opcode of the emitter's instruction names by rn, rz, rm, rp or their integer
/// forms (rni, …); kNearest if it names none.
Rounding roundingOf(InstructionEmitter& e);

// The functions below emit operations on scalars. `type` is the PTX type of the result.

/// Converts an f32, or a value of 16 bits, to f32, which is exact.
mlir::Value inSingle(InstructionEmitter& e, mlir::Value value);
/// Converts a value to f64, which is exact.
mlir::Value widened(InstructionEmitter& e, mlir::Value value);
/// Rounds an f32 or f64, which is exact or was rounded to odd, to a type that is not wider.
mlir::Value narrowed(InstructionEmitter& e, mlir::Value value, const ScalarType& type, Rounding rounding);
/// Return a + b, a * b + c, a / b and the square root in f64, rounded to odd. The operands `a` and `b` of oddFma() must
/// have significands of at most 26 bits, so that their product is exact.
mlir::Value oddSum(InstructionEmitter& e, mlir::Value a, mlir::Value b);
mlir::Value oddFma(InstructionEmitter& e, mlir::Value a, mlir::Value b, mlir::Value c);
mlir::Value oddQuotient(InstructionEmitter& e, mlir::Value a, mlir::Value b);
mlir::Value oddRoot(InstructionEmitter& e, mlir::Value a);

/// Returns the value, with a subnormal number replaced by a zero of the same sign.
mlir::Value flushed(InstructionEmitter& e, mlir::Value value);
/// Returns the value clamped to [0, 1]; NaN becomes 0.
mlir::Value saturated(InstructionEmitter& e, mlir::Value value);
/// Returns the value, with negative numbers replaced by 0 (ReLU); NaN stays.
mlir::Value rectified(InstructionEmitter& e, mlir::Value value);
mlir::Value isNan(InstructionEmitter& e, mlir::Value value);
mlir::Value absolute(InstructionEmitter& e, mlir::Value value);

}  // namespace mmtune::ptx
