// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/fragments.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/simulator/ops/float_bits.h"

namespace mmtune::simt {
namespace {

int64_t IntegerOf(uint8_t byte, ElementType type) {
  return type == ElementType::kS8 ? static_cast<int8_t>(byte) : byte;
}

}  // namespace

// A lane's elements come in pairs that are neighbours of a row.

void LoadAccumulators(const WarpCall& call, uint32_t offset, ElementType type, uint32_t n, float* c) {
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t* words = call.in[lane] + offset;
    for (uint32_t i = 0; i < n / 2; i += 2) {
      const Place place = PlaceInC(lane, i);
      float* pair = c + place.row * n + place.column;
      if (type == ElementType::kF32) {
        std::memcpy(pair, words + i, 8);
      } else {
        pair[0] = FromF16(static_cast<uint16_t>(words[i / 2]));
        pair[1] = FromF16(static_cast<uint16_t>(words[i / 2] >> 16));
      }
    }
  }
}

void StoreAccumulators(const WarpCall& call, ElementType type, uint32_t n, const float* d) {
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t* words = call.out[lane];
    for (uint32_t i = 0; i < n / 2; i += 2) {
      const Place place = PlaceInC(lane, i);
      const float* pair = d + place.row * n + place.column;
      if (type == ElementType::kF32) {
        std::memcpy(words + i, pair, 8);
      } else {
        words[i / 2] = ToF16(pair[0]) | uint32_t{ToF16(pair[1])} << 16;
      }
    }
  }
}

void MultiplyIntegers(const WarpOp& op, const WarpCall& call, uint32_t rows, const uint8_t* a, const uint8_t* b,
                      std::optional<uint32_t> c_offset) {
  using Limits = std::numeric_limits<int32_t>;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < rows * op.n / 32; ++i) {
      const Place place = PlaceInC(lane, i);
      int64_t sum = c_offset ? static_cast<int32_t>(call.in[lane][*c_offset + i]) : 0;
      for (uint32_t k = 0; k < op.k; ++k) {
        sum += IntegerOf(a[place.row * op.k + k], op.a) * IntegerOf(b[place.column * op.k + k], op.b);
      }
      if ((op.flags & kSaturate) != 0) sum = std::clamp<int64_t>(sum, Limits::min(), Limits::max());
      call.out[lane][i] = static_cast<uint32_t>(sum);
    }
  }
}

}  // namespace mmtune::simt
