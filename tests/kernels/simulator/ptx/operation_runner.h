// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs cases of PTX operations on the SIMT device, on special values, and compares with their formulas.
//
// A case's statements find addresses in these registers: %x0 and %x3 are the thread's 32 bytes of global memory, which
// hold the operands, 8 bytes each, and zeros; %y6 the address of its 32 bytes of the shared array `mem`; %x4 a cache
// policy. `table` is a constant, and `block` a parameter of the kernel, of the bytes `kConstantBytes`.
#pragma once

#include <array>
#include <vector>

#include "kernels/simulator/ptx/ptx_compiler.h"
#include "tests/kernels/simulator/ptx/operation_case.h"

namespace mmtune::ptx {

inline constexpr size_t kOperandBytes = 32;
inline constexpr std::array<char, kOperandBytes> kConstantBytes = {0,   1,  -1, 127, -128, 64, -64, 3,  99,  -2, 5,
                                                                   120, -7, 8,  9,   -100, 11, 12,  13, -14, 15, 16,
                                                                   -17, 18, 19, -20, 21,   22, 23,  24, 25,  -26};

/// Compiles the cases with code for race detection or without, runs them, and expects the results of their formulas.
/// Where operands have more than `most` combinations of special values, so many are drawn.
void checkCases(const std::vector<Case>& cases, bool raceDetection, size_t most = 4096);

}  // namespace mmtune::ptx
