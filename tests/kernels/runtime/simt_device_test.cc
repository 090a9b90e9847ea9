// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Behaviour of the SIMT device alone; device_conformance_test.cc tests what all devices share.
#include "kernels/simulator/simt_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/runtime/open_device.h"
#include "tests/kernels/runtime/test_files.h"

namespace mmtune::simt {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

/// The parameter: OS threads.
class SimtDeviceTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { Reset(); }

  void Reset() {
    module_.reset();
    SimtOptions options;
    options.threads = GetParam();
    device_ = SimtDevice::Create(options).value();
    module_ = device_->LoadModule(ImageFormat::kSimtObject, ReadFile(SIMT_TEST_KERNELS)).value();
  }

  DevicePtr Buffer(size_t bytes) { return device_->Allocate(bytes).value(); }

  template <typename T>
  std::vector<T> Read(DevicePtr ptr, size_t count) {
    std::vector<T> values(count);
    EXPECT_TRUE(device_->CopyToHost(values.data(), ptr, count * sizeof(T), 0).ok());
    return values;
  }

  template <typename... Arguments>
  absl::Status Launch(const char* kernel, const LaunchShape& shape, Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    return device_->Launch(module_->GetKernel(kernel).value(), shape, pointers, 0);
  }

  static LaunchShape Threads(uint32_t threads, uint32_t shared = 0) { return {{1, 1, 1}, {threads, 1, 1}, shared}; }

  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceModule> module_;
};

/// True if the system can read the byte.
bool Readable(DevicePtr at) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const bool readable = write(ends[1], reinterpret_cast<const void*>(at), 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return readable;
}

TEST_P(SimtDeviceTest, BuffersOfAnySizeEndAtAnInaccessiblePage) {
  for (size_t bytes : {size_t{256}, size_t{1} << 21, (size_t{1} << 21) + 4096, (size_t{5} << 20) + 256}) {
    const DevicePtr buffer = Buffer(bytes);
    EXPECT_TRUE(device_->Fill32(buffer, 7, bytes / 4).ok());
    EXPECT_TRUE(Readable(buffer) && Readable(buffer + bytes - 1)) << bytes;
    EXPECT_FALSE(Readable(buffer + bytes)) << bytes;
    EXPECT_TRUE(device_->Free(buffer).ok());
    EXPECT_FALSE(Readable(buffer) || Readable(buffer + bytes - 1)) << bytes;
  }
}

TEST_P(SimtDeviceTest, EveryThreadOfEveryBlockRunsOnceWithItsIndex) {
  const LaunchShape shape{{3, 2, 2}, {5, 4, 3}, 0};
  const size_t threads = 60;
  DevicePtr out = Buffer(12 * threads * 32);
  ASSERT_TRUE(Launch("who_am_i", shape, out).ok());
  const std::vector<uint32_t> values = Read<uint32_t>(out, 12 * threads * 8);
  for (size_t i = 0; i < 12 * threads; ++i) {
    const uint32_t block = i / threads, tid = i % threads;
    const std::vector<uint32_t> expected = {tid % 5,       tid / 5 % 4, tid / 20, block % 3,
                                            block / 3 % 2, block / 6,   tid % 32, tid / 32};
    EXPECT_EQ(std::vector<uint32_t>(&values[8 * i], &values[8 * i] + 8), expected) << "thread " << i;
  }
}

TEST_P(SimtDeviceTest, BarriersHoldForAnyNumberOfThreads) {
  for (uint32_t threads : {1u, 2u, 31u, 32u, 33u, 100u, 1024u}) {
    DevicePtr errors = Buffer(4);
    LaunchShape shape = Threads(threads, 4 * threads);
    shape.grid[0] = 7;
    ASSERT_TRUE(Launch("barrier_rounds", shape, errors, uint32_t{20}).ok());
    EXPECT_EQ(Read<uint32_t>(errors, 1)[0], 0u) << threads << " threads";
  }
}

