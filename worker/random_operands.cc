#include "worker/random_operands.h"

#include <cmath>
#include <cstdint>

namespace mmtune {

void FillRandomNormal(std::vector<float>& values, RandomBits& random) {
  const float scale = std::sqrt(3.0f) / 65536.0f;
  for (float& value : values) {
    uint64_t bits = random.Next();
    int64_t sum = 0;
    for (int field = 0; field < 4; ++field, bits >>= 16) sum += static_cast<int64_t>(bits & 0xffff);
    value = static_cast<float>(sum - 2 * 65535) * scale;
  }
}

}  // namespace mmtune
