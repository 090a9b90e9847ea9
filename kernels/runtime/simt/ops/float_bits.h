// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bits as tensor cores read them, and the NaN that GPU arithmetic returns whatever NaN it was given.
#pragma once

#include <bit>
#include <cstdint>

#include "proto/types/element_bits.h"

namespace mmtune::simt {

inline constexpr uint32_t kCanonicalNan = 0x7fffffff;

/// A tensor core reads the upper 19 bits of a TF32 operand.
inline float FromTf32(uint32_t bits) { return std::bit_cast<float>(bits & 0xffffe000u); }

inline float Canonical(float value) { return value != value ? std::bit_cast<float>(kCanonicalNan) : value; }

}  // namespace mmtune::simt