TEST_P(SimtDeviceTest, NamedBarriersOfPartsOfABlockAreIndependent) {
  DevicePtr out = Buffer(4 * 160);
  ASSERT_TRUE(Launch("two_barriers", Threads(160, 8), out).ok());
  const std::vector<uint32_t> counts = Read<uint32_t>(out, 160);
  EXPECT_THAT(std::vector<uint32_t>(counts.begin(), counts.begin() + 64), Each(64u));
  EXPECT_THAT(std::vector<uint32_t>(counts.begin() + 64, counts.end()), Each(96u));
}

TEST_P(SimtDeviceTest, WarpBarriersSynchroniseTheLanesOfTheirMask) {
  DevicePtr out = Buffer(4 * 80);
  ASSERT_TRUE(Launch("warp_halves", Threads(80, 64), out).ok());
  const std::vector<uint32_t> counts = Read<uint32_t>(out, 80);
  EXPECT_THAT(std::vector<uint32_t>(counts.begin(), counts.begin() + 64), Each(16u));
  EXPECT_THAT(std::vector<uint32_t>(counts.begin() + 64, counts.end()), Each(8u));
}

TEST_P(SimtDeviceTest, AsyncCopiesZeroFillWhatTheyDoNotRead) {
  for (uint32_t bytes : {4u, 8u, 16u}) {
    for (uint32_t tail : {0u, 3u, 4u, 7u, 16u}) {
      if (tail > bytes) continue;
      std::vector<uint8_t> in(64 * bytes);
      std::iota(in.begin(), in.end(), uint8_t{1});
      DevicePtr from = Buffer(in.size()), to = Buffer(in.size());
      ASSERT_TRUE(device_->CopyToDevice(from, in.data(), in.size(), 0).ok());
      ASSERT_TRUE(Launch("async_copy", Threads(64, 1024), from, to, tail, bytes).ok());
      std::fill(in.end() - bytes + tail, in.end(), uint8_t{0});
      EXPECT_EQ(Read<uint8_t>(to, in.size()), in) << tail << " of " << bytes;
    }
  }
}

TEST_P(SimtDeviceTest, BarriersCombinePredicates) {
  for (const auto& [first, votes] : {std::pair(0u, 3u), std::pair(1u, 1u), std::pair(79u, 1u), std::pair(80u, 0u)}) {
    DevicePtr out = Buffer(4 * 80);
    ASSERT_TRUE(Launch("barrier_votes", Threads(80), out, first).ok());
    EXPECT_THAT(Read<uint32_t>(out, 80), Each(votes)) << first;
  }
}

TEST_P(SimtDeviceTest, StaticSharedMemoryLiesBelowTheDynamicPart) {
  DevicePtr out = Buffer(12);
  const uint32_t dynamic = 150 * 1024;
  ASSERT_TRUE(Launch("static_and_dynamic", Threads(1, dynamic), out).ok());
  EXPECT_THAT(Read<uint32_t>(out, 3), testing::ElementsAre(dynamic, 1u, 1u));
}

TEST_P(SimtDeviceTest, StaticSharedMemoryCountsAgainstTheLimit) {
  DevicePtr out = Buffer(12);
  const auto limit = static_cast<uint32_t>(device_->info().shared_bytes_per_block);
  absl::Status status = Launch("static_and_dynamic", Threads(1, limit - 1024), out);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("static_and_dynamic"), HasSubstr("2048 static")));
}

TEST_P(SimtDeviceTest, GridsLargerThanTheNumberOfThreadsRunCompletely) {
  DevicePtr count = Buffer(8);
  ASSERT_TRUE(Launch("count_blocks", {{70000, 3, 1}, {1, 1, 1}, 0}, count).ok());
  EXPECT_EQ(Read<uint64_t>(count, 1)[0], 210000u);
}

