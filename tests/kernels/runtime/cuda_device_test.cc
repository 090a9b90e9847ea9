// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA device over a stand-in for the driver (tests/gpu/fake_cuda): what it asks of the driver, and what becomes of
// errors. What devices do is tested by device_conformance_test.cc.
#include "kernels/runtime/cuda/cuda_device.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "kernels/runtime/mgpu.h"
#include "kernels/simulator/simt_device.h"

namespace mmtune::cuda {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// reserve() has 1 KB of static shared memory; scale(f32* data, u32 count, f32 factor) is for one thread.
constexpr char kPtx[] = R"(
.version 7.8
.target sm_75
.address_size 64
.visible .entry reserve()
{
  .shared .align 4 .b8 reserved[1024];
  .reg .u32 %at;
  mov.u32 %at, reserved;
  st.shared.u32 [%at], %at;
  ret;
}
.visible .entry scale(.param .u64 data, .param .u32 count, .param .f32 factor)
{
  .reg .pred %over;
  .reg .u32 %i, %count;
  .reg .u64 %at;
  .reg .f32 %value, %factor;
  ld.param.u64 %at, [data];
  cvta.to.global.u64 %at, %at;
  ld.param.u32 %count, [count];
  ld.param.f32 %factor, [factor];
  mov.u32 %i, 0;
next:
  setp.ge.u32 %over, %i, %count;
  @%over ret;
  ld.global.f32 %value, [%at];
  mul.f32 %value, %value, %factor;
  st.global.f32 [%at], %value;
  add.u64 %at, %at, 4;
  add.u32 %i, %i, 1;
  bra next;
}
.visible .entry wild()
{
  .reg .u64 %at;
  mov.u64 %at, 16;
  st.global.u64 [%at], %at;
  ret;
}
)";

template <typename Function>
Function FakeFunction(const char* name) {
  return reinterpret_cast<Function>(dlsym(dlopen(FAKE_CUDA_LIBRARY, RTLD_NOW), name));
}

class CudaDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    driver_ = Driver::Open(FAKE_CUDA_LIBRARY).value();
    device_ = CudaDevice::Create(driver_.get(), 0).value();
    module_ = device_->LoadModule(ImageFormat::kPtx, kPtx).value();
  }
  void TearDown() override {
    unsetenv("FAKE_CUDA_FAULT");
    unsetenv("FAKE_CUDA_DEVICES");
    FakeFunction<void (*)()>("FakeCudaReset")();
    module_.reset();
    device_.reset();
    for (DevicePtr ptr : buffers_) EXPECT_EQ(driver_->MemFree(ptr), kSuccess);
    EXPECT_EQ(FakeFunction<int (*)()>("FakeCudaLeaks")(), 0);
  }

  DevicePtr Buffer(size_t bytes) { return buffers_.emplace_back(device_->Allocate(bytes).value()); }

  template <typename... Arguments>
  absl::Status Launch(const char* kernel, const LaunchShape& shape, Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    return device_->Launch(module_->GetKernel(kernel).value(), shape, pointers, 0);
  }

  /// Launches a kernel with 1 KB of static shared memory. Returns what the driver was asked for: grid, block, cluster,
  /// dynamic shared memory, and the kernel's limit of it.
  std::vector<uint32_t> Launched(const LaunchShape& shape) {
    EXPECT_TRUE(Launch("reserve", shape).ok());
    std::vector<uint32_t> words(11);
    FakeFunction<void (*)(uint32_t*)>("FakeCudaLastLaunch")(words.data());
    return words;
  }
  uint32_t LimitAfter(uint32_t dynamic_shared_bytes) {
    return Launched({{1, 1, 1}, {1, 1, 1}, dynamic_shared_bytes})[10];
  }

  std::unique_ptr<const Driver> driver_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceModule> module_;
  std::vector<DevicePtr> buffers_;
};

