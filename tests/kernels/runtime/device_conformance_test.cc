// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every Device does alike. Runs on the SIMT device and, where there is one, on the first CUDA device, with the
// same kernels compiled for each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/compiler.h"
#include "kernels/runtime/open_device.h"
#include "kernels/runtime/simt/simt_device.h"
#include "tests/kernels/gpu_module_compiler.h"
#include "tests/kernels/runtime/test_files.h"

namespace mmtune {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Image {
  ImageFormat format;
  std::string bytes;
};

absl::StatusOr<Image> CompileKernels(const char* path, const DeviceInfo& info) {
  auto compiler = Compiler::Create().value();
  Image image;
  auto bytes = CompileGpuModule(ReadFile(TestDataPath(path).c_str()), path, {info, true}, &image.format);
  if (!bytes.ok()) return bytes.status();
  image.bytes = *std::move(bytes);
  return image;
}

/// Kernels of a file for a device's architecture, compiled once.
const absl::StatusOr<Image>& Kernels(const char* path, const DeviceInfo& info) {
  static auto* images = new std::map<std::tuple<std::string, DeviceKind, std::string>, absl::StatusOr<Image>>;
  const std::tuple key(std::string(path), info.kind, info.arch);
  auto it = images->find(key);
  if (it == images->end()) it = images->emplace(key, CompileKernels(path, info)).first;
  return it->second;
}

class DeviceConformanceTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto device = CreateDevice();
    if (absl::IsNotFound(device.status())) GTEST_SKIP() << device.status();
    ASSERT_TRUE(device.ok()) << device.status();
    device_ = *std::move(device);
    UseKernels(CONFORMANCE_KERNELS);
  }

  static absl::StatusOr<std::unique_ptr<Device>> CreateDevice() {
    if (std::string(GetParam()) == "Cuda") return CreateCudaDevice(0);
    simt::SimtOptions options;
    options.threads = 3;
    if (std::string(GetParam()) == "SimtUnderStress") options.stress_seed = 1;
    return simt::SimtDevice::Create(options);
  }

  void UseKernels(const char* path) {
    const absl::StatusOr<Image>& image = Kernels(path, device_->info());
    ASSERT_TRUE(image.ok()) << image.status();
    auto module = device_->LoadModule(image->format, image->bytes);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
  }

  void TearDown() override {
    for (DevicePtr ptr : buffers_) EXPECT_TRUE(device_->Free(ptr).ok());
  }

  DevicePtr Buffer(size_t bytes) { return buffers_.emplace_back(device_->Allocate(bytes).value()); }

  template <typename T>
  DevicePtr Upload(const std::vector<T>& values) {
    DevicePtr ptr = Buffer(values.size() * sizeof(T));
    EXPECT_TRUE(device_->CopyToDevice(ptr, values.data(), values.size() * sizeof(T)).ok());
    return ptr;
  }

  template <typename T>
  std::vector<T> Download(DevicePtr ptr, size_t count) {
    std::vector<T> values(count);
    EXPECT_TRUE(device_->CopyToHost(values.data(), ptr, count * sizeof(T)).ok());
    return values;
  }

  template <typename... Arguments>
  absl::Status LaunchOn(StreamHandle stream, const char* kernel, const LaunchShape& shape, Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    return device_->Launch(module_->GetKernel(kernel).value(), shape, pointers, stream);
  }

  template <typename... Arguments>
  absl::Status Launch(const char* kernel, const LaunchShape& shape, Arguments... arguments) {
    absl::Status status = LaunchOn(0, kernel, shape, arguments...);
    return status.ok() ? device_->Synchronize(0) : status;
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceModule> module_;
  std::vector<DevicePtr> buffers_;
};

std::vector<uint32_t> Words(size_t count) {
  std::vector<uint32_t> words(count);
  std::iota(words.begin(), words.end(), 1000u);
  return words;
}

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

