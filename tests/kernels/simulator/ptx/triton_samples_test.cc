// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that Triton compiled for sm_80 and sm_90 (triton/README.md), with the race detector: right, and no finding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "kernels/simulator/ptx/lexer.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "proto/types/matmul_problem.h"
#include "tests/test_seed.h"

namespace mmtune::ptx {
namespace {

std::vector<std::string> Samples() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(TRITON_SAMPLES))
    if (file.path().extension() == ".ptx") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// A kernel named by its file: "<kernel>_<element type>_<more>_sm<architecture>".
class TritonSamplesTest : public ::testing::TestWithParam<std::string> {
 protected:
  /// Compiles the sample and opens a device with its architecture's limits.
  void Open() {
    const std::string& name = GetParam();
    std::ifstream file(std::string(TRITON_SAMPLES "/") + name + ".ptx");
    std::stringstream text;
    text << file.rdbuf();
    const auto compiled = compilePtx(text.str(), {.name = name + ".ptx", .race_detection = true});
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    ASSERT_EQ(compiled->kernels.size(), 1u);
    kernel_ = compiled->kernels[0].name;
    parameters_ = compiled->kernels[0].parameters.size();
    simt::SimtOptions options;
    options.arch = "sm_" + name.substr(name.rfind("_sm") + 3);
    options.race_detector = true;
    options.fuzzing_seed = 3;
    device_ = *simt::SimtDevice::Create(options);
    auto module = device_->LoadModule(ImageFormat::kSimtObject, compiled->image);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
  }

  bool Has(std::string_view part) const { return GetParam().find(part) != std::string::npos; }
  DataType Type() const { return Has("_fp16") ? DataType::kF16 : Has("_bf16") ? DataType::kBf16 : DataType::kF32; }

  /// Returns device memory with the values, rounded to the type.
  DevicePtr Upload(std::vector<float>& values, DataType type) {
    std::vector<char> bytes(values.size() * DataTypeBytes(type));
    TraitsOf(type).encode(values.data(), static_cast<int64_t>(values.size()), bytes.data());
    TraitsOf(type).decode(bytes.data(), static_cast<int64_t>(values.size()), values.data());
    DevicePtr memory = *device_->Allocate(bytes.size());
    EXPECT_TRUE(device_->CopyToDevice(memory, bytes.data(), bytes.size()).ok());
    return memory;
  }
  std::vector<float> Download(DevicePtr memory, size_t count, DataType type) {
    std::vector<char> bytes(count * DataTypeBytes(type));
    EXPECT_TRUE(device_->CopyToHost(bytes.data(), memory, bytes.size()).ok());
    std::vector<float> values(count);
    TraitsOf(type).decode(bytes.data(), static_cast<int64_t>(count), values.data());
    return values;
  }

  void Launch(uint32_t grid_x, uint32_t grid_y, std::vector<void*> arguments) {
    uint64_t scratch = 0;  // Triton adds pointers to memory that these kernels do not use.
    while (arguments.size() < parameters_) arguments.push_back(&scratch);
    LaunchShape shape;
    shape.grid[0] = grid_x, shape.grid[1] = grid_y;
    shape.block[0] = 128;
    shape.dynamic_shared_bytes = 48 * 1024;
    const absl::Status launched = device_->Launch(*module_->GetKernel(kernel_), shape, arguments.data());
    std::string findings;
    for (const simt::Finding& finding : static_cast<simt::SimtDevice&>(*device_).TakeFindings())
      findings += "\n" + simt::FindingText(finding);
    ASSERT_TRUE(launched.ok()) << launched << findings;
  }

  static std::vector<float> Numbers(size_t count, int scale) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(static_cast<int>(i * 37 % 23) - 11) / scale;
    return values;
  }

  std::string kernel_;
  size_t parameters_ = 0;
  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceModule> module_;
};

