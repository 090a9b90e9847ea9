#include "kernels/runtime/simt/float_calls.h"

#include <bit>

namespace mmtune::simt {
namespace {

/// Callers take the result from the low 16 bits of the register that a float is returned in.
float TruncateToBfloat16(float value) { return std::bit_cast<float>(uint32_t{ToBfloat16Bits(value)}); }

}  // namespace

uint16_t ToBfloat16Bits(float value) {
  constexpr uint32_t kInfinity = 0x7f800000;
  constexpr uint16_t kQuiet = 0x0040;
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto high = static_cast<uint16_t>(bits >> 16);
  if ((bits & 0x7fffffff) > kInfinity) return high | kQuiet;
  const uint32_t ties_to_even = 0x7fff + (high & 1);
  return static_cast<uint16_t>((bits + ties_to_even) >> 16);
}

std::vector<std::pair<std::string, void*>> FloatSymbols() {
  return {{"__truncsfbf2", reinterpret_cast<void*>(&TruncateToBfloat16)}};
}

}  // namespace mmtune::simt
