// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stand-in for the driver: the order of work, and errors.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "kernels/runtime/cuda/driver.h"

namespace mmtune::cuda {
namespace {

using testing::HasSubstr;

// add(u32* data, u32 value): thread i adds to data[i]. trap(): traps; of blocks of 32 threads.
constexpr char kPtx[] = R"(.version 7.8
.target sm_75
.address_size 64
.visible .entry add(.param .u64 data, .param .u32 value)
.maxntid 256, 2
{
  .reg .u32 %i, %word, %value;
  .reg .u64 %at;
  ld.param.u64 %at, [data];
  cvta.to.global.u64 %at, %at;
  ld.param.u32 %value, [value];
  mov.u32 %i, %tid.x;
  mad.wide.u32 %at, %i, 4, %at;
  ld.global.u32 %word, [%at];
  add.u32 %word, %word, %value;
  st.global.u32 [%at], %word;
  ret;
}
.visible .entry trap()
.reqntid 32
{
  trap;
  ret;
}
)";

std::string Changed(const char* from, const char* to) { return absl::StrReplaceAll(kPtx, {{from, to}}); }

class FakeCudaTest : public testing::Test {
 protected:
  FakeCudaTest() {
    DeviceId device = 0;
    Call(driver_->DeviceGet(&device, 0));
    Call(driver_->DevicePrimaryCtxRetain(&context_, device));
    Call(driver_->CtxSetCurrent(context_));
    Call(driver_->ModuleLoadDataEx(&module_, kPtx, 0, nullptr, nullptr));
    Call(driver_->StreamCreate(&first_, kStreamNonBlocking));
    Call(driver_->StreamCreate(&second_, kStreamNonBlocking));
    Call(driver_->EventCreate(&event_, kEventDefault));
    Call(driver_->MemAlloc(&data_, 4));
    Call(driver_->MemsetD32Async(data_, 0, 1, nullptr));
    Call(driver_->StreamSynchronize(nullptr));
  }
  ~FakeCudaTest() override {
    const auto reset = reinterpret_cast<void (*)()>(dlsym(dlopen(FAKE_CUDA_LIBRARY, RTLD_NOW), "FakeCudaReset"));
    reset();
    driver_->MemFree(data_);  // Gone already, where an error was sticky.
    Call(driver_->EventDestroy(event_));
    Call(driver_->StreamDestroy(first_));
    Call(driver_->StreamDestroy(second_));
    Call(driver_->ModuleUnload(module_));
  }

  static void Call(Result result) { EXPECT_EQ(result, kSuccess); }

  Function Kernel(const char* name) {
    Function function = nullptr;
    Call(driver_->ModuleGetFunction(&function, module_, name));
    return function;
  }
  Result Add(Stream stream, uint32_t value, uint32_t threads = 1, uint32_t shared_bytes = 0) {
    void* parameters[] = {&data_, &value};
    return driver_->LaunchKernel(Kernel("add"), 1, 1, 1, threads, 1, 1, shared_bytes, stream, parameters, nullptr);
  }
  /// Adds to the word at an offset from the start of a new buffer of 8 bytes, and waits.
  Result AddAt(DevicePointer offset) {
    const DevicePointer data = data_;
    DevicePointer words = 0;
    Call(driver_->MemAlloc(&words, 8));
    Call(driver_->MemsetD32Async(words, 0, 2, first_));
    data_ = words + offset;
    Call(Add(first_, 1));
    data_ = data;
    const Result result = driver_->StreamSynchronize(first_);
    driver_->MemFree(words);
    return result;
  }
  Result Trap(uint32_t threads) {
    return driver_->LaunchKernel(Kernel("trap"), 1, 1, 1, threads, 1, 1, 0, first_, nullptr, nullptr);
  }

  Result Load(const std::string& image, std::string* log) {
    log->assign(400, '\0');
    JitOption names[] = {kJitErrorLogBuffer, kJitErrorLogBufferSizeBytes};
    void* values[] = {log->data(), reinterpret_cast<void*>(log->size())};
    Module module = nullptr;
    return driver_->ModuleLoadDataEx(&module, image.c_str(), 2, names, values);
  }

