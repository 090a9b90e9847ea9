// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix operations of a warp in the simulator (ldmatrix, stmatrix, mma.sync), and the arithmetic and register
// fragments that wgmma shares with them.
//
// ldmatrix and stmatrix move 8x8 tiles of 16-bit elements between shared memory and registers. Lane 8i + j gives the
// address of row j of tile i. Lane l holds elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of each tile, or of column
// l / 4 with .trans.
//
// Floating-point mma adds one fused multiply-add for each k, in ascending order, each rounded to nearest even in f32;
// f16 accumulators are rounded once, at the end. A GPU adds several terms at a time and truncates. So the bits agree
// with a GPU only if all partial sums are exact, as with small integers. Integer mma is exact.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/ops/warp_ops.h"
#include "proto/types/data_type.h"

namespace mmtune::simt {

/// The NaN that GPU arithmetic returns for every NaN.
inline constexpr uint32_t kCanonicalNan = 0x7fffffff;

/// Converts a TF32 operand to float. Tensor cores read its upper 19 bits.
inline float FromTf32(uint32_t bits) { return std::bit_cast<float>(bits & 0xffffe000u); }

/// Returns the value, with every NaN replaced by kCanonicalNan.
inline float Canonical(float value) { return value != value ? std::bit_cast<float>(kCanonicalNan) : value; }

/// Returns min.f32 or max.f32 of x and y; -0 is less than +0. The result is NaN if both are NaN or, with
/// `propagate_nan` (.NaN), if one is.
inline float MinMax(float x, float y, bool is_min, bool propagate_nan) {
  const bool x_nan = std::isnan(x), y_nan = std::isnan(y);
  if (propagate_nan ? x_nan || y_nan : x_nan && y_nan) return std::bit_cast<float>(kCanonicalNan);
  if (x_nan) return y;
  if (y_nan) return x;
  const bool x_less = x < y || (x == y && std::signbit(x));
  return x_less == is_min ? x : y;
}

/// The inner loops of matrix operations. There are two implementations, with AVX2, FMA and F16C and without, which give
/// the same bits.
struct VectorMath {
  /// Convert `count` elements (a multiple of 8) to float.
  void (*widen_f16)(const uint16_t* from, float* to, size_t count);
  void (*widen_bf16)(const uint16_t* from, float* to, size_t count);
  /// Computes c += a * b. For each k in ascending order, c[i][j] = fma(a[i][k], b[k][j], c[i][j]); NaNs are canonical.
  /// `a` is m x k, `b` is k x n, `c` is m x n, all row-major. m is a multiple of 4, n of 8.
  void (*multiply_accumulate)(const float* a, const float* b, float* c, size_t m, size_t n, size_t k);
};

/// Returns the implementation that runs on every processor.
const VectorMath& PortableVectorMath();
/// Returns the implementation with AVX2; null if the processor lacks the instructions.
const VectorMath* Avx2VectorMath();
/// Returns the fastest implementation that this processor supports.
const VectorMath& BestVectorMath();

/// Converts `count` operands (a multiple of 8) of a floating-point type to float. Operands of kTf32 occupy 32 bits
/// each.
void Widen(ElementType type, const void* from, float* to, size_t count);

// The three functions below tell which element of a matrix a lane holds in a register (PTX ISA, "Matrix fragments for
// mma" and "Register fragments for wgmma"). A register holds e = 32 / bits elements of A or B; j counts them.

/// The row and column of an element.
struct ElementIndex {
  uint32_t row;
  uint32_t column;
};

/// Returns the index of element j of register r of A, with up to 16 rows.
inline ElementIndex IndexInA(uint32_t lane, uint32_t r, uint32_t j, uint32_t e) {
  return {lane / 4 + 8 * (r % 2), r / 2 * 4 * e + lane % 4 * e + j};
}

/// Returns the index of element j of register r of B, with 8 columns.
inline ElementIndex IndexInB(uint32_t lane, uint32_t r, uint32_t j, uint32_t e) {
  return {r * 4 * e + lane % 4 * e + j, lane / 4};
}

/// Returns the index of element i of C or D with 16 rows. Elements 4c to 4c + 3 are in columns 8c to 8c + 7.
inline ElementIndex IndexInC(uint32_t lane, uint32_t i) {
  return {lane / 4 + 8 * (i / 2 % 2), i / 4 * 8 + lane % 4 * 2 + i % 2};
}

/// Loads A (`rows` x k elements of type T, rows 8 or 16) into a row-major array. The fragment of each lane starts at
/// word `offset` of its operands.
template <typename T>
void LoadA(const WarpCall& call, uint32_t offset, uint32_t rows, uint32_t k, T* a) {
  constexpr uint32_t kElements = 4 / sizeof(T);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t r = 0; r < rows * k / (32 * kElements); ++r) {
      const ElementIndex index = IndexInA(lane, rows == 8 ? 2 * r : r, 0, kElements);
      std::memcpy(a + index.row * k + index.column, call.in[lane] + offset + r, 4);
    }
  }
}

/// Loads 16 x n accumulators of type kF32 or kF16 into a row-major array, from word `offset` of each lane's operands
/// on.
void LoadAccumulators(const WarpCall& call, uint32_t offset, ElementType type, uint32_t n, float* c);
/// Stores accumulators to the results of each lane. For kF16, rounds to nearest even.
void StoreAccumulators(const WarpCall& call, ElementType type, uint32_t n, const float* d);

/// Multiplies integers of types op.a and op.b and adds the products to `rows` (8 or 16) x n accumulators: exactly at
/// first, then saturated (kSaturate) or wrapped. `a` is row-major, `b` column-major. C starts at word `c_offset` of
/// each lane's operands; it is zero without `c_offset`.
void MultiplyIntegers(const WarpOp& op, const WarpCall& call, uint32_t rows, const uint8_t* a, const uint8_t* b,
                      std::optional<uint32_t> c_offset);

// Each function executes a warp operation (warp_ops.h) of the kind in its name.
void ExecuteLoadMatrix(const WarpOp& op, const WarpCall& call);
void ExecuteStoreMatrix(const WarpOp& op, const WarpCall& call);
void ExecuteMma(const WarpOp& op, const WarpCall& call);

}  // namespace mmtune::simt
