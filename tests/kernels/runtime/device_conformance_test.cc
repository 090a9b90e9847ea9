// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common behaviour of devices. Runs on the SIMT device and, where there is one, on the first CUDA device, with the
// same kernels compiled for each. Memory, launches and modules; streams and order have files of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "tests/kernels/runtime/device_conformance.h"

namespace mmtune {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_P(DeviceConformanceTest, AllocationsAreAlignedAndDistinct) {
  std::vector<DevicePtr> pointers;
  for (size_t bytes : {1, 3, 255, 256, 257, 4096, 1000000}) {
    pointers.push_back(Buffer(bytes));
    EXPECT_EQ(pointers.back() % 256, 0u) << bytes;
    EXPECT_NE(pointers.back(), 0u);
  }
  std::sort(pointers.begin(), pointers.end());
  EXPECT_EQ(std::adjacent_find(pointers.begin(), pointers.end()), pointers.end());
}

TEST_P(DeviceConformanceTest, CopiesAndFillsWhatIsAskedAndNoMore) {
  const std::vector<uint32_t> in = Words(1001);
  DevicePtr a = Upload(in), b = Buffer(1001 * 4);
  ASSERT_TRUE(device_->CopyOnDevice(b, a, 1001 * 4).ok());
  ASSERT_TRUE(device_->Fill32(b + 4, 7, 998).ok());
  const std::vector<uint32_t> out = Download<uint32_t>(b, 1001);
  EXPECT_EQ(out[0], in[0]);
  EXPECT_THAT(std::vector<uint32_t>(out.begin() + 1, out.begin() + 999), Each(7u));
  EXPECT_EQ(out[999], in[999]);
  EXPECT_EQ(out[1000], in[1000]);
  EXPECT_EQ(Download<uint32_t>(a, 1001), in);
}

TEST_P(DeviceConformanceTest, OddNumbersOfBytesAreCopied) {
  const std::string text = "seventeen letters";
  DevicePtr ptr = Buffer(64);
  ASSERT_TRUE(device_->CopyToDevice(ptr + 3, text.data(), text.size()).ok());
  std::string back(text.size(), ' ');
  ASSERT_TRUE(device_->CopyToHost(back.data(), ptr + 3, back.size()).ok());
  EXPECT_EQ(back, text);
}

TEST_P(DeviceConformanceTest, RejectsDoubleFreeAndUnknownPointers) {
  DevicePtr ptr = device_->Allocate(100).value();
  EXPECT_TRUE(device_->Free(ptr).ok());
  EXPECT_EQ(device_->Free(ptr).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(device_->Free(0).ok());
  EXPECT_EQ(device_->Allocate(0).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_P(DeviceConformanceTest, MoreMemoryThanThereIsIsResourceExhausted) {
  const auto bytes = static_cast<size_t>(device_->info().memory_bytes) + 1;
  absl::Status status = device_->Allocate(bytes).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr(std::to_string(bytes)));
  Buffer(1 << 20);  // The device goes on.
}

TEST_P(DeviceConformanceTest, EveryThreadHasItsIndex) {
  const LaunchShape shape{{3, 2, 2}, {5, 4, 3}, 0};
  DevicePtr out = Buffer(720 * 32);
  ASSERT_TRUE(device_->Fill32(out, 0xFFFFFFFF, 720 * 8).ok());
  ASSERT_TRUE(Launch("who_am_i", shape, out).ok());
  const std::vector<uint32_t> values = Download<uint32_t>(out, 720 * 8);
  for (uint32_t i = 0; i < 720; ++i) {
    const uint32_t block = i / 60, thread = i % 60;
    EXPECT_THAT(std::vector<uint32_t>(&values[8 * i], &values[8 * i] + 8),
                ElementsAre(thread % 5, thread / 5 % 4, thread / 20, block % 3, block / 3 % 2, block / 6, 504, 302))
        << i;
  }
}

TEST_P(DeviceConformanceTest, ParametersOfSeveralTypesArrive) {
  std::vector<float> values(1000);
  std::iota(values.begin(), values.end(), 0.0f);
  DevicePtr data = Upload(values);
  ASSERT_TRUE(Launch("scale", {{4, 1, 1}, {256, 1, 1}, 0}, data, 999, 2.0f, 0.25).ok());
  const std::vector<float> out = Download<float>(data, 1000);
  for (size_t i = 0; i < 999; ++i) EXPECT_EQ(out[i], 2.0f * static_cast<float>(i) + 0.25f);
  EXPECT_EQ(out[999], 999.0f);
}

TEST_P(DeviceConformanceTest, BarriersOrderSharedMemory) {
  for (uint32_t threads : {1u, 32u, 48u, 256u, 1024u}) {
    std::vector<uint32_t> words = Words(threads * 20);
    DevicePtr data = Upload(words);
    ASSERT_TRUE(Launch("reverse", {{20, 1, 1}, {threads, 1, 1}, threads * 4}, data, 4, 31).ok());
    for (uint32_t block = 0; block < 20; ++block) {
      std::reverse(words.begin() + block * threads, words.begin() + (block + 1) * threads);
    }
    EXPECT_EQ(Download<uint32_t>(data, words.size()), words) << threads << " threads";
  }
}

TEST_P(DeviceConformanceTest, TheWholeOfSharedMemoryCanBeUsed) {
  const auto limit = static_cast<uint32_t>(device_->info().shared_bytes_per_block);
  ASSERT_GT(limit, 48u * 1024);
  const uint32_t threads = 128, stride = (limit / threads) & ~3u;
  std::vector<uint32_t> words = Words(threads);
  DevicePtr data = Upload(words);
  ASSERT_TRUE(Launch("reverse", {{1, 1, 1}, {threads, 1, 1}, limit}, data, stride, 1).ok());
  std::reverse(words.begin(), words.end());
  EXPECT_EQ(Download<uint32_t>(data, threads), words);
}

TEST_P(DeviceConformanceTest, AsyncCopiesArriveAndZeroFill) {
  if (device_->info().ComputeCapability() < 80) GTEST_SKIP() << "cp.async needs sm_80";
  UseKernels(CONFORMANCE_ASYNC_KERNELS);
  const std::vector<uint32_t> in = Words(256);
  const std::pair<const char*, uint32_t> kernels[] = {{"async_copy", 64}, {"async_copy_8", 128}, {"async_copy_4", 256}};
  for (const auto& [kernel, threads] : kernels) {
    for (uint32_t bytes : {1024u, 1020u, 1008u, 16u, 4u, 0u}) {
      DevicePtr from = Upload(in), to = Buffer(1024);
      ASSERT_TRUE(Launch(kernel, {{1, 1, 1}, {threads, 1, 1}, 1024}, from, to, bytes).ok());
      std::vector<uint32_t> expected = in;
      std::fill(expected.begin() + bytes / 4, expected.end(), 0u);
      EXPECT_EQ(Download<uint32_t>(to, 256), expected) << kernel << ", " << bytes;
    }
  }
}

TEST_P(DeviceConformanceTest, AtomicsOfManyBlocksAddUp) {
  DevicePtr out = Buffer(8);
  ASSERT_TRUE(device_->Fill32(out, 0, 2).ok());
  ASSERT_TRUE(Launch("count", {{1000, 3, 1}, {100, 1, 1}, 0}, out).ok());
  EXPECT_EQ(Download<uint32_t>(out, 1)[0], 300000u);
  EXPECT_EQ(Download<float>(out + 4, 1)[0], 150000.0f);
}

TEST_P(DeviceConformanceTest, AGridMayHaveMoreBlocksThan65535) {
  DevicePtr out = Buffer(8);
  ASSERT_TRUE(device_->Fill32(out, 0, 2).ok());
  ASSERT_TRUE(Launch("count", {{70001, 1, 1}, {1, 1, 1}, 0}, out).ok());
  EXPECT_EQ(Download<uint32_t>(out, 1)[0], 70001u);
}

TEST_P(DeviceConformanceTest, ShapesTheDeviceCannotLaunchAreInvalidAndTouchNothing) {
  DevicePtr out = Buffer(8);
  ASSERT_TRUE(device_->Fill32(out, 0, 2).ok());
  const auto shared = static_cast<uint32_t>(device_->info().shared_bytes_per_block);
  const LaunchShape shapes[] = {
      {{0, 1, 1}, {1, 1, 1}, 0},   {{1, 65536, 1}, {1, 1, 1}, 0},      {{1, 1, 65536}, {1, 1, 1}, 0},
      {{1, 1, 1}, {1, 0, 1}, 0},   {{1, 1, 1}, {1025, 1, 1}, 0},       {{1, 1, 1}, {1, 1, 65}, 0},
      {{1, 1, 1}, {64, 32, 1}, 0}, {{1, 1, 1}, {1, 1, 1}, shared + 1},
  };
  for (const LaunchShape& shape : shapes) {
    absl::Status status = Launch("count", shape, out);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("Launch of count"));
  }
  EXPECT_THAT(Download<uint32_t>(out, 2), ElementsAre(0u, 0u));
}

TEST_P(DeviceConformanceTest, RejectsInvalidImage) {
  for (ImageFormat format : {ImageFormat::kPtx, ImageFormat::kCubin, ImageFormat::kSimtObject}) {
    EXPECT_EQ(device_->LoadModule(format, "nonsense").status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST_P(DeviceConformanceTest, AnUnknownKernelIsNotFound) {
  absl::Status status = module_->GetKernel("no_such_kernel").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no_such_kernel"));
  EXPECT_EQ(module_->GetKernel("count").value(), module_->GetKernel("count").value());
}

TEST_P(DeviceConformanceTest, SeveralModulesLiveSideBySide) {
  const absl::StatusOr<Image>& image = Kernels(CONFORMANCE_KERNELS, device_->info());
  auto other = device_->LoadModule(image->format, image->bytes).value();
  DevicePtr out = Buffer(8);
  ASSERT_TRUE(device_->Fill32(out, 0, 2).ok());
  void* arguments[] = {&out};
  const LaunchShape shape{{2, 1, 1}, {3, 1, 1}, 0};
  ASSERT_TRUE(device_->Launch(other->GetKernel("count").value(), shape, arguments).ok());
  other.reset();
  ASSERT_TRUE(Launch("count", shape, out).ok());
  EXPECT_EQ(Download<uint32_t>(out, 1)[0], 12u);
}

TEST_P(DeviceConformanceTest, DescribesItself) {
  const DeviceInfo& info = device_->info();
  EXPECT_FALSE(info.name.empty());
  EXPECT_FALSE(info.uuid.empty());
  EXPECT_GE(info.ComputeCapability(), 70);
  EXPECT_GT(info.multiprocessors, 0);
  EXPECT_GT(info.memory_bytes, 0);
  EXPECT_GT(info.max_threads_per_block, 0);
  EXPECT_GE(info.shared_bytes_per_multiprocessor, info.shared_bytes_per_block);
  EXPECT_FALSE(device_->clock_name().empty());
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceConformanceTest, kDevices, DeviceName);

/// So that the CUDA half has kernels to run when it meets a GPU.
TEST(ConformanceKernelsTest, CompileForEveryArchitecture) {
  for (const char* arch : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    DeviceInfo info = ArchitectureLimits(arch).value();
    info.kind = DeviceKind::kCuda;
    EXPECT_TRUE(Kernels(CONFORMANCE_KERNELS, info).ok()) << Kernels(CONFORMANCE_KERNELS, info).status();
    if (info.ComputeCapability() < 80) continue;
    for (const char* path : {CONFORMANCE_ASYNC_KERNELS, CONFORMANCE_ORDER_KERNELS}) {
      EXPECT_TRUE(Kernels(path, info).ok()) << Kernels(path, info).status();
    }
  }
}

}  // namespace
}  // namespace mmtune
