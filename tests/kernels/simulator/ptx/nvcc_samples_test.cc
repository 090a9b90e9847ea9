// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that nvcc compiled for sm_80. nvcc_samples.ptx: a tiled matmul, reductions by shuffles and by the last block,
// cp.async, calls and local memory. They are right and without findings, but for the one that lacks a fence.
// nvcc_kernels.ptx, of nvcc_kernels.cu: a pipelined matmul on tensor cores, softmax, layer normalisation and a
// transposition. They are right, and a fault that is put into one is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "proto/types/data_type.h"

namespace mmtune::ptx {
namespace {

constexpr char kGemm[] = "_Z4gemmPK6__halfS1_Pfiii", kSoftmax[] = "_Z7softmaxPKfPfi",
               kLayernorm[] = "_Z9layernormPK6float4S1_PS_i", kTranspose[] = "_Z9transposePKfPfii";

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class NvccSamplesTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    for (const char* name : {"nvcc_samples.ptx", "nvcc_kernels.ptx"}) images_->push_back(Compile(name));
  }
  static std::string Compile(const char* name, const std::string& text) {
    auto compiled = compilePtx(text, {.name = name, .race_detection = true});
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return compiled.ok() ? std::move(compiled->image) : std::string();
  }
  static std::string Compile(const char* name) { return Compile(name, ReadText(std::string(NVCC_SAMPLES) + name)); }

  NvccSamplesTest() { Load(*images_); }

  /// Begins with a new device that has these modules.
  void Load(const std::vector<std::string>& images) {
    modules_.clear();
    simt::SimtOptions options;
    options.race_detector = true;
    device_ = *simt::SimtDevice::Create(options);
    for (const std::string& image : images) modules_.push_back(*device_->LoadModule(ImageFormat::kSimtObject, image));
  }

  template <typename Value = float>
  DevicePtr Upload(const std::vector<Value>& values) {
    DevicePtr memory = *device_->Allocate(values.size() * sizeof(Value));
    EXPECT_TRUE(device_->CopyToDevice(memory, values.data(), values.size() * sizeof(Value)).ok());
    return memory;
  }
  std::vector<float> Download(DevicePtr memory, size_t count) {
    std::vector<float> values(count);
    EXPECT_TRUE(device_->CopyToHost(values.data(), memory, count * sizeof(float)).ok());
    return values;
  }
  /// Returns the findings of a launch, or its error.
  std::string Launch(const std::string& kernel, LaunchShape shape, std::vector<void*> arguments) {
    DeviceKernel* found = nullptr;
    for (const auto& module : modules_) {
      if (auto here = module->GetKernel(kernel); here.ok()) found = *here;
    }
    const absl::Status launched = device_->Launch(found, shape, arguments.data());
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

  /// Launches a kernel of nvcc_kernels.ptx on operands of its own. Returns its findings, and whether C is wrong.
  std::string LaunchKernel(const std::string& kernel) {
    if (kernel == kGemm) return LaunchGemm();
    if (kernel == kTranspose) return LaunchTranspose();
    return LaunchRows(kernel);
  }
  std::string LaunchGemm() {
    int m = 40, n = 72, k = 56;
    const std::vector<float> a = Integers(m * k), b = Integers(n * k);
    const auto halves = [](const std::vector<float>& values) {
      std::vector<uint16_t> codes(values.size());
      TraitsOf(DataType::kF16).encode(values.data(), static_cast<int64_t>(values.size()), codes.data());
      return codes;
    };
    DevicePtr in_a = Upload(halves(a)), in_b = Upload(halves(b)), out = Upload(std::vector<float>(m * n, NAN));
    const std::string findings = Launch(kGemm, Shape(3, 2, 128, 1), {&in_a, &in_b, &out, &m, &n, &k});
    if (!findings.empty()) return findings;
    const std::vector<float> c = Download(out, m * n);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[j * k + l];
        if (c[i * n + j] != sum) return "wrong";
      }
    }
    return "";
  }
  std::string LaunchTranspose() {
    int rows = 40, columns = 50;
    const std::vector<float> x = Integers(rows * columns);
    DevicePtr in = Upload(x), out = Upload(std::vector<float>(rows * columns, NAN));
    const std::string findings = Launch(kTranspose, Shape(2, 2, 32, 8), {&in, &out, &rows, &columns});
    if (!findings.empty()) return findings;
    const std::vector<float> y = Download(out, rows * columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        if (y[j * rows + i] != x[i * columns + j]) return "wrong";
    return "";
  }
  /// Launches the softmax or the layer normalisation.
  std::string LaunchRows(const std::string& kernel) {
    int rows = 3, n = 300;
    std::vector<float> x(rows * n), weight(n);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 29 % 83) / 16;
    for (int i = 0; i < n; ++i) weight[i] = static_cast<float>(i % 7) - 3;
    DevicePtr in = Upload(x), in_weight = Upload(weight), out = Upload(std::vector<float>(rows * n, NAN));
    LaunchShape shape = Shape(rows, 1, 128, 1);
    std::vector<void*> arguments = {&in, &in_weight, &out, &n};
    if (kernel == kSoftmax) arguments = {&in, &out, &n}, shape.dynamic_shared_bytes = n * sizeof(float);
    const std::string findings = Launch(kernel, shape, arguments);
    if (!findings.empty()) return findings;
    const std::vector<float> y = Download(out, rows * n);
    for (int row = 0; row < rows; ++row) {
      const float* of = &x[row * n];
      double sum = 0, exponentials = 0, squares = 0;
      for (int i = 0; i < n; ++i) sum += of[i], exponentials += std::exp(double{of[i]});
      for (int i = 0; i < n; ++i) squares += (of[i] - sum / n) * (of[i] - sum / n);
      for (int i = 0; i < n; ++i) {
        const double expected = kernel == kSoftmax ? std::exp(double{of[i]}) / exponentials
                                                   : (of[i] - sum / n) / std::sqrt(squares / n + 1e-5) * weight[i];
        if (!(std::fabs(y[row * n + i] - expected) <= 1e-5 * std::fabs(expected) + 1e-6)) return "wrong";
      }
    }
    return "";
  }

  static inline auto* images_ = new std::vector<std::string>();
  std::unique_ptr<Device> device_;
  std::vector<std::unique_ptr<DeviceModule>> modules_;
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

