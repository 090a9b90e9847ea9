// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lane and register of a warp holds which element of a matrix (PTX ISA, "Matrix fragments for mma" and "Register
// fragments for wgmma"), and the matrices that a warp's registers make. Of lane l: g = l / 4, q = l % 4; a register
// holds e = 32 / bits elements of A or B, j counts them.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/ops/warp_ops.h"

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

/// A of `rows` (8 or 16) x k elements of type T, in the words from `offset` on of each lane: row-major.
template <typename T>
void LoadA(const WarpCall& call, uint32_t offset, uint32_t rows, uint32_t k, T* a) {
  constexpr uint32_t kElements = 4 / sizeof(T);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t r = 0; r < rows * k / (32 * kElements); ++r) {
      const Place place = PlaceInA(lane, rows == 8 ? 2 * r : r, 0, kElements);
      std::memcpy(a + place.row * k + place.column, call.in[lane] + offset + r, 4);
    }
  }
}

/// Reads accumulators, the words from `offset` on of each lane, of type kF32 or kF16: a matrix of 16 x n, row-major.
void LoadAccumulators(const WarpCall& call, uint32_t offset, ElementType type, uint32_t n, float* c);
/// The same back. Rounds to the nearest even for kF16.
void StoreAccumulators(const WarpCall& call, ElementType type, uint32_t n, const float* d);

/// The product of integers `op` of the types a and b into `rows` (8 or 16) x n accumulators: exact, then saturated
/// (kSaturate) or wrapped. `a` is row-major and `b` column-major; C is in the words from `c_offset` on, or zero.
void MultiplyIntegers(const WarpOp& op, const WarpCall& call, uint32_t rows, const uint8_t* a, const uint8_t* b,
                      std::optional<uint32_t> c_offset);

}  // namespace mmtune::simt
