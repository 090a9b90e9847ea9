// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX kernels that execute the operation of a golden vector, so that a GPU can be compared with it.
#pragma once

#include <string>

#include "tests/kernels/simulator/ops/golden_file.h"

namespace mmtune {

/// Kernels of these modules have this name.
inline constexpr char kGoldenKernel[] = "golden";

/// "sm_80", or "sm_90a" for operations that only one architecture has.
std::string GoldenTarget(const GoldenOp& golden);
/// Parameters: operand words, result words, shared memory before, and after (pointers). One block of in.size() threads.
std::string GoldenPtx(const GoldenOp& golden);
/// Parameters: the tensor map (128 bytes), shared memory before, and after (pointers). One block of one thread.
std::string GoldenPtx(const GoldenTensorCopy& golden);

/// Bytes of the box of a copy.
uint32_t GoldenBoxBytes(const GoldenTensorCopy& golden);

}  // namespace mmtune