TEST_F(NvccSamplesTest, KernelsOfEveryDayAreRight) {
  for (const char* kernel : {kGemm, kSoftmax, kLayernorm, kTranspose}) EXPECT_EQ(LaunchKernel(kernel), "") << kernel;
}

TEST_F(NvccSamplesTest, PlantedFaultsAreFound) {
  struct Fault {
    const char* kernel;
    int occurrence;  ///< Which `before` behind the kernel's name, counted from 0.
    const char *before, *after, *finding;
  };
  for (const Fault& fault :
       std::vector<Fault>{{kGemm, 0, "cp.async.wait_group 1;", "cp.async.wait_group 2;", "async-race"},
                          {kGemm, 0, "bar.sync \t0;", "", "race"},
                          {kSoftmax, 2, "bar.sync \t0;", "", "race-war"},
                          {kSoftmax, 0, "setp.lt.s32", "setp.le.s32", "out-of-bounds"},
                          {kLayernorm, 1, "bar.sync \t0;", "", "uninitialized-read"},
                          {kLayernorm, 2, "bar.sync \t0;", "", "race-war"},
                          {kTranspose, 0, "bar.sync \t0;", "", "uninitialized-read"}}) {
    std::string text = ReadText(std::string(NVCC_SAMPLES) + "nvcc_kernels.ptx");
    size_t at = text.find(std::string(".entry ") + fault.kernel);
    for (int i = -1; i < fault.occurrence && at != std::string::npos; ++i) at = text.find(fault.before, at + 1);
    ASSERT_NE(at, std::string::npos) << fault.kernel << ": " << fault.before;
    text.replace(at, std::string(fault.before).size(), fault.after);
    Load({Compile("nvcc_kernels.ptx", text)});
    const std::string findings = LaunchKernel(fault.kernel);
    EXPECT_NE(findings.find(fault.finding), std::string::npos)
        << fault.kernel << ": " << fault.before << ": " << findings;
  }
}

}  // namespace
}  // namespace mmtune::ptx
