// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/mgpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/runtime/open_device.h"
#include "tests/kernels/runtime/test_files.h"

namespace mmtune {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The functions as MLIR's code sees them: looked up by name, called with C types.
class Mgpu {
 public:
  template <typename Result, typename... Arguments>
  Result Call(const std::string& name, Arguments... arguments) const {
    return reinterpret_cast<Result (*)(Arguments...)>(symbols_.at(name))(arguments...);
  }
  void* LoadModule(const std::string& image) const {
    return Call<void*>("mgpuModuleLoad", static_cast<const void*>(image.data()), image.size());
  }
  void* GetFunction(void* module, const char* name) const { return Call<void*>("mgpuModuleGetFunction", module, name); }
  void* Allocate(uint64_t bytes) const {
    return Call<void*>("mgpuMemAlloc", bytes, static_cast<void*>(nullptr), false);
  }
  void Free(void* ptr) const { Call<void>("mgpuMemFree", ptr, static_cast<void*>(nullptr)); }
  void Copy(void* dst, void* src, size_t bytes) const {
    Call<void>("mgpuMemcpy", dst, src, bytes, static_cast<void*>(nullptr));
  }
  void Launch(void* function, intptr_t blocks, intptr_t threads, void** params, size_t count) const {
    Call<void>("mgpuLaunchKernel", function, blocks, intptr_t{1}, intptr_t{1}, threads, intptr_t{1}, intptr_t{1},
               int32_t{0}, static_cast<void*>(nullptr), params, static_cast<void**>(nullptr), count);
  }

 private:
  std::map<std::string, void*> symbols_ = [] {
    std::map<std::string, void*> map;
    for (const auto& [name, address] : MgpuSymbols()) map[name] = address;
    return map;
  }();
};

class MgpuTest : public testing::Test {
 protected:
  void SetUp() override {
    device_ = CreateSimtDevice("", 1).value();
    SetMgpuDevice(device_.get());
    ASSERT_TRUE(TakeMgpuError().ok());
    before_ = GetMgpuCounters();
  }
  void TearDown() override {
    TakeMgpuError().IgnoreError();
    SetMgpuDevice(nullptr);
  }