TEST_F(CudaDeviceTest, ReadsTheDevicesAttributes) {
  const DeviceInfo& info = device_->info();
  EXPECT_EQ(info.kind, DeviceKind::kCuda);
  EXPECT_EQ(info.name, "Fake H100");
  EXPECT_EQ(info.uuid, "GPU-0a1a2a3a-4a5a-6a7a-8a9a-aabacadaeafa");
  EXPECT_EQ(info.arch, "sm_90");
  EXPECT_EQ(info.multiprocessors, 132);
  EXPECT_EQ(info.memory_bytes, int64_t{1} << 30);
  EXPECT_EQ(info.max_threads_per_block, 1024);
  EXPECT_EQ(info.max_threads_per_multiprocessor, 2048);
  EXPECT_EQ(info.registers_per_multiprocessor, 65536);
  EXPECT_EQ(info.shared_bytes_per_block, 227 * 1024);
  EXPECT_EQ(info.shared_bytes_per_multiprocessor, 228 * 1024);
  EXPECT_EQ(info.l2_bytes, 1 << 20);
  EXPECT_EQ(info.driver, "13.0");
  EXPECT_EQ(device_->clock_name(), "cuda-event");
}

TEST_F(CudaDeviceTest, ListsDevicesWithoutContexts) {
  const int before = FakeFunction<int (*)()>("FakeCudaLeaks")();
  std::string why;
  const std::vector<CudaDeviceEntry> devices = QueryDevices(*driver_, &why);
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[1].ordinal, 1);
  EXPECT_EQ(devices[1].info.arch, "sm_75");
  EXPECT_EQ(why, "");
  EXPECT_EQ(FakeFunction<int (*)()>("FakeCudaLeaks")(), before);

  setenv("FAKE_CUDA_DEVICES", "0", 1);
  EXPECT_TRUE(QueryDevices(*driver_, &why).empty());
  EXPECT_THAT(why, HasSubstr("finds no device"));
}

TEST_F(CudaDeviceTest, UnresponsiveDeviceKeepsOrdinalsOfOthers) {
  setenv("FAKE_CUDA_LOST", "0", 1);
  std::string why;
  const std::vector<CudaDeviceEntry> devices = QueryDevices(*driver_, &why);
  unsetenv("FAKE_CUDA_LOST");
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].ordinal, 1);
  EXPECT_EQ(devices[0].info.name, "Fake T4");
  EXPECT_THAT(why, StartsWith("CUDA device 0: "));
  EXPECT_EQ(CudaDevice::Create(driver_.get(), devices[0].ordinal).value()->info(), devices[0].info);
}

TEST_F(CudaDeviceTest, ADeviceThatDoesNotExistIsNotFound) {
  absl::Status status = CudaDevice::Create(driver_.get(), 7).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no CUDA device 7"));
}

TEST_F(CudaDeviceTest, WithoutADriverTheReasonIsGiven) {
  absl::Status status = Driver::Open("no-such-library.so").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no-such-library.so"));

  status = Driver::Open("libm.so.6").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("has no cuInit"));

  setenv("FAKE_CUDA_FAULT", "cuInit=100", 1);
  status = Driver::Open(FAKE_CUDA_LIBRARY).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cuInit: CUDA_ERROR_NO_DEVICE 100 (described by the fake)"));
  unsetenv("FAKE_CUDA_FAULT");

  for (const auto& [version, opens] : {std::pair("11030", false), std::pair("11040", true)}) {
    setenv("FAKE_CUDA_VERSION", version, 1);
    status = Driver::Open(FAKE_CUDA_LIBRARY).status();
    EXPECT_EQ(status.code(), opens ? absl::StatusCode::kOk : absl::StatusCode::kNotFound);
  }
  unsetenv("FAKE_CUDA_VERSION");
}

TEST_F(CudaDeviceTest, PassesTheLaunchOn) {
  EXPECT_THAT(Launched({{7, 5, 3}, {32, 4, 2}, 1000}), ElementsAre(7, 5, 3, 32, 4, 2, 1, 1, 1, 1000, 47 * 1024));
  EXPECT_TRUE(device_->Synchronize(0).ok());
}

TEST_F(CudaDeviceTest, RaisesTheLimitOfDynamicSharedMemoryWhenNeeded) {
  EXPECT_EQ(LimitAfter(47 * 1024), 47u * 1024);  // 48 KB with the static part.
  EXPECT_EQ(LimitAfter(47 * 1024 + 1), 47u * 1024 + 1);
  EXPECT_EQ(LimitAfter(200000), 200000u);
  EXPECT_EQ(LimitAfter(100000), 200000u);  // Never lowered.

  absl::Status status = Launch("reserve", {{1, 1, 1}, {1, 1, 1}, 227 * 1024});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("sm_90 allows a block only"));
}

