// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels compute by way of shared buffers that share space.
#include <numeric>

#include "tests/kernels/execution/test_module.h"

namespace mmtune {
namespace {

class SharedMemoryTest : public TestModule {
 protected:
  SharedMemoryTest() : data_(64) {
    Load(SHARED_MEMORY_MODULE);
    std::iota(data_.begin(), data_.end(), 100);
  }

  std::vector<int32_t> Expected(int turns) const {
    std::vector<int32_t> values = data_;
    for (int turn = 0; turn < turns; ++turn) {
      std::vector<int32_t> next(64);
      for (int i = 0; i < 64; ++i) next[i] = values[63 - i] + 3 * values[(i + 1) % 64];
      values = std::move(next);
    }
    return values;
  }

  std::vector<int32_t> data_;
};

TEST_F(SharedMemoryTest, TwoBuffersInStraightCode) {
  std::vector<ModelValue> arguments = {Buffer({64}, data_)};
  Run("two_steps", &arguments);
  EXPECT_EQ(Values<int32_t>(arguments[0]), Expected(1));
}

TEST_F(SharedMemoryTest, TwoBuffersInEachTurnOfALoop) {
  std::vector<ModelValue> arguments = {Buffer({64}, data_), Buffer({}, std::vector<int64_t>{9})};
  Run("many_turns", &arguments);
  EXPECT_EQ(Values<int32_t>(arguments[0]), Expected(9));
}

}  // namespace
}  // namespace mmtune