  std::unique_ptr<Device> device_;
  Mgpu mgpu_;
  MgpuCounters before_;
};

// Like a loop without iterations. The driver and devices refuse the launch.
TEST_F(MgpuTest, AGridWithoutBlocksLaunchesNothing) {
  void* module = mgpu_.LoadModule(ReadFile(SIMT_TEST_KERNELS));
  void* function = mgpu_.GetFunction(module, "count_blocks");
  mgpu_.Launch(function, 0, 2, nullptr, 0);
  mgpu_.Call<void>("mgpuLaunchKernel", function, intptr_t{3}, intptr_t{1}, intptr_t{0}, intptr_t{2}, intptr_t{1},
                   intptr_t{1}, int32_t{0}, static_cast<void*>(nullptr), static_cast<void**>(nullptr),
                   static_cast<void**>(nullptr), size_t{0});
  EXPECT_TRUE(TakeMgpuError().ok());
  EXPECT_EQ(GetMgpuCounters().launches, before_.launches);
  mgpu_.Call<void>("mgpuModuleUnload", module);
}

TEST_F(MgpuTest, LoadsLaunchesAndCountsWhatItDid) {
  void* module = mgpu_.LoadModule(ReadFile(SIMT_TEST_KERNELS));
  void* function = mgpu_.GetFunction(module, "count_blocks");
  void* count = mgpu_.Allocate(8);
  mgpu_.Call<void>("mgpuMemset32", count, uint32_t{0}, size_t{2}, static_cast<void*>(nullptr));
  void* params[] = {&count};
  mgpu_.Launch(function, 30, 2, params, 1);
  uint64_t result = 0;
  mgpu_.Copy(&result, count, sizeof(result));
  mgpu_.Free(count);
  mgpu_.Call<void>("mgpuModuleUnload", module);

  EXPECT_TRUE(TakeMgpuError().ok());
  EXPECT_EQ(result, 60u);
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_EQ(after.launches - before_.launches, 1);
  EXPECT_EQ(after.allocations - before_.allocations, 1);
  EXPECT_EQ(after.frees - before_.frees, 1);
  EXPECT_EQ(after.modules_loaded - before_.modules_loaded, 1);
  EXPECT_EQ(after.modules_unloaded - before_.modules_unloaded, 1);
}

TEST_F(MgpuTest, CopiesInEveryDirectionIntoTheMiddleOfAllocations) {
  std::vector<int> in(64), out(64);
  std::iota(in.begin(), in.end(), 1);
  auto* a = static_cast<int*>(mgpu_.Allocate(256));
  auto* b = static_cast<int*>(mgpu_.Allocate(256));
  mgpu_.Copy(a, in.data(), 256);
  mgpu_.Copy(b, a + 32, 128);
  mgpu_.Copy(b + 32, a, 128);
  mgpu_.Copy(out.data(), b, 256);
  EXPECT_TRUE(TakeMgpuError().ok());
  std::rotate(in.begin(), in.begin() + 32, in.end());
  EXPECT_EQ(out, in);
  mgpu_.Free(a);
  mgpu_.Free(b);
}

// Descriptors as generated code has them: allocated, aligned, offset, sizes, strides.
TEST_F(MgpuTest, CopiesViewsInEveryDirection) {
  std::vector<int> in(6), out(24, -1);
  std::iota(in.begin(), in.end(), 1);
  auto* device = static_cast<int*>(mgpu_.Allocate(256));
  const auto address = [](const void* memory) { return reinterpret_cast<int64_t>(memory); };
  const auto copy = [&](std::vector<int64_t> to, std::vector<int64_t> from) {
    mgpu_.Call<void>("mgpuMemcpyMemRef", static_cast<int64_t>(to.size() / 2 - 1), static_cast<void*>(to.data()),
                     static_cast<void*>(from.data()), int64_t{4}, static_cast<void*>(nullptr));
    return TakeMgpuError();
  };
  // 2x3 to rows apart, these turned to columns further on, and back with every second element backwards.
  EXPECT_TRUE(copy({0, address(device), 5, 2, 3, 7, 1}, {0, address(in.data()), 0, 2, 3, 3, 1}).ok());
  EXPECT_TRUE(copy({0, address(device), 30, 2, 3, 1, 4}, {0, address(device), 5, 2, 3, 7, 1}).ok());
  EXPECT_TRUE(copy({0, address(out.data()), 22, 2, 3, -12, -2}, {0, address(device), 30, 2, 3, 1, 4}).ok());
  EXPECT_THAT(out, ElementsAre(-1, -1, -1, -1, -1, -1, 6, -1, 5, -1, 4, -1,  //
                               -1, -1, -1, -1, -1, -1, 3, -1, 2, -1, 1, -1));
  EXPECT_TRUE(copy({0, address(&out[0]), 1}, {0, address(device), 6}).ok());  // A scalar.
  EXPECT_EQ(out[1], 2);
  EXPECT_TRUE(copy({0, 0, 0, 0, 3, 3, 1}, {0, 0, 0, 0, 3, 3, 1}).ok());  // Nothing.
  EXPECT_THAT(std::string(copy({0, address(device), 0, 4, 1}, {0, address(in.data()), 0, 5, 1}).message()),
              HasSubstr("from a memref of sizes [5] to one of [4]"));
  mgpu_.Free(device);
}

TEST_F(MgpuTest, FillsWithValuesOf16And32Bits) {
  auto* ptr = static_cast<char*>(mgpu_.Allocate(32));
  mgpu_.Call<void>("mgpuMemset32", static_cast<void*>(ptr), uint32_t{0}, size_t{8}, static_cast<void*>(nullptr));
  mgpu_.Call<void>("mgpuMemset16", static_cast<void*>(ptr), uint16_t{0x1234}, size_t{5}, static_cast<void*>(nullptr));
  std::vector<uint16_t> out(16);
  mgpu_.Copy(out.data(), ptr, 32);
  EXPECT_TRUE(TakeMgpuError().ok());
  EXPECT_THAT(std::vector<uint16_t>(out.begin(), out.begin() + 5), Each(0x1234));
  EXPECT_THAT(std::vector<uint16_t>(out.begin() + 5, out.end()), Each(0));
  mgpu_.Free(ptr);
}

TEST_F(MgpuTest, PoisonFillsNewMemoryWithNaN) {
  SetMgpuDevice(device_.get(), {.poison_allocations = true});
  void* ptr = mgpu_.Allocate(4 * 7 + 3);
  std::vector<float> values(7);
  std::vector<uint8_t> tail(3);
  mgpu_.Copy(values.data(), ptr, 28);
  mgpu_.Copy(tail.data(), static_cast<char*>(ptr) + 28, 3);
  for (float value : values) EXPECT_TRUE(std::isnan(value));
  EXPECT_THAT(tail, Each(0xFF));
  EXPECT_TRUE(TakeMgpuError().ok());
  mgpu_.Free(ptr);
}

TEST_F(MgpuTest, AConstantIsUploadedOnceForEachDevice) {
  const std::vector<int32_t> first = {1, 2, 3}, second = {4, 5};
  const auto load = [&](const std::vector<int32_t>& constant) {
    return mgpu_.Call<void*>("mgpuConstantLoad", static_cast<const void*>(constant.data()),
                             uint64_t{constant.size() * sizeof(int32_t)});
  };
  const auto unload = [&](const std::vector<int32_t>& constant) {
    mgpu_.Call<void>("mgpuConstantUnload", static_cast<const void*>(constant.data()));
  };
  void* on_device = load(first);
  EXPECT_NE(on_device, load(second));
  EXPECT_EQ(on_device, load(first));
  std::vector<int32_t> out(3);
  mgpu_.Copy(out.data(), on_device, 12);
  EXPECT_EQ(out, first);
  EXPECT_EQ(GetMgpuCounters().uploads - before_.uploads, 2);
  EXPECT_EQ(GetMgpuCounters().downloads - before_.downloads, 1);
  EXPECT_EQ(GetMgpuCounters().allocations - before_.allocations, 2);

  unload(first);
  unload(first);  // Where there is none, there is nothing to do.
  EXPECT_EQ(GetMgpuCounters().frees - before_.frees, 1);
  EXPECT_NE(load(first), nullptr);
  EXPECT_EQ(GetMgpuCounters().uploads - before_.uploads, 3);

  // Another device has copies of its own; those of this one went with it.
  std::unique_ptr<Device> other = CreateSimtDevice("", 1).value();
  SetMgpuDevice(other.get());
  EXPECT_EQ(GetMgpuCounters().frees - before_.frees, 3);
  out.assign(3, 0);
  mgpu_.Copy(out.data(), load(first), 12);
  EXPECT_EQ(out, first);
  unload(first);
  unload(second);
  EXPECT_TRUE(TakeMgpuError().ok());
  EXPECT_EQ(GetMgpuCounters().frees - before_.frees, GetMgpuCounters().allocations - before_.allocations);
  SetMgpuDevice(device_.get());
}

TEST_F(MgpuTest, AFailedAssertionIsTheFirstError) {
  mgpu_.Call<void>("mgpuAssertFailed", "model.mlir:6:3: an assertion failed: sizes differ");
  const int32_t constant = 0;
  EXPECT_EQ(mgpu_.Call<void*>("mgpuConstantLoad", static_cast<const void*>(&constant), uint64_t{4}), nullptr);
  EXPECT_EQ(std::string(TakeMgpuError().message()), "model.mlir:6:3: an assertion failed: sizes differ");
}

TEST_F(MgpuTest, StreamsAndEventsBalance) {
  void* stream = mgpu_.Call<void*>("mgpuStreamCreate");
  void* event = mgpu_.Call<void*>("mgpuEventCreate");
  mgpu_.Call<void>("mgpuEventRecord", event, stream);
  mgpu_.Call<void>("mgpuStreamWaitEvent", stream, event);
  mgpu_.Call<void>("mgpuEventSynchronize", event);
  mgpu_.Call<void>("mgpuEventDestroy", event);
  mgpu_.Call<void>("mgpuStreamSynchronize", stream);
  mgpu_.Call<void>("mgpuStreamDestroy", stream);
  EXPECT_TRUE(TakeMgpuError().ok());
  EXPECT_EQ(GetMgpuCounters().streams_created - before_.streams_created, 1);
  EXPECT_EQ(GetMgpuCounters().streams_destroyed - before_.streams_destroyed, 1);
  EXPECT_EQ(GetMgpuCounters().events_created - before_.events_created, 1);
  EXPECT_EQ(GetMgpuCounters().events_destroyed - before_.events_destroyed, 1);

  mgpu_.Call<void>("mgpuStreamDestroy", stream);
  EXPECT_EQ(TakeMgpuError().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(GetMgpuCounters().streams_destroyed - before_.streams_destroyed, 1);
}

TEST_F(MgpuTest, TheFirstErrorIsKeptAndWhatFollowsDoesNothing) {
  void* ptr = mgpu_.Allocate(4);
  void* module = mgpu_.LoadModule(ReadFile(SIMT_TEST_KERNELS));
  EXPECT_EQ(mgpu_.GetFunction(module, "no_such_kernel"), nullptr);
  EXPECT_EQ(mgpu_.Allocate(16), nullptr);
  mgpu_.Launch(nullptr, 1, 1, nullptr, 0);
  mgpu_.Free(ptr);  // Releasing still works.
  mgpu_.Call<void>("mgpuModuleUnload", module);

  absl::Status error = TakeMgpuError();
  EXPECT_EQ(error.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(error.message()), HasSubstr("no_such_kernel"));
  EXPECT_TRUE(TakeMgpuError().ok());
  EXPECT_EQ(GetMgpuCounters().launches, before_.launches);
  EXPECT_EQ(GetMgpuCounters().allocations - before_.allocations, 1);
  EXPECT_EQ(GetMgpuCounters().frees - before_.frees, 1);
  EXPECT_EQ(GetMgpuCounters().modules_unloaded - before_.modules_unloaded, 1);
}

TEST_F(MgpuTest, BadArgumentsAreErrors) {
  int host[2] = {0, 0};
  mgpu_.Copy(&host[0], &host[1], 4);
  EXPECT_THAT(std::string(TakeMgpuError().message()), HasSubstr("neither address"));

  void* ptr = mgpu_.Allocate(4);
  mgpu_.Free(ptr);
  mgpu_.Free(ptr);
  EXPECT_THAT(std::string(TakeMgpuError().message()), HasSubstr("freed before"));

  EXPECT_EQ(mgpu_.LoadModule("not an object"), nullptr);
  EXPECT_EQ(TakeMgpuError().code(), absl::StatusCode::kInvalidArgument);

  mgpu_.Launch(nullptr, -1, 1, nullptr, 0);
  EXPECT_THAT(std::string(TakeMgpuError().message()), HasSubstr("grid of (-1,1,1)"));

  EXPECT_EQ(mgpu_.Call<void*>("mgpuModuleLoadJIT", ".version 7.8", int32_t{2}), nullptr);
  EXPECT_THAT(std::string(TakeMgpuError().message()), HasSubstr("not GPU code"));
}

TEST_F(MgpuTest, SharedMemoryIsAccessibleByTheHost) {
  auto* shared = static_cast<int*>(mgpu_.Call<void*>("mgpuMemAlloc", uint64_t{8}, static_cast<void*>(nullptr), true));
  ASSERT_NE(shared, nullptr);
  shared[0] = shared[1] = 3;
  int out = 0;
  mgpu_.Copy(&out, &shared[1], sizeof(out));
  EXPECT_EQ(out, 3);
  mgpu_.Free(shared);
  EXPECT_TRUE(TakeMgpuError().ok());
  mgpu_.Free(shared);
  EXPECT_THAT(std::string(TakeMgpuError().message()), HasSubstr("freed before"));
  // The program's own affair.
  EXPECT_EQ(GetMgpuCounters().allocations, before_.allocations);
  EXPECT_EQ(GetMgpuCounters().frees, before_.frees);
}

/// A memref<2x3xi32> in the middle of memory, its rows apart.
TEST_F(MgpuTest, RegisteredMemrefsAreUsedWhereTheyLie) {
  std::vector<int32_t> host(32, 7);
  int64_t descriptor[] = {0, reinterpret_cast<int64_t>(host.data()), 4, 2, 3, 8, 1};
  const auto call = [&](const char* name) {
    mgpu_.Call<void>(name, int64_t{2}, static_cast<void*>(descriptor), int64_t{4});
  };
  const auto fill = [&](int first, size_t count) {
    mgpu_.Call<void>("mgpuMemset32", static_cast<void*>(&host[first]), uint32_t{1}, count, static_cast<void*>(nullptr));
    return TakeMgpuError();
  };
  EXPECT_FALSE(fill(4, 1).ok());
  call("mgpuMemHostRegisterMemRef");
  EXPECT_TRUE(fill(4, 11).ok());
  EXPECT_FALSE(fill(3, 1).ok());
  EXPECT_FALSE(fill(4, 12).ok());
  EXPECT_EQ(host[3] + host[4] + host[14] + host[15], 7 + 1 + 1 + 7);
  mgpu_.Copy(&host[5], &host[6], 4);  // From host to host.
  EXPECT_TRUE(TakeMgpuError().ok());

  // It has to be unregistered as often as it was registered.
  call("mgpuMemHostRegisterMemRef");
  call("mgpuMemHostUnregisterMemRef");
  EXPECT_TRUE(fill(4, 1).ok());
  call("mgpuMemHostUnregisterMemRef");
  EXPECT_TRUE(TakeMgpuError().ok());
  EXPECT_FALSE(fill(4, 1).ok());
  call("mgpuMemHostUnregisterMemRef");
  EXPECT_THAT(std::string(TakeMgpuError().message()), HasSubstr("not registered"));

  // Nothing is nothing, and a scalar is one element.
  descriptor[3] = 0;
  call("mgpuMemHostRegisterMemRef");
  call("mgpuMemHostUnregisterMemRef");
  EXPECT_TRUE(TakeMgpuError().ok());
  mgpu_.Call<void>("mgpuMemHostRegisterMemRef", int64_t{0}, static_cast<void*>(descriptor), int64_t{4});
  EXPECT_TRUE(fill(4, 1).ok());
  EXPECT_FALSE(fill(4, 2).ok());
  mgpu_.Call<void>("mgpuMemHostRegister", static_cast<void*>(&host[3]), uint64_t{8});
  EXPECT_THAT(std::string(TakeMgpuError().message()), HasSubstr("overlap another registered range"));
  mgpu_.Call<void>("mgpuMemHostRegister", static_cast<void*>(&host[4]), uint64_t{8});
  EXPECT_THAT(std::string(TakeMgpuError().message()), HasSubstr("where 4 are registered"));
  mgpu_.Call<void>("mgpuMemHostUnregister", static_cast<void*>(&host[4]));
  EXPECT_TRUE(TakeMgpuError().ok());
}

TEST_F(MgpuTest, TheOnlyDeviceIsTheDefaultOne) {
  mgpu_.Call<void>("mgpuSetDefaultDevice", int32_t{0});
  EXPECT_TRUE(TakeMgpuError().ok());
  mgpu_.Call<void>("mgpuSetDefaultDevice", int32_t{1});
  EXPECT_THAT(std::string(TakeMgpuError().message()), HasSubstr("MMTUNE_DEVICE"));
}

TEST_F(MgpuTest, ClustersAndTensorMapsAreErrorsBeforeSm90) {
  void* module = mgpu_.LoadModule(ReadFile(SIMT_TEST_KERNELS));
  void* count = mgpu_.Allocate(8);
  void* params[] = {&count};
  auto launch = [&](intptr_t cluster) {
    mgpu_.Call<void>("mgpuLaunchClusterKernel", mgpu_.GetFunction(module, "count_blocks"), cluster, intptr_t{1},
                     intptr_t{1}, intptr_t{6}, intptr_t{1}, intptr_t{1}, intptr_t{1}, intptr_t{1}, intptr_t{1},
                     int32_t{0}, static_cast<void*>(nullptr), static_cast<void**>(params),
                     static_cast<void**>(nullptr));
  };
  launch(1);
  EXPECT_TRUE(TakeMgpuError().ok());
  launch(2);
  EXPECT_THAT(std::string(TakeMgpuError().message()),
              HasSubstr("clusters of (2,1,1) blocks: sm_80 does not support clusters"));

  const int64_t descriptor[] = {0, 0, 0, 8, 8, 8, 1}, box[] = {8, 8};
  EXPECT_EQ(mgpu_.Call<void*>("mgpuTensorMapEncodeTiledMemref", int64_t{2}, static_cast<const void*>(descriptor),
                              int64_t{7}, int64_t{0}, int64_t{0}, int64_t{0}, int64_t{0}, box),
            nullptr);
  EXPECT_EQ(TakeMgpuError().code(), absl::StatusCode::kUnimplemented);
  mgpu_.Free(count);
  mgpu_.Call<void>("mgpuModuleUnload", module);
}

TEST_F(MgpuTest, TensorMapsByValueAreEncodedOnceAndNamedWhereTheyCannotBe) {
  const std::unique_ptr<Device> hopper = *CreateSimtDevice("sm_90");
  SetMgpuDevice(hopper.get());
  // Extents, stride, box, f32, no interleave, swizzle of 128 bytes, no promotion, zeros beyond the matrix.
  int64_t numbers[] = {36, 20, 144, 32, 8, kTensorMapF32, 0, kSwizzle128, 0, 0};
  alignas(64) TensorMapBytes bytes, again;
  auto encode = [&](TensorMapBytes* map, int64_t rank, uint64_t address) {
    map->fill(1);
    mgpu_.Call<void>("mgpuTensorMapEncodeTiled", static_cast<void*>(map), reinterpret_cast<void*>(address), rank,
                     static_cast<const int64_t*>(numbers));
  };
  const TiledTensorMap expected{4096, kTensorMapF32, {36, 20}, {144}, {32, 8}, 0, kSwizzle128, 0, 0};
  for (TensorMapBytes* map : {&bytes, &again}) {
    encode(map, 2, 4096);
    EXPECT_EQ(*map, hopper->EncodeTensorMap(expected).value());
  }
  EXPECT_TRUE(TakeMgpuError().ok());

  encode(&bytes, 2, 4104);
  EXPECT_EQ(bytes, TensorMapBytes{});
  EXPECT_THAT(std::string(TakeMgpuError().message()), HasSubstr("address 0x1008 is null or not aligned to 16"));
  encode(&bytes, 6, 4096);
  EXPECT_EQ(bytes, TensorMapBytes{});
  EXPECT_THAT(std::string(TakeMgpuError().message()), HasSubstr("a map of 6 dimensions; it must have 1 to 5"));
  // No rows: the launch has an empty grid.
  numbers[1] = 0;
  encode(&bytes, 2, 0);
  EXPECT_EQ(bytes, TensorMapBytes{});
  EXPECT_TRUE(TakeMgpuError().ok());

  SetMgpuDevice(device_.get());  // of sm_80
  numbers[1] = 20;
  encode(&bytes, 2, 4096);
  EXPECT_EQ(TakeMgpuError().code(), absl::StatusCode::kUnimplemented);
}

TEST_F(MgpuTest, WithoutADeviceEveryCallIsAnError) {
  SetMgpuDevice(nullptr);
  EXPECT_EQ(mgpu_.Allocate(4), nullptr);
  EXPECT_EQ(TakeMgpuError().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(MgpuTest, RejectsAllocationOfZeroBytes) {
  EXPECT_EQ(mgpu_.Allocate(0), nullptr);
  mgpu_.Free(nullptr);
  EXPECT_TRUE(TakeMgpuError().ok());
  EXPECT_EQ(GetMgpuCounters().allocations, before_.allocations);
  EXPECT_EQ(GetMgpuCounters().frees, before_.frees);
}

}  // namespace
}  // namespace mmtune