TEST_F(CudaDeviceTest, PassesClustersOn) {
  LaunchShape shape{{8, 4, 1}, {32, 1, 1}, 1000};
  std::copy_n(std::vector<uint32_t>{2, 4, 1}.begin(), 3, shape.cluster);
  EXPECT_THAT(Launched(shape), ElementsAre(8, 4, 1, 32, 1, 1, 2, 4, 1, 1000, 47 * 1024));

  shape.grid[1] = 3;
  absl::Status status = Launch("reserve", shape);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("clusters of (2,4,1) blocks do not divide"));
}

TEST_F(CudaDeviceTest, NamesAClusterThatTheDriverRefuses) {
  setenv("FAKE_CUDA_FAULT", "cuLaunchKernelEx=912", 1);
  LaunchShape shape{{8, 4, 1}, {32, 1, 1}, 0};
  std::copy_n(std::vector<uint32_t>{2, 4, 1}.begin(), 3, shape.cluster);
  absl::Status status = Launch("reserve", shape);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("CUDA_ERROR_INVALID_CLUSTER_SIZE"));
  // The error is not sticky.
  unsetenv("FAKE_CUDA_FAULT");
  EXPECT_TRUE(Launch("reserve", shape).ok());
}

TEST_F(CudaDeviceTest, EncodesTensorMapsOfMemrefs) {
  SetMgpuDevice(device_.get());
  using Encode = void* (*)(int64_t, void*, int64_t, int64_t, int64_t, int64_t, int64_t, const int64_t*);
  Encode encode = nullptr;
  for (const auto& [name, address] : MgpuSymbols()) {
    if (name == "mgpuTensorMapEncodeTiledMemref") encode = reinterpret_cast<Encode>(address);
  }
  ASSERT_NE(encode, nullptr);
  // memref<128x64xf16, strided<[80, 1], offset: 8>> with boxes of 16x32.
  int64_t descriptor[] = {0, 4096, 8, 128, 64, 80, 1};
  const int64_t box[] = {16, 32};
  void* map = encode(2, descriptor, /*f16*/ 6, 0, 3, 2, 1, box);
  ASSERT_TRUE(TakeMgpuError().ok());
  EXPECT_EQ(encode(2, descriptor, 6, 0, 3, 2, 1, box), map);
  TensorMapBytes bytes;
  const auto ptr = buffers_.emplace_back(reinterpret_cast<DevicePtr>(map));
  ASSERT_TRUE(device_->CopyToHost(bytes.data(), ptr, bytes.size()).ok());
  const TiledTensorMap expected{4096 + 16, 6, {64, 128}, {160}, {32, 16}, 0, 3, 2, 1};
  simt::SimtOptions options;
  options.arch = "sm_90";
  EXPECT_EQ(bytes, simt::SimtDevice::Create(options).value()->EncodeTensorMap(expected).value());

  EXPECT_EQ(encode(2, descriptor, 99, 0, 0, 0, 0, box), nullptr);
  EXPECT_EQ(TakeMgpuError().code(), absl::StatusCode::kInvalidArgument);
  SetMgpuDevice(nullptr);
}

TEST_F(CudaDeviceTest, CopiesAndComputes) {
  std::vector<float> values = {1, 2, 3, 4};
  DevicePtr a = Buffer(16), b = Buffer(16);
  ASSERT_TRUE(device_->CopyToDevice(a, values.data(), 16).ok());
  ASSERT_TRUE(Launch("scale", {}, a, 4, 2.5f).ok());
  ASSERT_TRUE(device_->CopyOnDevice(b, a, 16).ok());
  ASSERT_TRUE(device_->Fill32(b + 8, 0, 2).ok());
  ASSERT_TRUE(device_->CopyToHost(values.data(), b, 16).ok());
  EXPECT_THAT(values, ElementsAre(2.5f, 5.0f, 0.0f, 0.0f));
}

TEST_F(CudaDeviceTest, SharedMemoryIsManaged) {
  const DevicePtr shared = buffers_.emplace_back(device_->AllocateShared(16).value());
  auto* values = reinterpret_cast<float*>(shared);
  std::fill_n(values, 4, 3.0f);
  ASSERT_TRUE(Launch("scale", {}, shared, 4, 2.0f).ok());
  ASSERT_TRUE(device_->Synchronize(0).ok());
  EXPECT_EQ(values[3], 6.0f);
  setenv("FAKE_CUDA_FAULT", "cuMemAllocManaged=2", 1);
  const absl::Status status = device_->AllocateShared(16).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("AllocateShared of 16 bytes: cuMemAllocManaged"));
}

