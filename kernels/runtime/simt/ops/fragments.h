// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lane and register of a warp holds which element of a matrix (PTX ISA, "Matrix fragments for mma" and "Register
// fragments for wgmma"). Of lane l: g = l / 4, q = l % 4; a register holds e = 32 / bits elements of A or B, j counts
// them.
#pragma once

#include <cstdint>

#include "kernels/runtime/simt/abi/abi.h"

namespace mmtune::simt {

struct Place {
  uint32_t row;
  uint32_t column;
};

/// Element j of register r of A, with up to 16 rows.
inline Place PlaceInA(uint32_t lane, uint32_t r, uint32_t j, uint32_t e) {
  return {lane / 4 + 8 * (r % 2), r / 2 * 4 * e + lane % 4 * e + j};
}

/// Element j of register r of B, with 8 columns.
inline Place PlaceInB(uint32_t lane, uint32_t r, uint32_t j, uint32_t e) {
  return {r * 4 * e + lane % 4 * e + j, lane / 4};
}

/// Element i of C or D of 16 rows; every 4 elements stand in the next 8 columns.
inline Place PlaceInC(uint32_t lane, uint32_t i) {
  return {lane / 4 + 8 * (i / 2 % 2), i / 4 * 8 + lane % 4 * 2 + i % 2};
}

}  // namespace mmtune::simt