  const std::unique_ptr<const Driver> driver_ = Driver::Open(FAKE_CUDA_LIBRARY).value();
  Context context_ = nullptr;
  Module module_ = nullptr;
  Stream first_ = nullptr, second_ = nullptr;
  Event event_ = nullptr;
  DevicePointer data_ = 0;
};

TEST_F(FakeCudaTest, AStreamRunsInOrderWhenTheHostWaits) {
  uint32_t source = 1, result = 0;
  Call(driver_->MemcpyHtoDAsync(data_, &source, 4, first_));
  Call(Add(first_, 10));
  Call(driver_->MemcpyDtoHAsync(&result, data_, 4, first_));
  source = 5;
  EXPECT_EQ(result, 0u);
  Call(driver_->StreamSynchronize(first_));
  EXPECT_EQ(result, 15u) << "the copy reads the host's memory when the stream comes to it";
}

TEST_F(FakeCudaTest, StreamsWaitForEventsAndForNothingElse) {
  uint32_t before = 0, after = 0;
  Call(Add(first_, 3));
  Call(driver_->EventRecord(event_, first_));
  Call(driver_->MemcpyDtoHAsync(&before, data_, 4, second_));
  Call(driver_->StreamSynchronize(second_));
  EXPECT_EQ(before, 0u);
  Call(driver_->StreamWaitEvent(second_, event_, 0));
  Call(Add(first_, 100));  // behind the event
  Call(driver_->MemcpyDtoHAsync(&after, data_, 4, second_));
  Call(driver_->StreamSynchronize(second_));
  EXPECT_EQ(after, 3u);
}

TEST_F(FakeCudaTest, EventsAreReachedWhenTheHostHasWaited) {
  Event start = nullptr;
  float milliseconds = 0;
  Call(driver_->EventCreate(&start, kEventDefault));
  EXPECT_EQ(driver_->EventElapsedTime(&milliseconds, start, event_), kInvalidHandle) << "not recorded";
  Call(driver_->EventRecord(start, first_));
  Call(Add(first_, 1));
  Call(driver_->EventRecord(event_, first_));
  EXPECT_EQ(driver_->EventQuery(event_), kNotReady);
  EXPECT_EQ(driver_->EventElapsedTime(&milliseconds, start, event_), kNotReady);
  int polls = 1;
  while (polls < 1000 && driver_->EventQuery(event_) == kNotReady) ++polls;
  EXPECT_LT(polls, 1000) << "who asks often enough has waited";
  Call(driver_->EventElapsedTime(&milliseconds, start, event_));
  EXPECT_FLOAT_EQ(milliseconds, 0.1f);
  Call(driver_->EventDestroy(start));
}

TEST_F(FakeCudaTest, AWildAddressIsStickyAndNothingRunsBehindIt) {
  const DevicePointer data = data_;
  uint32_t result = 7;
  data_ = 16;
  Call(Add(first_, 1));
  data_ = data;
  Call(driver_->MemcpyDtoHAsync(&result, data_, 4, first_));
  EXPECT_EQ(driver_->StreamSynchronize(first_), kIllegalAddress);
  EXPECT_EQ(result, 7u);
  DevicePointer more = 0;
  EXPECT_EQ(driver_->MemAlloc(&more, 4), kIllegalAddress);
  EXPECT_EQ(driver_->StreamSynchronize(second_), kIllegalAddress);
  EXPECT_EQ(driver_->EventRecord(event_, second_), kIllegalAddress);
}

TEST_F(FakeCudaTest, ATrapIsSticky) {
  Call(Trap(32));
  EXPECT_EQ(driver_->StreamSynchronize(first_), kLaunchFailed);
  EXPECT_EQ(driver_->EventRecord(event_, first_), kLaunchFailed);
}

TEST_F(FakeCudaTest, WhatCannotBeLaunchedIsRefusedAtOnce) {
  EXPECT_EQ(Add(first_, 1, 1025), kInvalidValue);
  EXPECT_EQ(Add(first_, 1, 513), kInvalidValue) << "more than .maxntid says";
  EXPECT_EQ(Add(first_, 1, 0), kInvalidValue);
  EXPECT_EQ(Add(first_, 1, 1, 48 * 1024 + 1), kInvalidValue) << "the limit was not raised";
  EXPECT_EQ(Trap(16), kInvalidValue) << "not what .reqntid says";
  EXPECT_EQ(driver_->FuncSetAttribute(Kernel("add"), kMaxDynamicSharedSizeBytes, 227 * 1024 + 1), kInvalidValue);
  Call(driver_->FuncSetAttribute(Kernel("add"), kMaxDynamicSharedSizeBytes, 227 * 1024));
  Call(Add(first_, 1, 1, 227 * 1024));
  EXPECT_EQ(Add(reinterpret_cast<Stream>(&data_), 1), kInvalidHandle);
  Function function = nullptr;
  EXPECT_EQ(driver_->ModuleGetFunction(&function, module_, "subtract"), kNotFound);
  Call(driver_->StreamSynchronize(first_));
}

TEST_F(FakeCudaTest, MemoryThatIsNotTheDevicesIsRefused) {
  uint32_t word = 0;
  EXPECT_EQ(driver_->MemcpyHtoDAsync(data_ + 4, &word, 4, first_), kInvalidValue);
  EXPECT_EQ(driver_->MemcpyDtoHAsync(&word, reinterpret_cast<DevicePointer>(&word), 4, first_), kInvalidValue);
  EXPECT_EQ(driver_->MemsetD32Async(data_, 0, 2, first_), kInvalidValue);
  EXPECT_EQ(driver_->MemFree(data_ + 4), kInvalidValue);
}

TEST_F(FakeCudaTest, WithoutAContextNothingIsDone) {
  Call(driver_->CtxSetCurrent(nullptr));
  EXPECT_EQ(static_cast<int>(driver_->StreamSynchronize(nullptr)), 201);
  Call(driver_->CtxSetCurrent(context_));
}

TEST_F(FakeCudaTest, RefusesImagesWithTheErrorsOfTheDriver) {
  std::string log;
  EXPECT_EQ(Load("garbage", &log), kInvalidPtx);
  EXPECT_THAT(log, HasSubstr("Missing .version directive"));
  EXPECT_EQ(Load(Changed("7.8", "9.1"), &log), kUnsupportedPtxVersion);
  EXPECT_EQ(Load(Changed("7.8\n.target sm_75", "8.6\n.target sm_100"), &log), kInvalidPtx);
  EXPECT_THAT(log, HasSubstr("SM version sm_100 is not that of sm_90"));
  EXPECT_EQ(Load(Changed("7.8\n.target sm_75", "8.6\n.target sm_100a"), &log), kInvalidPtx);
  EXPECT_EQ(Load(Changed("add.u32", "add.u33"), &log), kInvalidPtx);
  EXPECT_THAT(log, HasSubstr("add.u33 %word, %word, %value;"));
  EXPECT_EQ(Load(std::string("\177ELF") + std::string(60, 'x') + "machine code", &log), kNoBinaryForGpu);
}

TEST_F(FakeCudaTest, AMisalignedAddressIsNoErrorWithoutChecks) { EXPECT_EQ(AddAt(1), kSuccess); }

struct ChecksOfAdd {
  ChecksOfAdd() { setenv("FAKE_CUDA_CHECKS", "add", 1); }
  ~ChecksOfAdd() { unsetenv("FAKE_CUDA_CHECKS"); }
};

/// The kernel `add` runs in race detection.
class CheckedFakeCudaTest : private ChecksOfAdd, public FakeCudaTest {};

TEST_F(CheckedFakeCudaTest, AMisalignedAddressIsSticky) {
  EXPECT_EQ(AddAt(0), kSuccess);
  EXPECT_EQ(AddAt(2), kMisalignedAddress);
  EXPECT_EQ(driver_->EventRecord(event_, second_), kMisalignedAddress);
}

TEST_F(CheckedFakeCudaTest, AWildAddressIsSticky) { EXPECT_EQ(AddAt(4096), kIllegalAddress); }

TEST_F(CheckedFakeCudaTest, ATrapIsSticky) {
  Call(Trap(32));
  EXPECT_EQ(driver_->StreamSynchronize(first_), kLaunchFailed);
}

TEST(FakeCudaDevicesTest, TheFirstHasTheArchitectureThatIsAskedFor) {
  const std::unique_ptr<const Driver> driver = Driver::Open(FAKE_CUDA_LIBRARY).value();
  const auto attribute = [&](DeviceAttribute name) {
    int value = 0;
    EXPECT_EQ(driver->DeviceGetAttribute(&value, name, 10), kSuccess);
    return value;
  };
  EXPECT_EQ(attribute(kComputeCapabilityMajor), 9);
  setenv("FAKE_CUDA_ARCH", "sm_80", 1);
  EXPECT_EQ(attribute(kComputeCapabilityMajor), 8);
  EXPECT_EQ(attribute(kMaxSharedMemoryPerBlockOptin), 163 * 1024);
  EXPECT_EQ(attribute(kMultiprocessorCount), 108);
  unsetenv("FAKE_CUDA_ARCH");
}

}  // namespace
}  // namespace mmtune::cuda