TEST_F(CudaDeviceTest, KernelsUseRegisteredMemoryWhereItLies) {
  std::vector<float> values = {1, 2, 3, 4};
  const auto ptr = reinterpret_cast<DevicePtr>(values.data());
  ASSERT_TRUE(device_->RegisterHost(values.data(), 16).ok());
  ASSERT_TRUE(Launch("scale", {}, ptr, 4, 2.0f).ok());
  ASSERT_TRUE(device_->Synchronize(0).ok());
  EXPECT_THAT(values, ElementsAre(2, 4, 6, 8));
  absl::Status status = device_->RegisterHost(values.data(), 16);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("RegisterHost of 16 bytes: cuMemHostRegister: CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED 712"));
  EXPECT_TRUE(device_->UnregisterHost(values.data()).ok());
  status = device_->UnregisterHost(values.data());
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("NOT_REGISTERED 713"));
}

TEST_F(CudaDeviceTest, RefusesMemoryMappedAtAnotherAddress) {
  std::vector<float> values(4);
  setenv("FAKE_CUDA_HOST_OFFSET", "4096", 1);
  const absl::Status status = device_->RegisterHost(values.data(), 16);
  unsetenv("FAKE_CUDA_HOST_OFFSET");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("to another address than the host"));
  EXPECT_TRUE(device_->RegisterHost(values.data(), 16).ok());
  EXPECT_TRUE(device_->UnregisterHost(values.data()).ok());
}

TEST_F(CudaDeviceTest, MemrefsOfTheHostThroughMgpu) {
  std::map<std::string, void*> functions;
  for (const auto& [name, address] : MgpuSymbols()) functions[name] = address;
  SetMgpuDevice(device_.get());
  const auto memref = [&](const char* name, int64_t* descriptor) {
    reinterpret_cast<void (*)(int64_t, void*, int64_t)>(functions.at(name))(1, descriptor, sizeof(float));
  };
  std::vector<float> values = {1, 2, 3, 4};
  int64_t descriptor[] = {0, reinterpret_cast<int64_t>(values.data()), 1, 3, 1};
  memref("mgpuMemHostRegisterMemRef", descriptor);
  ASSERT_TRUE(TakeMgpuError().ok());
  EXPECT_TRUE(Launch("scale", {}, reinterpret_cast<DevicePtr>(&values[1]), 3, 10.0f).ok());
  EXPECT_TRUE(device_->Synchronize(0).ok());
  EXPECT_THAT(values, ElementsAre(1, 20, 30, 40));
  memref("mgpuMemHostUnregisterMemRef", descriptor);
  using Alloc = void* (*)(uint64_t, void*, bool);
  using Free = void (*)(void*, void*);
  void* shared = reinterpret_cast<Alloc>(functions.at("mgpuMemAlloc"))(16, nullptr, true);
  EXPECT_NE(shared, nullptr);
  reinterpret_cast<Free>(functions.at("mgpuMemFree"))(shared, nullptr);
  EXPECT_TRUE(TakeMgpuError().ok());
  SetMgpuDevice(nullptr);
}

TEST_F(CudaDeviceTest, EventsCountNanoseconds) {
  StreamHandle stream = device_->CreateStream().value();
  EventHandle start = device_->CreateEvent().value(), end = device_->CreateEvent().value();
  ASSERT_TRUE(device_->RecordEvent(start, stream).ok());
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(device_->Launch(module_->GetKernel("reserve").value(), {}, nullptr, stream).ok());
  }
  ASSERT_TRUE(device_->RecordEvent(end, stream).ok());
  EXPECT_EQ(device_->ElapsedNs(start, end).status().code(), absl::StatusCode::kInvalidArgument) << "not reached";
  ASSERT_TRUE(device_->StreamWaitEvent(stream, end).ok());
  ASSERT_TRUE(device_->SynchronizeEvent(end).ok());
  EXPECT_NEAR(device_->ElapsedNs(start, end).value(), 2e5, 1);
  EXPECT_TRUE(device_->DestroyEvent(start).ok());
  EXPECT_TRUE(device_->DestroyEvent(end).ok());
  EXPECT_TRUE(device_->DestroyStream(stream).ok());
}

