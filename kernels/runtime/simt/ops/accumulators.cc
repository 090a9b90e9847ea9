// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/ops/accumulators.h"

#include <cstring>

#include "kernels/runtime/simt/ops/float_bits.h"
#include "kernels/runtime/simt/ops/fragments.h"

namespace mmtune::simt {

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

}  // namespace mmtune::simt