TEST_P(SimtDeviceTest, DeadlockIsAnErrorAndTheDeviceStaysUsable) {
  absl::Status status = Launch("deadlock_after_exit", {{4, 1, 1}, {64, 1, 1}, 0});
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("kernel deadlock_after_exit"), HasSubstr("thread (0,0,0): deadlock: waits at barrier 0"),
                    HasSubstr("of 64 threads 63 wait at barriers"), HasSubstr("1 have exited")));
  status = Launch("deadlock_in_warp", Threads(32));
  EXPECT_THAT(std::string(status.message()), HasSubstr("warp barrier of mask 0xffffffff"));

  DevicePtr errors = Buffer(4);
  EXPECT_TRUE(Launch("barrier_rounds", Threads(64, 256), errors, uint32_t{3}).ok());
  EXPECT_EQ(Read<uint32_t>(errors, 1)[0], 0u);
}

TEST_P(SimtDeviceTest, MisuseOfAnOperationIsAnError) {
  DevicePtr in = Buffer(64);
  const std::tuple<const char*, const char*> cases[] = {
      {"barrier_17", "barrier 17 does not exist"},
      {"barrier_of_two_counts", "barrier 1 waits for 96 threads, but this thread arrives with a count of 128"},
      {"warp_barrier_without_self", "without its own lane 1"},
      {"async_copy_misaligned", "cp.async of 8 bytes"},
      {"async_copy_of_5", "cp.async of 5 bytes"},
  };
  for (const auto& [kernel, message] : cases) {
    absl::Status status = Launch(kernel, Threads(128, 64), in);
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << kernel;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message)) << kernel;
  }
}

TEST_P(SimtDeviceTest, InvalidAccessPoisonsTheDevice) {
  DevicePtr out = Buffer(4096);
  const std::tuple<const char*, const char*> cases[] = {
      {"write_past_end", "thread (3,0,0): SIGSEGV at address"},
      {"write_past_shared", "shared memory"},
      {"overflow_stack", "stack overflow"},
      {"divide_by_zero", "SIGFPE"},
  };
  for (const auto& [kernel, message] : cases) {
    Reset();
    out = Buffer(4096);
    absl::Status status = Launch(kernel, Threads(64, 64), out, uint32_t{4096 + 10});
    EXPECT_EQ(status.code(), absl::StatusCode::kAborted) << kernel;
    EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(kernel), HasSubstr(message))) << kernel;
    EXPECT_EQ(device_->Synchronize(0).code(), absl::StatusCode::kAborted) << kernel;
    EXPECT_EQ(device_->Allocate(4).status().code(), absl::StatusCode::kAborted) << kernel;
  }
}

TEST_P(SimtDeviceTest, InvalidAccessNamesTheNearestAllocation) {
  DevicePtr out = Buffer(4096);
  absl::Status status = Launch("write_past_end", Threads(64), out, uint32_t{4096 + 10});
  EXPECT_THAT(std::string(status.message()), HasSubstr("10 bytes past the end of an allocation of 4096 bytes"));
}

INSTANTIATE_TEST_SUITE_P(Threads, SimtDeviceTest, testing::Values(1, 3));

TEST(SimtDeviceInfoTest, ReportsTheMachineAndTheLimitsOfTheArchitecture) {
  const auto device = CreateSimtDevice("sm_75", 3).value();
  const DeviceInfo& info = device->info();
  EXPECT_EQ(info.kind, DeviceKind::kSimt);
  EXPECT_EQ(info.arch, "sm_75");
  EXPECT_EQ(info.shared_bytes_per_block, 64 * 1024);
  EXPECT_EQ(info.multiprocessors, 3);
  EXPECT_GT(info.memory_bytes, 0);
  EXPECT_THAT(info.name, AllOf(testing::StartsWith("simt-cpu ("), testing::EndsWith(", 3 threads)")));
  EXPECT_THAT(info.uuid, testing::StartsWith("simt-"));
  EXPECT_EQ(device->clock_name(), "steady");
}

TEST(SimtDeviceInfoTest, RefusesAnUnknownArchitectureAndNegativeThreads) {
  EXPECT_EQ(CreateSimtDevice("sm_12").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CreateSimtDevice("", -1).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace mmtune::simt
