// Conversions that compiled kernels call where the processor has no instruction for them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mmtune::simt {

/// The bits of `value` as a bfloat16, rounded to nearest, ties to even. NaN stays NaN.
uint16_t ToBfloat16Bits(float value);

/// What the compiler's support library of GCC 12 lacks, by name: `__truncsfbf2`.
std::vector<std::pair<std::string, void*>> FloatSymbols();

}  // namespace mmtune::simt
