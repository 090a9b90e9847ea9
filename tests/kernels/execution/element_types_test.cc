// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types and math operations of kernels that are gpu.funcs.
#include <bit>
#include <cmath>
#include <numeric>

#include "tests/kernels/execution/test_module.h"

namespace mmtune {
namespace {

class TypesTest : public TestModule {
 protected:
  TypesTest() { Load(TYPES_MODULE); }
};

float FromBfloat16(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

TEST_F(TypesTest, FunctionsOfF32) {
  const std::vector<float> x = {-2.5f, -1.0f, -0.25f, 0.125f, 0.5f, 1.0f, 2.5f, 7.75f};
  const auto n = static_cast<int64_t>(x.size());
  std::vector<ModelValue> arguments = {Buffer({n}, x), Buffer({n, 16}, std::vector<float>(16 * n))};
  Run("functions_f32", &arguments);
  const std::vector<float> y = Values<float>(arguments[1]);
  for (int64_t i = 0; i < n; ++i) {
    const double v = x[i], a = std::abs(v);
    const double expected[16] = {std::exp(v),      std::tanh(v),     std::sqrt(a),  std::max(v, 2.0), std::log(a),
                                 std::erf(v),      1 / std::sqrt(a), a * a,         std::sin(v),      std::cos(v),
                                 std::fmod(v, 2),  std::floor(v),    std::log1p(a), v * v * v,        v / 2,
                                 std::nearbyint(v)};
    for (int f = 0; f < 16; ++f) {
      EXPECT_NEAR(y[16 * i + f], expected[f], 1e-6 * std::max(1.0, std::abs(expected[f])))
          << "function " << f << " of " << v;
    }
  }
}

TEST_F(TypesTest, FunctionsOfF64) {
  const std::vector<double> x = {-3, -0.5, 0, 0.25};
  std::vector<ModelValue> arguments = {Buffer({4}, x)};
  Run("functions_f64", &arguments);
  const std::vector<double> y = Values<double>(arguments[0]);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], std::tanh(std::exp(x[i])), 1e-15);
}

// In bits: 0, 1, -2 and 0.5; each of the two operations rounds to nearest.
TEST_F(TypesTest, NarrowTypes) {
  std::vector<ModelValue> arguments = {Buffer({4}, std::vector<uint16_t>{0x0000, 0x3c00, 0xc000, 0x3800}),
                                       Buffer({4}, std::vector<uint16_t>{0x0000, 0x3f80, 0xc000, 0x3f00})};
  Run("narrow", &arguments);
  const std::vector<uint16_t> halves = Values<uint16_t>(arguments[0]), brains = Values<uint16_t>(arguments[1]);
  EXPECT_EQ(halves, (std::vector<uint16_t>{0x3c00, 0x4370, 0xbf75, 0x404c}));
  const float x[] = {0, 1, -2, 0.5};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(FromBfloat16(brains[i]), std::exp(x[i]) + x[i], 0.01 * (1 + std::abs(x[i])));
}

// In bits, with 13 of them to go: less than half of the last one kept, a half above an even and above an odd one, and
// more than half; then such of a negative number, an infinity, and a NaN, of which there is one.
TEST_F(TypesTest, Tf32) {
  const std::vector<uint32_t> words = {0x3f800fff, 0x3f801000, 0x3f803000, 0x3f801001,
                                       0xbf801000, 0x7f800000, 0x7fc00001, 0x7f7fffff};
  std::vector<float> x;
  for (uint32_t word : words) x.push_back(std::bit_cast<float>(word));
  std::vector<ModelValue> arguments = {Buffer({8}, x), Buffer({8}, std::vector<uint32_t>(8)),
                                       Buffer({8}, std::vector<uint32_t>(8))};
  Run("to_tf32", &arguments);
  EXPECT_EQ(Values<uint32_t>(arguments[1]), (std::vector<uint32_t>{0x3f800000, 0x3f800000, 0x3f804000, 0x3f802000,
                                                                   0xbf800000, 0x7f800000, 0x7fffffff, 0x7f800000}));
  EXPECT_EQ(Values<uint32_t>(arguments[2]), (std::vector<uint32_t>{0x3f800000, 0x3f802000, 0x3f804000, 0x3f802000,
                                                                   0xbf802000, 0x7f800000, 0x7fffffff, 0x7f800000}));
}

TEST_F(TypesTest, Integers) {
  std::vector<int8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), -128);
  std::vector<ModelValue> arguments = {Buffer({256}, std::vector<uint8_t>(256, 7)), Buffer({256}, bytes),
                                       Buffer({256}, std::vector<int64_t>(256))};
  Run("integers", &arguments);
  const std::vector<uint8_t> flags = Values<uint8_t>(arguments[0]);
  const std::vector<int8_t> clamped = Values<int8_t>(arguments[1]);
  const std::vector<int64_t> indices = Values<int64_t>(arguments[2]);
  for (int i = 0; i < 256; ++i) {
    const int expected = std::min(std::max(bytes[i] / 3, -20), 20);
    EXPECT_EQ(flags[i], bytes[i] < 0) << i;
    EXPECT_EQ(clamped[i], expected) << i;
    EXPECT_EQ(indices[i], int64_t{i} * i - expected) << i;
  }
}

TEST_F(TypesTest, VectorsAsParameters) {
  std::vector<ModelValue> arguments = {Buffer({16}, std::vector<float>(16))};
  Run("vectors", &arguments);
  std::vector<float> expected(16);
  std::iota(expected.begin(), expected.end(), 1.0f);
  EXPECT_EQ(Values<float>(arguments[0]), expected);
}

}  // namespace
}  // namespace mmtune
