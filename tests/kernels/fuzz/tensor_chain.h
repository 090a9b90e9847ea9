// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations that a compiler may make one of, and a product's epilogue: as MLIR and as what they compute.
#pragma once

#include <algorithm>
#include <cstdint>

namespace mmtune {

/// One operation: %r of %in, an element of the chain so far, and %y, one of another tensor.
struct ChainStep {
  enum class Bound { kSame, kDouble, kSum, kSmall };

  const char* map;  ///< The map of the other tensor; null if it is not read. "#row" reads a row of it for all rows.
  const char* body;
  float (*apply)(float x, float y);
  Bound bound;
};

inline constexpr ChainStep kChainSteps[] = {
    {nullptr, "%r = arith.maximumf %in, %zero : f32", [](float x, float) { return std::max(x, 0.0f); },
     ChainStep::Bound::kSame},
    {nullptr, "%c = arith.cmpf ugt, %in, %zero : f32\n    %r = arith.select %c, %in, %zero : f32",
     [](float x, float) { return std::max(x, 0.0f); }, ChainStep::Bound::kSame},
    {nullptr, "%l = arith.maximumf %in, %low : f32\n    %r = arith.minimumf %l, %high : f32",
     [](float x, float) { return std::clamp(x, -2.0f, 2.0f); }, ChainStep::Bound::kSmall},
    {nullptr, "%c = arith.cmpf ult, %high, %in : f32\n    %r = arith.select %c, %high, %in : f32",
     [](float x, float) { return std::min(x, 2.0f); }, ChainStep::Bound::kSame},
    {nullptr, "%r = arith.mulf %in, %high : f32", [](float x, float) { return 2 * x; }, ChainStep::Bound::kDouble},
    {"#id", "%r = arith.addf %in, %y : f32", [](float x, float y) { return x + y; }, ChainStep::Bound::kSum},
    {"#id", "%r = arith.subf %y, %in : f32", [](float x, float y) { return y - x; }, ChainStep::Bound::kSum},
    {"#row", "%r = arith.addf %y, %in : f32", [](float x, float y) { return x + y; }, ChainStep::Bound::kSum},
    {"#transposed", "%r = arith.addf %in, %y : f32", [](float x, float y) { return x + y; }, ChainStep::Bound::kSum},
};

/// Returns a bound of a step's results for elements of such magnitudes; `small` bounds the results of clamping.
inline int64_t BoundOf(const ChainStep& step, int64_t x, int64_t y, int64_t small) {
  if (step.bound == ChainStep::Bound::kSum) return x + y;
  if (step.bound == ChainStep::Bound::kDouble) return 2 * x;
  return step.bound == ChainStep::Bound::kSmall ? small : std::max(x, small);
}

}  // namespace mmtune