TEST_P(DeviceConformanceTest, FreeingTwiceOrWhatIsNoAllocationIsAnError) {
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

TEST_P(DeviceConformanceTest, EveryThreadKnowsItsPlace) {
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

TEST_P(DeviceConformanceTest, AnImageThatIsNoneIsInvalid) {
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

TEST_P(DeviceConformanceTest, OperationsOfAStreamRunInOrderAndEventsTimeThem) {
  StreamHandle stream = device_->CreateStream().value();
  EventHandle start = device_->CreateEvent().value(), end = device_->CreateEvent().value();
  const size_t count = 1 << 16;
  std::vector<float> values(count, 1.0f);
  DevicePtr data = Buffer(count * 4), copy = Buffer(count * 4);
  ASSERT_TRUE(device_->RecordEvent(start, stream).ok());
  ASSERT_TRUE(device_->CopyToDevice(data, values.data(), count * 4, stream).ok());
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(LaunchOn(stream, "scale", {{256, 1, 1}, {256, 1, 1}, 0}, data, 1 << 16, 2.0f, 0.0).ok());
  }
  ASSERT_TRUE(device_->CopyOnDevice(copy, data, count * 4, stream).ok());
  ASSERT_TRUE(device_->Fill32(data, 0, count, stream).ok());
  ASSERT_TRUE(device_->CopyToHost(values.data(), copy, count * 4, stream).ok());
  ASSERT_TRUE(device_->RecordEvent(end, stream).ok());
  ASSERT_TRUE(device_->SynchronizeEvent(end).ok());
  EXPECT_THAT(values, Each(1024.0f));
  EXPECT_GT(device_->ElapsedNs(start, end).value(), 0.0);
  EXPECT_TRUE(device_->DestroyEvent(start).ok());
  EXPECT_TRUE(device_->DestroyEvent(end).ok());
  EXPECT_TRUE(device_->DestroyStream(stream).ok());
}

TEST_P(DeviceConformanceTest, AStreamCanWaitForAnother) {
  StreamHandle first = device_->CreateStream().value(), second = device_->CreateStream().value();
  EventHandle done = device_->CreateEvent().value();
  const size_t count = 1 << 16;
  std::vector<float> values(count, 1.0f);
  DevicePtr data = Upload(values);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(LaunchOn(first, "scale", {{256, 1, 1}, {256, 1, 1}, 0}, data, 1 << 16, 2.0f, 0.0).ok());
  }
  ASSERT_TRUE(device_->RecordEvent(done, first).ok());
  ASSERT_TRUE(device_->StreamWaitEvent(second, done).ok());
  ASSERT_TRUE(device_->CopyToHost(values.data(), data, count * 4, second).ok());
  ASSERT_TRUE(device_->Synchronize(second).ok());
  EXPECT_THAT(values, Each(32.0f));
  EXPECT_TRUE(device_->DestroyEvent(done).ok());
  EXPECT_TRUE(device_->DestroyStream(first).ok());
  EXPECT_TRUE(device_->DestroyStream(second).ok());
}

TEST_P(DeviceConformanceTest, UnknownStreamsAndEventsAreInvalid) {
  DevicePtr data = Buffer(4);
  StreamHandle stream = device_->CreateStream().value();
  EventHandle event = device_->CreateEvent().value();
  EXPECT_FALSE(device_->ElapsedNs(event, event).ok());  // Never recorded.
  ASSERT_TRUE(device_->DestroyStream(stream).ok());
  ASSERT_TRUE(device_->DestroyEvent(event).ok());
  const absl::StatusCode invalid = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(device_->DestroyStream(stream).code(), invalid);
  EXPECT_EQ(device_->DestroyStream(0).code(), invalid);
  EXPECT_EQ(device_->DestroyEvent(event).code(), invalid);
  EXPECT_EQ(device_->Synchronize(stream).code(), invalid);
  EXPECT_EQ(device_->SynchronizeEvent(event).code(), invalid);
  EXPECT_EQ(device_->RecordEvent(event, 0).code(), invalid);
  EXPECT_EQ(device_->StreamWaitEvent(0, event).code(), invalid);
  EXPECT_EQ(device_->Fill32(data, 0, 1, stream).code(), invalid);
  EXPECT_EQ(LaunchOn(stream, "count", {}, data).code(), invalid);
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

class DeviceOrderTest : public DeviceConformanceTest {
 protected:
  void SetUp() override {
    DeviceConformanceTest::SetUp();
    if (device_ == nullptr) return;
    if (device_->info().ComputeCapability() < 80) GTEST_SKIP() << "mbarriers need sm_80";
    UseKernels(CONFORMANCE_ORDER_KERNELS);
  }
};

TEST_P(DeviceOrderTest, EveryThreadKnowsItsLane) {
  DevicePtr out = Buffer(80 * 16);
  ASSERT_TRUE(Launch("lanes", {{1, 1, 1}, {80, 1, 1}, 0}, out).ok());
  const std::vector<uint32_t> values = Download<uint32_t>(out, 80 * 4);
  for (uint32_t i = 0; i < 80; ++i) {
    const uint32_t lane = i % 32, bit = 1u << lane;
    EXPECT_THAT(std::vector<uint32_t>(&values[4 * i], &values[4 * i] + 4), ElementsAre(lane, bit - 1, bit, ~(bit - 1)))
        << i;
  }
}

TEST_P(DeviceOrderTest, ANamedBarrierHandsOver) {
  DevicePtr out = Buffer(32 * 4);
  ASSERT_TRUE(Launch("hand_over", {{1, 1, 1}, {64, 1, 1}, 128}, out).ok());
  std::vector<uint32_t> expected(32);
  std::iota(expected.begin(), expected.end(), 32u);
  EXPECT_EQ(Download<uint32_t>(out, 32), expected);
}

TEST_P(DeviceOrderTest, BarriersCombinePredicates) {
  for (uint32_t limit : {0u, 1u, 33u, 95u, 96u}) {
    DevicePtr out = Buffer(96 * 12);
    ASSERT_TRUE(Launch("votes", {{1, 1, 1}, {96, 1, 1}, 0}, out, limit).ok());
    const std::vector<uint32_t> values = Download<uint32_t>(out, 96 * 3);
    for (uint32_t i = 0; i < 96; ++i) {
      EXPECT_THAT(std::vector<uint32_t>(&values[3 * i], &values[3 * i] + 3),
                  ElementsAre(limit == 96 ? 1 : 0, limit == 0 ? 0 : 1, limit))
          << i;
    }
  }
}

TEST_P(DeviceOrderTest, AnMbarrierOrdersRoundAfterRound) {
  const uint32_t threads = 96, rounds = 5;
  DevicePtr out = Buffer(threads * rounds * 4);
  ASSERT_TRUE(Launch("rounds", {{1, 1, 1}, {threads, 1, 1}, 16 + threads * 4}, out, rounds).ok());
  const std::vector<uint32_t> values = Download<uint32_t>(out, threads * rounds);
  for (uint32_t i = 0; i < threads * rounds; ++i) {
    EXPECT_EQ(values[i], 1000 * (i / threads) + threads - 1 - i % threads) << i;
  }
}

TEST_P(DeviceOrderTest, AtomicsCombineTheWordsOfAllBlocks) {
  const uint32_t count = 50 * 96;
  uint32_t all = 0;
  for (uint32_t i = 0; i < count; ++i) all ^= i;
  DevicePtr out = Upload<uint32_t>({0xFFFFFFFF, 0, 0xFFFFFFFF, 0, 0, 0});
  ASSERT_TRUE(Launch("combine", {{50, 1, 1}, {96, 1, 1}, 0}, out).ok());
  EXPECT_THAT(Download<uint32_t>(out, 6), ElementsAre(5, count - 1, 0, 0xFFFFFFFF, all, count));
}

const auto kDevices = testing::Values("Simt", "SimtUnderStress", "Cuda");
std::string DeviceName(const testing::TestParamInfo<const char*>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(Devices, DeviceConformanceTest, kDevices, DeviceName);
INSTANTIATE_TEST_SUITE_P(Devices, DeviceOrderTest, kDevices, DeviceName);

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
