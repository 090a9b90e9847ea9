// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden vectors against PTX on a device: a GPU, or the SIMT device (golden_device.h).
#include <gtest/gtest.h>

#include <cstring>

#include "tests/gpu/golden/golden_device.h"
#include "tests/gpu/golden/golden_ptx.h"

namespace mmtune {
namespace {

class GoldenGpu : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<Device>> device = OpenGoldenDevice();
    if (!device.ok()) GTEST_SKIP() << device.status();
    device_ = std::move(*device);
  }

  bool Runs(const std::string& target) const { return RunsTarget(*device_, target); }

  /// At least one word, aligned to 256 bytes.
  DevicePtr Upload(const std::vector<uint32_t>& words) {
    const size_t bytes = words.size() * sizeof(uint32_t);
    const DevicePtr ptr = device_->Allocate(std::max<size_t>(bytes, 256)).value();
    if (bytes == 0) return ptr;
    EXPECT_TRUE(device_->CopyToDevice(ptr, words.data(), bytes).ok());
    return ptr;
  }

  std::vector<uint32_t> Download(DevicePtr ptr, size_t words) {
    std::vector<uint32_t> values(words);
    if (words == 0) return values;
    EXPECT_TRUE(device_->CopyToHost(values.data(), ptr, words * sizeof(uint32_t)).ok());
    return values;
  }

  void Run(const std::string& ptx, uint32_t threads, void** arguments) {
    absl::StatusOr<std::unique_ptr<DeviceModule>> module = device_->LoadModule(ImageFormat::kPtx, ptx);
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << ptx;
    DeviceKernel* kernel = (*module)->GetKernel(kGoldenKernel).value();
    const absl::Status launched = device_->Launch(kernel, {{1, 1, 1}, {threads, 1, 1}}, arguments);
    ASSERT_TRUE(launched.ok()) << launched;
    ASSERT_TRUE(device_->Synchronize(0).ok());
  }

  void ExpectMemory(const GoldenMemory& expected, const std::vector<uint32_t>& actual, const char* name) {
    for (const auto& [offset, word] : expected) EXPECT_EQ(actual[offset / 4], word) << name << "+" << offset;
  }

  std::unique_ptr<Device> device_;
};

class GoldenGpuOps : public GoldenGpu {};

TEST_P(GoldenGpuOps, AreWhatTheGpuComputes) {
  for (const GoldenOp& golden : ReadGoldenOps(GetParam())) {
    if (!Runs(GoldenTarget(golden))) continue;
    SCOPED_TRACE(golden.name);
    const size_t threads = golden.in.size(), outputs = golden.op.outputs;
    std::vector<uint32_t> words;
    for (const auto& lane : golden.in) words.insert(words.end(), lane.begin(), lane.end());
    const std::vector<uint32_t> before = GoldenImage(golden.before, golden.shared_bytes);
    DevicePtr in = Upload(words), out = Upload(std::vector<uint32_t>(threads * outputs));
    DevicePtr from = Upload(before), to = Upload(before);
    void* arguments[] = {&in, &out, &from, &to};
    ASSERT_NO_FATAL_FAILURE(Run(GoldenPtx(golden), static_cast<uint32_t>(threads), arguments));
    const std::vector<uint32_t> results = Download(out, threads * outputs);
    for (size_t lane = 0; lane < threads; ++lane) {
      if ((golden.mask >> lane % 32 & 1) == 0) continue;
      const auto first = results.begin() + static_cast<std::ptrdiff_t>(lane * outputs);
      EXPECT_EQ(std::vector<uint32_t>(first, first + static_cast<std::ptrdiff_t>(outputs)), golden.out[lane])
          << "lane " << lane;
    }
    ExpectMemory(golden.after, Download(to, before.size()), "shared");
    for (DevicePtr ptr : {in, out, from, to}) EXPECT_TRUE(device_->Free(ptr).ok());
  }
}

INSTANTIATE_TEST_SUITE_P(All, GoldenGpuOps,
                         testing::Values("shuffle.txt", "vote.txt", "reduce.txt", "elect.txt", "match.txt",
                                         "ldmatrix.txt", "stmatrix.txt", "mma.txt", "wgmma.txt"));

class GoldenGpuTensorCopies : public GoldenGpu {};

TEST_P(GoldenGpuTensorCopies, AreWhatTheGpuCopies) {
  if (!Runs("sm_90")) GTEST_SKIP() << device_->info().arch << " has no tensor copies";
  for (const GoldenTensorCopy& golden : ReadGoldenTensorCopies(GetParam())) {
    SCOPED_TRACE(golden.name);
    const std::vector<uint32_t> before = GoldenImage(golden.before, golden.shared_bytes);
    DevicePtr global = Upload(GoldenImage(golden.global_before, golden.global_bytes));
    DevicePtr from = Upload(before), to = Upload(before);
    TiledTensorMap map = golden.map;
    map.address = global;
    absl::StatusOr<TensorMapBytes> encoded = device_->EncodeTensorMap(map);
    ASSERT_TRUE(encoded.ok()) << encoded.status();
    void* arguments[] = {encoded->data(), &from, &to};
    ASSERT_NO_FATAL_FAILURE(Run(GoldenPtx(golden), 1, arguments));
    ExpectMemory(golden.after, Download(to, before.size()), "shared");
    ExpectMemory(golden.global_after, Download(global, golden.global_bytes / 4), "global");
    for (DevicePtr ptr : {global, from, to}) EXPECT_TRUE(device_->Free(ptr).ok());
  }
}

INSTANTIATE_TEST_SUITE_P(All, GoldenGpuTensorCopies,
                         testing::Values("tensor_load.txt", "tensor_store.txt", "tensor_reduce.txt"));

}  // namespace
}  // namespace mmtune
