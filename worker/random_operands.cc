#include "worker/random_operands.h"

#include <cmath>

#include "worker/random_bits.h"

namespace mmtune {
namespace {

void FillNormal(std::vector<float>& values, int64_t elements, double deviation, RandomBits& random) {
  values.resize(static_cast<size_t>(elements));
  const float scale = std::sqrt(3.0f) / 65536.0f;
  for (float& value : values) {
    uint64_t bits = random.Next();
    int64_t sum = 0;
    for (int field = 0; field < 4; ++field, bits >>= 16) sum += static_cast<int64_t>(bits & 0xffff);
    value = static_cast<float>(static_cast<float>(sum - 2 * 65535) * scale * deviation);
  }
}

}  // namespace

RandomOperands MakeRandomOperands(const MatmulProblem& problem, uint64_t seed) {
  RandomBits random(seed);
  RandomOperands operands;
  const double sum = std::sqrt(static_cast<double>(problem.k));
  FillNormal(operands.a, problem.ElementsA(), 1, random);
  FillNormal(operands.b, problem.ElementsB(), 1, random);
  FillNormal(operands.bias, problem.ElementsBias(), sum, random);
  FillNormal(operands.addend, problem.ElementsAddend(), sum, random);
  return operands;
}

}  // namespace mmtune
