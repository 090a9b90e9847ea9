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

/// Elements of an operand that a 32-bit register holds; 0 for types that are no operand of 32-bit registers.
inline uint32_t ElementsPerRegister(ElementType type) {
  switch (type) {
    case ElementType::kF16:
    case ElementType::kBf16:
      return 2;
    case ElementType::kTf32:
    case ElementType::kF32:
    case ElementType::kS32:
      return 1;
    case ElementType::kS8:
    case ElementType::kU8:
      return 4;
    default:
      return 0;
  }
}

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
