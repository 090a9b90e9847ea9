// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 5376x2048 * 2048x5376 product of users' modules.
#include <cmath>
#include <random>

#include "tests/kernels/execution/test_module.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

constexpr int64_t kM = 5376, kN = 5376, kK = 2048;

/// The product of a row-major matrix and a vector of integers; exact below 2^53.
template <typename T>
std::vector<double> Times(const std::vector<T>& matrix, const std::vector<double>& x) {
  std::vector<double> y(matrix.size() / x.size());
  const T* row = matrix.data();
  for (size_t i = 0; i < y.size(); ++i, row += x.size()) {
    double sum = 0;
    for (size_t j = 0; j < x.size(); ++j) sum += row[j] * x[j];
    y[i] = sum;
  }
  return y;
}

class SeedProductsTest : public TestModule {
 protected:
  SeedProductsTest() : a_(SmallIntegers(kM * kK)), b_(SmallIntegers(kK * kN)) {}

  std::vector<float> SmallIntegers(int64_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(static_cast<int>(rng_() % 7) - 3);
    return values;
  }

  void ExpectProduct(const std::vector<float>& c) {
    ASSERT_EQ(c.size(), static_cast<size_t>(kM * kN));
    for (int check = 0; check < 2; ++check) {
      std::vector<double> x(kN);
      for (double& value : x) value = static_cast<double>(rng_() % 65536);
      const std::vector<double> expected = Times(a_, Times(b_, x)), actual = Times(c, x);
      for (int64_t i = 0; i < kM; ++i) ASSERT_EQ(actual[i], expected[i]) << "row " << i;
    }
    for (int64_t i : {int64_t{0}, int64_t{2731}, kM - 1}) {
      std::vector<float> row(kN);
      for (int64_t l = 0; l < kK; ++l)
        for (int64_t j = 0; j < kN; ++j) row[j] += a_[i * kK + l] * b_[l * kN + j];
      for (int64_t j = 0; j < kN; ++j) ASSERT_EQ(c[i * kN + j], row[j]) << "row " << i << ", column " << j;
    }
  }

  std::vector<ModelValue> Operands() const { return {Buffer({kM, kK}, a_), Buffer({kK, kN}, b_)}; }

  std::mt19937_64 rng_{TestSeed(7)};
  const std::vector<float> a_, b_;
};

TEST_F(SeedProductsTest, LaunchWithAllItsArguments) {
  Load(SEED_MODULES "matmul-5376x2048.mlir");
  const MgpuCounters before = GetMgpuCounters();
  std::vector<ModelValue> operands = Operands();
  const std::vector<ModelValue> results = Run("matmul", &operands);
  ASSERT_EQ(results.size(), 1u);
  ExpectProduct(Values<float>(results[0]));
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_EQ(after.launches - before.launches, 1);
  EXPECT_EQ(after.allocations - before.allocations, 3);
  EXPECT_EQ(Values<float>(operands[0]), a_);
  EXPECT_EQ(Values<float>(operands[1]), b_);
}

TEST_F(SeedProductsTest, TilesAllocatedInTheLoop) {
  Load(SEED_MODULES "shared-alloc-in-k-loop.mlir");
  std::vector<ModelValue> operands = Operands();
  const std::vector<ModelValue> results = Run("matmul", &operands);
  ASSERT_EQ(results.size(), 1u);
  ExpectProduct(Values<float>(results[0]));
}

}  // namespace
}  // namespace mmtune
