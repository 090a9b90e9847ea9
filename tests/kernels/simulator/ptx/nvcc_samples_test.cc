// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that nvcc compiled for sm_80 (nvcc_samples.ptx): a tiled matmul, reductions by shuffles and by the last
// block, cp.async, calls and local memory. They are right and without findings, but for the one that lacks a fence.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"

namespace mmtune::ptx {
namespace {

class NvccSamplesTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::ifstream file(NVCC_SAMPLES);
    std::stringstream text;
    text << file.rdbuf();
    auto compiled = compilePtx(text.str(), {.name = "nvcc_samples.ptx", .watched = true});
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    image_ = new std::string(std::move(compiled->image));
  }

  NvccSamplesTest() {
    simt::SimtOptions options;
    options.race_detector = true;
    device_ = *simt::SimtDevice::Create(options);
    if (image_) module_ = *device_->LoadModule(ImageFormat::kSimtObject, *image_);
  }

  DevicePtr Upload(const std::vector<float>& values) {
    DevicePtr memory = *device_->Allocate(values.size() * sizeof(float));
    EXPECT_TRUE(device_->CopyToDevice(memory, values.data(), values.size() * sizeof(float)).ok());
    return memory;
  }
  std::vector<float> Download(DevicePtr memory, size_t count) {
    std::vector<float> values(count);
    EXPECT_TRUE(device_->CopyToHost(values.data(), memory, count * sizeof(float)).ok());
    return values;
  }
  /// Returns the findings of a launch, or its error.
  std::string Launch(const std::string& kernel, LaunchShape shape, std::vector<void*> arguments) {
    const absl::Status launched = device_->Launch(*module_->GetKernel(kernel), shape, arguments.data());
    std::string text(launched.message());
    for (const simt::Finding& finding : static_cast<simt::SimtDevice&>(*device_).TakeFindings())
      text += "\n" + simt::FindingText(finding);
    return text;
  }
  static LaunchShape Shape(uint32_t grid_x, uint32_t grid_y, uint32_t block_x, uint32_t block_y) {
    LaunchShape shape;
    shape.grid[0] = grid_x, shape.grid[1] = grid_y, shape.block[0] = block_x, shape.block[1] = block_y;
    return shape;
  }
  static std::vector<float> Integers(size_t count) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 7 % 11) - 5;
    return values;
  }

  static inline std::string* image_ = nullptr;
  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceModule> module_;
};

TEST_F(NvccSamplesTest, TiledMatmulIsExact) {
  int m = 37, n = 41, k = 29;
  const std::vector<float> a = Integers(m * k), b = Integers(k * n);
  DevicePtr in_a = Upload(a), in_b = Upload(b), out = Upload(std::vector<float>(m * n, NAN));
  EXPECT_EQ(Launch("_Z5tiledILi16EEvPKfS1_Pfiii", Shape(3, 3, 16, 16), {&in_a, &in_b, &out, &m, &n, &k}), "");
  const std::vector<float> c = Download(out, m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
      ASSERT_EQ(c[i * n + j], sum) << i << ", " << j;
    }
}

TEST_F(NvccSamplesTest, ReductionsAreExact) {
  int n = 1000;
  const std::vector<float> x = Integers(n);
  float sum = 0;
  for (float value : x) sum += value;
  DevicePtr in = Upload(x), out = Upload({0}), parts = Upload(std::vector<float>(5));
  EXPECT_EQ(Launch("_Z3redPKfPfi", Shape(3, 1, 128, 1), {&in, &out, &n}), "");
  EXPECT_EQ(Download(out, 1)[0], sum);
  EXPECT_EQ(Launch("_Z9lastblockPKfPfS1_i", Shape(5, 1, 128, 1), {&in, &parts, &out, &n}), "");
  EXPECT_EQ(Download(out, 1)[0], sum);
}

TEST_F(NvccSamplesTest, FindsTheMissingFenceWithBothLines) {
  int n = 100;
  DevicePtr in = Upload(Integers(n)), out = Upload({0}), parts = Upload(std::vector<float>(5));
  const std::string findings = Launch("_Z7nofencePKfPfS1_i", Shape(5, 1, 128, 1), {&in, &parts, &out, &n});
  EXPECT_NE(findings.find("race"), std::string::npos) << findings;
  // The last block loads what the others have stored. Which loads are first depends on which block is the last.
  EXPECT_NE(findings.find("nvcc_samples.ptx:1041"), std::string::npos) << findings;
  int loads = 0;
  for (const char* line : {":1075", ":1077", ":1079", ":1081", ":1098"})
    loads += findings.find(std::string("nvcc_samples.ptx") + line) != std::string::npos;
  EXPECT_GT(loads, 0) << findings;
}

TEST_F(NvccSamplesTest, AsynchronousCopiesArriveInTime) {
  int n = 4;
  const std::vector<float> a = Integers(128 * n);
  DevicePtr in = Upload(a), out = Upload(std::vector<float>(128, NAN));
  EXPECT_EQ(Launch("_Z4pipePKfPfi", Shape(1, 1, 128, 1), {&in, &out, &n}), "");
  const std::vector<float> c = Download(out, 128);
  for (int t = 0; t < 128; ++t) EXPECT_EQ(c[t], a[127 - t] + a[255 - t] + a[383 - t] + a[511 - t]);
}

TEST_F(NvccSamplesTest, CallsAndLocalMemoryAreAccurate) {
  int n = 200;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = (i - 100) * (i % 7 == 2 ? 5000.0f : 0.37f);
  for (int i = 0; i < n; ++i)
    if (i % 5 < 2) x[i] = std::fmod(x[i], 80.0f);  // exp of more is infinite.
  DevicePtr in = Upload(x), out = Upload(std::vector<float>(n, NAN));
  EXPECT_EQ(Launch("_Z5callsPKfPfi", Shape(2, 1, 128, 1), {&in, &out, &n}), "");
  const std::vector<float> y = Download(out, n);
  for (int i = 0; i < n; ++i) {
    const int k = i % 5;
    const double expected = k > 1 ? double{x[i]} / k + std::sin(double{x[i]}) : std::exp(double{x[i]});
    EXPECT_NEAR(y[i], expected, std::fabs(expected) * 1e-5 + 1e-6) << x[i];
  }
}

}  // namespace
}  // namespace mmtune::ptx
