// Random operands of about normal distribution.
#pragma once

#include <vector>

#include "worker/random_bits.h"

namespace mmtune {

/// Mean 0 and variance 1: the sum of four uniform 16-bit fields.
void FillRandomNormal(std::vector<float>& values, RandomBits& random);

}  // namespace mmtune
