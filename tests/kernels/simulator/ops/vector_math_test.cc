// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/warp_matrix.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/test_seed.h"

namespace mmtune::simt {
namespace {

TEST(FloatBits, EveryF16SurvivesTheWayToF32AndBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = FromF16(static_cast<uint16_t>(bits));
    const bool is_nan = (bits & 0x7fff) > 0x7c00;
    EXPECT_EQ(std::isnan(value), is_nan) << bits;
    EXPECT_EQ(ToF16(value), is_nan ? kNanF16 : bits) << bits;
  }
}

TEST(FloatBits, RoundsToTheNearestEven) {
  EXPECT_EQ(ToF16(2049.0f), 0x6800) << "a tie goes to 2048";
  EXPECT_EQ(ToF16(2051.0f), 0x6802) << "a tie goes to 2052";
  EXPECT_EQ(ToF16(std::nextafter(2049.0f, 3000.0f)), 0x6801);
  EXPECT_EQ(ToF16(65519.0f), 0x7bff);
  EXPECT_EQ(ToF16(65520.0f), 0x7c00);
  EXPECT_EQ(ToF16(-1e30f), 0xfc00);
  EXPECT_EQ(ToF16(0x1p-25f), 0x0000) << "half of the least subnormal";
  EXPECT_EQ(ToF16(0x1.8p-25f), 0x0001);
  EXPECT_EQ(ToF16(-0x1p-24f), 0x8001);
  EXPECT_EQ(ToF16(-0.0f), 0x8000);
  EXPECT_EQ(ToBf16(1.0f + 0x1p-8f), 0x3f80);
  EXPECT_EQ(ToBf16(1.0f + 0x1.8p-7f), 0x3f82);
  EXPECT_EQ(ToBf16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(FromTf32(0x3f801fff), 1.0f);
}

/// Any bits: subnormal numbers, infinities and NaNs among them.
std::vector<uint16_t> RandomHalves(size_t count) {
  std::mt19937 random(static_cast<uint32_t>(TestSeed(1)));
  std::vector<uint16_t> halves(count);
  for (uint16_t& half : halves) half = static_cast<uint16_t>(random());
  return halves;
}

template <typename T>
std::vector<uint32_t> Bits(const std::vector<T>& values) {
  std::vector<uint32_t> bits;
  for (T value : values) bits.push_back(std::isnan(value) ? kCanonicalNan : std::bit_cast<uint32_t>(value));
  return bits;
}

TEST(VectorMath, BothImplementationsWidenAlike) {
  if (Avx2VectorMath() == nullptr) GTEST_SKIP() << "no AVX2, FMA and F16C";
  const std::vector<uint16_t> halves = RandomHalves(4096);
  std::vector<float> fast(halves.size()), portable(halves.size());
  for (auto member : {&VectorMath::widen_f16, &VectorMath::widen_bf16}) {
    (Avx2VectorMath()->*member)(halves.data(), fast.data(), halves.size());
    (PortableVectorMath().*member)(halves.data(), portable.data(), halves.size());
    EXPECT_EQ(Bits(fast), Bits(portable));
  }
}

TEST(VectorMath, BothImplementationsGiveTheSameBits) {
  if (Avx2VectorMath() == nullptr) GTEST_SKIP() << "no AVX2, FMA and F16C";
  std::mt19937 random(static_cast<uint32_t>(TestSeed(2)));
  std::normal_distribution<float> normal;
  for (size_t n : {8, 16, 24, 256}) {
    for (size_t k : {4, 8, 16}) {
      std::vector<float> a(16 * k), b(k * n), c(16 * n);
      for (auto* values : {&a, &b, &c}) {
        for (float& value : *values) value = normal(random);
      }
      a[3] = std::numeric_limits<float>::infinity();
      b[1] = std::numeric_limits<float>::quiet_NaN();
      c[n] = -0.0f;
      std::vector<float> fast = c, portable = c;
      Avx2VectorMath()->multiply_accumulate(a.data(), b.data(), fast.data(), 16, n, k);
      PortableVectorMath().multiply_accumulate(a.data(), b.data(), portable.data(), 16, n, k);
      for (size_t i = 0; i < c.size(); ++i) {
        EXPECT_EQ(std::bit_cast<uint32_t>(fast[i]), std::bit_cast<uint32_t>(portable[i])) << i;
      }
    }
  }
}

TEST(VectorMath, NansAreCanonicalAndSumsAreFused) {
  const std::vector<float> a = {1.0f + 0x1p-12f, 0, 0, 0}, b = {1.0f - 0x1p-12f, 0, 0, 0, 0, 0, 0, 0};
  std::vector<float> c(32, std::bit_cast<float>(0xffc00123u));
  c[0] = -1.0f;
  BestVectorMath().multiply_accumulate(a.data(), b.data(), c.data(), 4, 8, 1);
  EXPECT_EQ(c[0], -0x1p-24f) << "the product is not rounded";
  EXPECT_EQ(std::bit_cast<uint32_t>(c[1]), kCanonicalNan);
}

}  // namespace
}  // namespace mmtune::simt
