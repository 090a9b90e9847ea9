// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an `mma` kernel gives its instructions in place of the elements of a problem: the elements themselves, or, where
// f32 has to stay as accurate as it is, a few narrower numbers that add up to them.
#pragma once

#include <cstdint>
#include <span>

#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The product of one plane of A and one of B.
struct PlaneProduct {
  int a, b;
};

/// An operand is the sum of its planes: the first is the element, rounded to `type`, each further one what the planes
/// before leave of it, rounded to `type`. A * B is taken to be the sum of `products`, which are in the order from small
/// to large: tensor cores align addends to the largest and truncate them.
struct MmaPlanes {
  DataType type;  ///< Of what instructions multiply; f32 as tf32.
  int64_t count;  ///< For each operand.
  std::span<const PlaneProduct> products;

  /// Sums of the products of a split element are begun anew for each instruction's k and then added to those before in
  /// f32, rounded to the nearest: tensor cores would truncate the long sums.
  bool AreSplit() const { return count > 1; }
};

/// The planes of a problem that tensor cores multiply.
inline MmaPlanes PlanesOf(const MatmulProblem& problem) {
  // Left out is at most 2^-21 of a product by tf32x3 (lo * lo, and what two planes do not hold), 2^-24 by bf16x6.
  static constexpr PlaneProduct kWhole[] = {{0, 0}};
  static constexpr PlaneProduct kTf32x3[] = {{0, 1}, {1, 0}, {0, 0}};
  static constexpr PlaneProduct kBf16x6[] = {{0, 2}, {1, 1}, {2, 0}, {0, 1}, {1, 0}, {0, 0}};
  switch (problem.math) {
    case MathMode::kTf32x3:
      return {DataType::kF32, 2, kTf32x3};
    case MathMode::kBf16x6:
      return {DataType::kBf16, 3, kBf16x6};
    case MathMode::kIeee:
    case MathMode::kTf32:
      break;
  }
  return {problem.dtype, 1, kWhole};
}

}  // namespace mmtune
