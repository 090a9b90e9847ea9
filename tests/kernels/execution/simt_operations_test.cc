// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels compute with operations that the threads of a warp or a block do together, in each mode of the SIMT
// device, compared with a host reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>

#include "kernels/compiler/compiler.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/gpu_module_compiler.h"

namespace mmtune::simt {
namespace {

struct Mode {
  const char* name;
  bool check;
  std::optional<uint64_t> seed;
};

class SimtOperationsTest : public testing::TestWithParam<Mode> {
 protected:
  SimtOperationsTest() {
    SimtOptions options;
    options.arch = "sm_90";
    options.race_detector = GetParam().check;
    options.fuzzing_seed = GetParam().seed;
    device_ = *SimtDevice::Create(options);
  }

  void SetUp() override {
    std::ifstream file(SIMT_OPERATIONS_MODULE);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    CompileTarget target;
    target.device = device_->info();
    target.race_detection = GetParam().check;
    ImageFormat format;
    auto image = CompileGpuModule(text, SIMT_OPERATIONS_MODULE, target, &format);
    ASSERT_TRUE(image.ok()) << image.status();
    auto module = device_->LoadModule(format, *image);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
  }

  template <typename T>
  DevicePtr Upload(const std::vector<T>& values) {
    const DevicePtr ptr = *device_->Allocate(values.size() * sizeof(T));
    EXPECT_TRUE(device_->CopyToDevice(ptr, values.data(), values.size() * sizeof(T)).ok());
    return ptr;
  }

  /// Launches one block and returns `count` elements of its last argument.
  template <typename T>
  std::vector<T> Run(const char* kernel, uint32_t threads, std::vector<DevicePtr> buffers, size_t count) {
    std::vector<T> result(count);
    buffers.push_back(Upload(result));
    std::vector<void*> arguments;
    for (DevicePtr& buffer : buffers) arguments.push_back(&buffer);
    auto function = module_->GetKernel(kernel);
    EXPECT_TRUE(function.ok()) << function.status();
    if (!function.ok()) return result;
    LaunchShape shape;
    shape.block[0] = threads;
    const absl::Status launched = device_->Launch(*function, shape, arguments.data());
    EXPECT_TRUE(launched.ok()) << launched;
    EXPECT_TRUE(device_->CopyToHost(result.data(), buffers.back(), count * sizeof(T)).ok());
    return result;
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceModule> module_;
};

std::vector<float> Numbers(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

TEST_P(SimtOperationsTest, ShufflesAddUpAWarp) {
  const std::vector<float> sums = Run<float>("warp_sum", 64, {Upload(Numbers(64))}, 64);
  for (int t = 0; t < 64; ++t) EXPECT_EQ(sums[t], t < 32 ? 528 : 1552) << t;
}

TEST_P(SimtOperationsTest, ABarrierCountsAndOneLaneOfEachWarpIsElected) {
  std::vector<int32_t> flags(64);
  for (int t : {3, 31, 40, 62, 63}) flags[t] = t;
  const std::vector<int32_t> counts = Run<int32_t>("votes", 64, {Upload(flags)}, 66);
  for (int t = 0; t < 64; ++t) EXPECT_EQ(counts[t], 5) << t;
  EXPECT_EQ(counts[64], 496);
  EXPECT_EQ(counts[65], 496);
}

TEST_P(SimtOperationsTest, AWarpMultipliesTilesInSharedMemory) {
  std::vector<_Float16> a(16 * 16), b(16 * 8);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<_Float16>(static_cast<int>(i * 7 % 11) - 5);
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<_Float16>(static_cast<int>(i * 5 % 13) - 6);
  const std::vector<float> c = Run<float>("product", 32, {Upload(a), Upload(b)}, 16 * 8);
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int k = 0; k < 16; ++k) sum += static_cast<float>(a[i * 16 + k]) * static_cast<float>(b[k * 8 + j]);
      EXPECT_EQ(c[i * 8 + j], sum) << i << ", " << j;
    }
  }
}

TEST_P(SimtOperationsTest, ABulkCopyIsThereWhenItsBarrierSaysSo) {
  std::vector<float> x = Numbers(64);
  const std::vector<float> y = Run<float>("bulk", 64, {Upload(x)}, 64);
  std::reverse(x.begin(), x.end());
  EXPECT_EQ(y, x);
}

INSTANTIATE_TEST_SUITE_P(Modes, SimtOperationsTest,
                         testing::Values(Mode{"Fast", false, {}}, Mode{"Fuzzing", false, 7}, Mode{"Check", true, {}},
                                         Mode{"CheckedFuzzing", true, 7}),
                         [](const auto& mode) { return mode.param.name; });

}  // namespace
}  // namespace mmtune::simt
