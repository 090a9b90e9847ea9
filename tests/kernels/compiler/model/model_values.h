// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments and results of models, for tests.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/compiler/model/model_runner.h"

namespace mmtune {

inline std::string ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline float HalfToFloat(uint16_t half) {
  const int exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
  const float magnitude = exponent == 0      ? std::ldexp(static_cast<float>(fraction), -24)
                          : exponent == 0x1f ? (fraction == 0 ? INFINITY : NAN)
                                             : std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
  return half >> 15 ? -magnitude : magnitude;
}

/// Elements of f16, bf16, f32, f64, i1, i32, i64 or index as numbers. Other types fail the test.
inline std::vector<double> AsNumbers(const std::string& element, const std::vector<char>& data) {
  std::vector<double> numbers;
  auto each = [&](auto word, auto convert) {
    for (size_t at = 0; at + sizeof(word) <= data.size(); at += sizeof(word)) {
      std::memcpy(&word, &data[at], sizeof(word));
      numbers.push_back(static_cast<double>(convert(word)));
    }
  };
  if (element == "f16") each(uint16_t{}, HalfToFloat);
  if (element == "bf16") each(uint16_t{}, [](uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); });
  if (element == "f32") each(float{}, [](float value) { return value; });
  if (element == "f64") each(double{}, [](double value) { return value; });
  if (element == "i64" || element == "index") each(int64_t{}, [](int64_t value) { return value; });
  if (element == "i32") each(int32_t{}, [](int32_t value) { return value; });
  if (element == "i1") each(char{}, [](char value) { return value; });
  EXPECT_TRUE(data.empty() || !numbers.empty()) << "no numbers of type " << element;
  return numbers;
}

/// The bytes of `count` elements of value 1 or, with `iota`, of 1, 2, 3, 1, 2, …
inline std::vector<char> SmallNumbers(const std::string& element, int64_t count, bool iota) {
  std::vector<char> data;
  auto add = [&](auto value) {
    const char* bytes = reinterpret_cast<const char*>(&value);
    data.insert(data.end(), bytes, bytes + sizeof(value));
  };
  constexpr uint16_t kHalf[] = {0x3c00, 0x4000, 0x4200}, kBfloat[] = {0x3f80, 0x4000, 0x4040};
  for (int64_t i = 0; i < count; ++i) {
    const int64_t step = iota ? i % 3 : 0;
    if (element == "f16") add(kHalf[step]);
    if (element == "bf16") add(kBfloat[step]);
    if (element == "f32") add(static_cast<float>(step + 1));
    if (element == "f64") add(static_cast<double>(step + 1));
    if (element == "i64" || element == "index") add(step + 1);
    if (element == "i32") add(static_cast<int32_t>(step + 1));
    if (element == "i1") add(static_cast<char>(1));
  }
  EXPECT_TRUE(count == 0 || !data.empty()) << "no numbers of type " << element;
  return data;
}

}  // namespace mmtune