TEST_F(CudaDeviceTest, AnImageThatTheDriverRefusesComesWithItsLog) {
  absl::Status status = device_->LoadModule(ImageFormat::kPtx, "garbage").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX 218"),
                                                   HasSubstr("ptxas fatal   : Missing .version directive")));
  EXPECT_EQ(device_->LoadModule(ImageFormat::kSimtObject, kPtx).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(device_->Synchronize(0).ok());
}

TEST_F(CudaDeviceTest, PtxThatIsTooNewComesWithBothVersions) {
  setenv("FAKE_CUDA_VERSION", "11070", 1);
  const absl::Status status = device_->LoadModule(ImageFormat::kPtx, kPtx).status();
  unsetenv("FAKE_CUDA_VERSION");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("CUDA_ERROR_UNSUPPORTED_PTX_VERSION 222"),
                    HasSubstr("the code is PTX 7.8, too new for the driver of CUDA 11.7: install a newer driver")));
}

TEST_F(CudaDeviceTest, AnUnknownKernelIsNotFound) {
  absl::Status status = module_->GetKernel("nothing").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), AllOf(StartsWith("GetKernel: nothing"), HasSubstr("cuModuleGetFunction")));
}

TEST_F(CudaDeviceTest, RunningOutOfMemoryIsResourceExhausted) {
  absl::Status status = device_->Allocate((size_t{1} << 30) + 1).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("Allocate of 1073741825 bytes: cuMemAlloc: CUDA_ERROR_OUT_OF"));
  Buffer(16);
}

TEST_F(CudaDeviceTest, AStickyErrorPoisonsTheDevice) {
  DevicePtr buffer = Buffer(4);
  ASSERT_TRUE(Launch("wild", {}).ok());
  absl::Status status = device_->Synchronize(0);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS 700"));

  FakeFunction<void (*)()>("FakeCudaReset")();  // The device remembers by itself.
  buffers_.clear();
  status = device_->Fill32(buffer, 0, 1);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(std::string(status.message()),
              AllOf(StartsWith("Fill32: an earlier operation failed"), HasSubstr("700")));
}

TEST_F(CudaDeviceTest, ALostContextIsToldOnce) {
  auto others = device_->LoadModule(ImageFormat::kPtx, kPtx).value();
  ASSERT_TRUE(Launch("wild", {}).ok());
  testing::internal::CaptureStderr();
  module_.reset();  // the first to notice
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("cuda_module_not_unloaded"));
  EXPECT_EQ(device_->Synchronize(0).code(), absl::StatusCode::kAborted);
  testing::internal::CaptureStderr();
  others.reset();
  device_.reset();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

struct Fault {
  const char* script;
  absl::StatusCode code;
};
class CudaFaultTest : public CudaDeviceTest, public testing::WithParamInterface<Fault> {};

TEST_P(CudaFaultTest, HasTheCodeOfTheContract) {
  setenv("FAKE_CUDA_FAULT", GetParam().script, 1);
  EXPECT_EQ(device_->CreateEvent().status().code(), GetParam().code);
  unsetenv("FAKE_CUDA_FAULT");
  const bool sticky =
      GetParam().code == absl::StatusCode::kAborted || GetParam().code == absl::StatusCode::kUnavailable;
  EXPECT_EQ(device_->Synchronize(0).ok(), !sticky);
}

INSTANTIATE_TEST_SUITE_P(Codes, CudaFaultTest,
                         testing::Values(Fault{"cuEventCreate=1", absl::StatusCode::kInvalidArgument},
                                         Fault{"cuEventCreate=2", absl::StatusCode::kResourceExhausted},
                                         Fault{"cuEventCreate=701", absl::StatusCode::kInvalidArgument},
                                         Fault{"cuEventCreate=998", absl::StatusCode::kInternal},
                                         Fault{"cuEventCreate=999", absl::StatusCode::kUnavailable},
                                         Fault{"cuEventCreate=46", absl::StatusCode::kUnavailable},
                                         Fault{"cuEventCreate=222", absl::StatusCode::kUnimplemented},
                                         Fault{"cuEventCreate=719", absl::StatusCode::kAborted},
                                         Fault{"cuCtxSetCurrent=709", absl::StatusCode::kAborted},
                                         Fault{"cuEventCreate=214", absl::StatusCode::kUnavailable}));

}  // namespace
}  // namespace mmtune::cuda