TEST_P(TritonSamplesTest, IsRightAndWithoutFindings) {
  Open();
  if (HasFatalFailure()) return;
  const DataType type = Type();
  const double relative = type == DataType::kF32 ? 1e-5 : 2e-3;
  if (absl::StartsWith(GetParam(), "matmul")) {
    int m = 70, n = 67, k = 90;
    int stride_a = 96, stride_b = 72, stride_c = 67;
    std::vector<float> a = Numbers(m * stride_a, 1), b = Numbers(k * stride_b, 1);
    const DataType type_of_c = type == DataType::kF16 ? type : DataType::kF32;
    std::vector<float> c(m * n, NAN);
    DevicePtr in_a = Upload(a, type), in_b = Upload(b, type), out = Upload(c, type_of_c);
    const uint32_t tile = Has("32x32") ? 32 : 64;
    Launch((m + tile - 1) / tile, (n + tile - 1) / tile,
           {&in_a, &in_b, &out, &m, &n, &k, &stride_a, &stride_b, &stride_c});
    const std::vector<float> got = Download(out, m * n, type_of_c);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int l = 0; l < k; ++l) sum += a[i * stride_a + l] * b[l * stride_b + j];
        ASSERT_NEAR(got[i * n + j], sum, type_of_c == DataType::kF16 ? std::fabs(sum) * 0x1p-11 : 0) << i << ", " << j;
      }
    return;
  }
  int rows = 3, n = 200, stride = 256;
  std::vector<float> x = Numbers(rows * stride, 4), w = Numbers(stride, 3), y(rows * stride, NAN);
  if (absl::StartsWith(GetParam(), "add")) {
    int count = 700;
    DevicePtr in_x = Upload(x, type), in_y = Upload(x, type), out = Upload(y, type);
    Launch(3, 1, {&in_x, &in_y, &out, &count});
    const std::vector<float> got = Download(out, count, type);
    for (int i = 0; i < count; ++i) ASSERT_EQ(got[i], 2 * x[i]);
  } else if (absl::StartsWith(GetParam(), "reduce_atomic")) {
    int count = 700;
    std::vector<float> zero(1, 0.0f);
    DevicePtr in = Upload(x, type), out = Upload(zero, type);
    Launch(3, 1, {&in, &out, &count});
    float sum = 0;
    for (int i = 0; i < count; ++i) sum += x[i];
    EXPECT_EQ(Download(out, 1, type)[0], sum);
  } else {
    const bool is_softmax = absl::StartsWith(GetParam(), "softmax");
    float epsilon = 1e-5f;
    DevicePtr in = Upload(x, type), weights = Upload(w, type), out = Upload(y, type);
    if (is_softmax)
      Launch(rows, 1, {&in, &out, &n, &stride});
    else
      Launch(rows, 1, {&in, &weights, &out, &n, &stride, &epsilon});
    const std::vector<float> got = Download(out, rows * stride, type);
    for (int r = 0; r < rows; ++r) {
      const float* row = &x[r * stride];
      double sum = 0, squares = 0, exponentials = 0;
      for (int i = 0; i < n; ++i) sum += row[i], exponentials += std::exp(double{row[i]});
      for (int i = 0; i < n; ++i) squares += (row[i] - sum / n) * (row[i] - sum / n);
      for (int i = 0; i < n; ++i) {
        const double expected = is_softmax ? std::exp(double{row[i]}) / exponentials
                                           : (row[i] - sum / n) / std::sqrt(squares / n + epsilon) * w[i];
        ASSERT_NEAR(got[r * stride + i], expected, std::fabs(expected) * relative + 1e-6) << r << ", " << i;
      }
    }
  }
}

/// Text with one token deleted, doubled or replaced by another is compiled or refused; it never crashes.
TEST(PtxDamageTest, DamagedTextIsCompiledOrRefusedInOneLine) {
  std::mt19937_64 rng(TestSeed(3));
  const uint64_t draws = TestCount(60, 3000);
  uint64_t refused = 0;
  for (uint64_t i = 0; i < draws; ++i) {
    const std::vector<std::string> names = Samples();
    std::ifstream file(std::string(TRITON_SAMPLES "/") + names[rng() % names.size()] + ".ptx");
    std::stringstream stream;
    stream << file.rdbuf();
    std::string text = stream.str();
    if (text.size() > 10000) continue;
    const Source source("a.ptx", text);
    const std::vector<Token> tokens = *tokenize(source);
    const Token& token = tokens[rng() % (tokens.size() - 1)];
    const Token& other = tokens[rng() % (tokens.size() - 1)];
    const size_t at = token.text.data() - text.data();
    const std::string others(other.text);
    const uint64_t kind = rng() % 3;
    if (kind == 0) text.erase(at, token.text.size());
    if (kind == 1) text.insert(at, std::string(token.text) + " ");
    if (kind == 2) text.replace(at, token.text.size(), others);
    const auto compiled = compilePtx(text, {.name = "a.ptx", .race_detection = true});
    if (compiled.ok()) continue;
    ++refused;
    EXPECT_EQ(compiled.status().code(), absl::StatusCode::kInvalidArgument) << compiled.status();
    EXPECT_EQ(compiled.status().message().find('\n'), std::string::npos) << compiled.status();
  }
  EXPECT_GT(refused, draws / 8);
}

INSTANTIATE_TEST_SUITE_P(All, TritonSamplesTest, ::testing::ValuesIn(Samples()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace mmtune::ptx
