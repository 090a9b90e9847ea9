// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/random_operands.h"

#include <algorithm>
#include <cmath>

#include "proto/base/split_mix64.h"

namespace mmtune {
namespace {

constexpr int64_t kTableElements = int64_t{1} << 17;  // stays in the cache
constexpr int64_t kBlockElements = 4096;

std::vector<float> MakeTable(uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<float> table(static_cast<size_t>(kTableElements));
  const float scale = std::sqrt(3.0f) / 65536.0f;
  for (float& value : table) {
    uint64_t bits = random.Next();
    int64_t sum = 0;
    for (int field = 0; field < 4; ++field, bits >>= 16) sum += static_cast<int64_t>(bits & 0xffff);
    value = static_cast<float>(sum - 2 * 65535) * scale;
  }
  return table;
}

}  // namespace

RandomOperandStream::RandomOperandStream(const MatmulProblem& problem, uint64_t seed)
    : seed_(seed),
      sum_deviation_(std::sqrt(static_cast<float>(problem.k))),
      table_(std::make_shared<const std::vector<float>>(MakeTable(seed))) {}

void RandomOperandStream::operator()(PlanBuffer input, int64_t first, int64_t count, float* out) const {
  const bool is_factor = input == PlanBuffer::kA || input == PlanBuffer::kB;
  const float deviation = is_factor ? 1.0f : sum_deviation_;
  const uint64_t places = SplitMix64::At(seed_ ^ 0xbb67ae8584caa73b, static_cast<uint64_t>(input));
  for (const int64_t end = first + count; first < end;) {
    const int64_t within = first % kBlockElements, part = std::min(end - first, kBlockElements - within);
    const uint64_t place = SplitMix64::At(places, static_cast<uint64_t>(first / kBlockElements)) %
                           static_cast<uint64_t>(kTableElements - kBlockElements);
    const float* values = table_->data() + static_cast<int64_t>(place) + within;
    for (int64_t i = 0; i < part; ++i) out[i] = values[i] * deviation;
    first += part;
    out += part;
  }
}

}  // namespace mmtune
