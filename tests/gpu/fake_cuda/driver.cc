// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stand-in for libcuda.so.1: the driver functions that we use, over host memory. It knows no GPU code: an image is
// text, and `.entry NAME` in it makes a kernel that does what fake_cuda_kernels.cc knows of that name. Linked to as
// libcuda.so.1 in LD_LIBRARY_PATH, it serves a whole worker (with MMTUNE_PTXAS=none, as it reads no cubins but those of
// a stand-in, an ELF header and PTX).
//
// FAKE_CUDA_FAULT, FAKE_CUDA_FAULT_FILE: fake_cuda_faults.cc. FAKE_CUDA_MATMUL: fake_cuda_kernels.cc.
// FAKE_CUDA_HOST_OFFSET: how far from its own address the device has registered host memory (0).
// FAKE_CUDA_DEVICES: how many there are (2). FAKE_CUDA_LOST="0": the attributes of that device cannot be read.
// FAKE_CUDA_LOAD_MS: how long it takes to load an image with other kernels than the delay and the canary (0).
// FAKE_CUDA_VERSION: the driver's (13000). FAKE_CUDA_MIG: the devices are MIG instances of the first one.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "tests/kernels/runtime/fake_cuda.h"

using namespace mmtune::cuda;
using namespace fake_cuda;

namespace fake_cuda {

State& FakeDriver() {
  static State* state = new State;
  return *state;
}

}  // namespace fake_cuda

namespace {

int Number(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

bool IsIn(const std::map<DevicePointer, size_t>& ranges, DevicePointer pointer, size_t bytes) {
  auto next = ranges.upper_bound(pointer);
  if (next == ranges.begin()) return false;
  --next;
  return pointer - next->first + bytes <= next->second;
}

bool Known(DevicePointer pointer, size_t bytes) {
  return IsIn(FakeDriver().allocations, pointer, bytes) || IsIn(FakeDriver().registered, pointer, bytes);
}

}  // namespace

extern "C" {

Result cuInit(unsigned) {
  FAIL_AS_SCRIPTED();
  return kSuccess;
}

Result cuDriverGetVersion(int* version) {
  FAIL_AS_SCRIPTED();
  *version = Number("FAKE_CUDA_VERSION", 13000);
  return kSuccess;
}

Result cuGetErrorName(Result error, const char** text) {
  static const std::map<int, const char*> names = {{1, "CUDA_ERROR_INVALID_VALUE"},
                                                   {2, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                   {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
                                                   {100, "CUDA_ERROR_NO_DEVICE"},
                                                   {101, "CUDA_ERROR_INVALID_DEVICE"},
                                                   {200, "CUDA_ERROR_INVALID_IMAGE"},
                                                   {214, "CUDA_ERROR_ECC_UNCORRECTABLE"},
                                                   {218, "CUDA_ERROR_INVALID_PTX"},
                                                   {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
                                                   {500, "CUDA_ERROR_NOT_FOUND"},
                                                   {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                                   {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
                                                   {709, "CUDA_ERROR_CONTEXT_IS_DESTROYED"},
                                                   {710, "CUDA_ERROR_ASSERT"},
                                                   {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
                                                   {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"},
                                                   {714, "CUDA_ERROR_HARDWARE_STACK_ERROR"},
                                                   {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
                                                   {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
                                                   {717, "CUDA_ERROR_INVALID_ADDRESS_SPACE"},
                                                   {718, "CUDA_ERROR_INVALID_PC"},
                                                   {719, "CUDA_ERROR_LAUNCH_FAILED"},
                                                   {999, "CUDA_ERROR_UNKNOWN"}};
  auto it = names.find(error);
  REQUIRE(it != names.end(), kInvalidValue);
  *text = it->second;
  return kSuccess;
}

Result cuGetErrorString(Result error, const char** text) {
  REQUIRE(cuGetErrorName(error, text) == kSuccess, kInvalidValue);
  *text = "described by the fake";
  return kSuccess;
}

Result cuDeviceGetCount(int* count) {
  FAIL_AS_SCRIPTED();
  *count = Number("FAKE_CUDA_DEVICES", 2);
  return kSuccess;
}

Result cuDeviceGet(DeviceId* device, int ordinal) {
  FAIL_AS_SCRIPTED();
  int count = 0;
  cuDeviceGetCount(&count);
  REQUIRE(ordinal >= 0 && ordinal < count, kInvalidDevice);
  *device = 10 + ordinal;
  return kSuccess;
}

Result cuDeviceGetName(char* name, int length, DeviceId device) {
  FAIL_AS_SCRIPTED();
  const char* whole = device == 10 ? "Fake H100" : "Fake T4";
  std::strncpy(name, std::getenv("FAKE_CUDA_MIG") != nullptr ? "Fake H100 MIG 1g.10gb" : whole, length);
  return kSuccess;
}

Result cuDeviceGetUuid_v2(Uuid* uuid, DeviceId device) {
  FAIL_AS_SCRIPTED();
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<unsigned char>(16 * i + device);
  return kSuccess;
}

Result cuDeviceTotalMem_v2(size_t* bytes, DeviceId) {
  FAIL_AS_SCRIPTED();
  *bytes = kMemoryBytes;
  return kSuccess;
}

Result cuDeviceGetAttribute(int* value, DeviceAttribute attribute, DeviceId device) {
  FAIL_AS_SCRIPTED();
  const char* lost = std::getenv("FAKE_CUDA_LOST");
  REQUIRE(lost == nullptr || device != 10 + std::atoi(lost), kInvalidDevice);
  const bool first = device == 10 || std::getenv("FAKE_CUDA_MIG") != nullptr;
  const std::map<DeviceAttribute, int> values = {
      {kMaxThreadsPerBlock, 1024},
      {kClockRate, 1'980'000},
      {kMultiprocessorCount, first ? 132 : 40},
      {kL2CacheSize, 1 << 20},
      {kMaxThreadsPerMultiprocessor, first ? 2048 : 1024},
      {kComputeCapabilityMajor, first ? 9 : 7},
      {kComputeCapabilityMinor, first ? 0 : 5},
      {kMaxSharedMemoryPerMultiprocessor, (first ? 228 : 64) * 1024},
      {kMaxRegistersPerMultiprocessor, 65536},
      {kMaxSharedMemoryPerBlockOptin, (first ? 227 : 64) * 1024},
  };
  REQUIRE(values.count(attribute), kInvalidValue);
  *value = values.at(attribute);
  return kSuccess;
}

Result cuDevicePrimaryCtxRetain(Context* context, DeviceId device) {
  FAIL_AS_SCRIPTED();
  ++FakeDriver().retained;
  *context = reinterpret_cast<Context>(static_cast<intptr_t>(device));
  return kSuccess;
}

Result cuDevicePrimaryCtxRelease_v2(DeviceId) {
  FAIL_AS_SCRIPTED();
  --FakeDriver().retained;
  return kSuccess;
}

Result cuCtxSetCurrent(Context context) {  // Launches no work, so it does not report what went wrong there.
  const Result fault = Scripted(__func__);
  FakeDriver().current = context;
  return fault == FakeDriver().sticky ? kSuccess : fault;
}

Result cuMemAlloc_v2(DevicePointer* pointer, size_t bytes) {
  FAIL_AS_SCRIPTED();
  REQUIRE(FakeDriver().current != nullptr && bytes > 0, kInvalidValue);
  REQUIRE(FakeDriver().used_bytes + bytes <= kMemoryBytes, kOutOfMemory);
  *pointer = reinterpret_cast<DevicePointer>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  FakeDriver().allocations[*pointer] = bytes;
  FakeDriver().used_bytes += bytes;
  return kSuccess;
}

/// Counted as other memory; the host may use either here.
Result cuMemAllocManaged(DevicePointer* pointer, size_t bytes, unsigned flags) {
  FAIL_AS_SCRIPTED();
  REQUIRE(flags == 1 || flags == 2, kInvalidValue);
  return cuMemAlloc_v2(pointer, bytes);
}

Result cuMemHostRegister_v2(void* memory, size_t bytes, unsigned flags) {
  FAIL_AS_SCRIPTED();
  REQUIRE(FakeDriver().current != nullptr && memory != nullptr && bytes > 0 && flags < 16, kInvalidValue);
  const auto pointer = reinterpret_cast<DevicePointer>(memory);
  REQUIRE(!Known(pointer, 1) && !Known(pointer + bytes - 1, 1), kHostMemoryAlreadyRegistered);
  FakeDriver().registered[pointer] = bytes;
  return kSuccess;
}

Result cuMemHostUnregister(void* memory) {
  FAIL_AS_SCRIPTED();
  REQUIRE(FakeDriver().registered.erase(reinterpret_cast<DevicePointer>(memory)) == 1, kHostMemoryNotRegistered);
  return kSuccess;
}

Result cuMemHostGetDevicePointer_v2(DevicePointer* pointer, void* memory, unsigned) {
  FAIL_AS_SCRIPTED();
  REQUIRE(FakeDriver().registered.count(reinterpret_cast<DevicePointer>(memory)), kInvalidValue);
  *pointer = reinterpret_cast<DevicePointer>(memory) + static_cast<DevicePointer>(Number("FAKE_CUDA_HOST_OFFSET", 0));
  return kSuccess;
}

Result cuMemFree_v2(DevicePointer pointer) {
  FAIL_AS_SCRIPTED();
  REQUIRE(FakeDriver().allocations.count(pointer), kInvalidValue);
  FakeDriver().used_bytes -= FakeDriver().allocations[pointer];
  FakeDriver().allocations.erase(pointer);
  std::free(reinterpret_cast<void*>(pointer));
  return kSuccess;
}

Result cuMemcpyHtoDAsync_v2(DevicePointer destination, const void* source, size_t bytes, Stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(Known(destination, bytes), kInvalidValue);
  std::memcpy(reinterpret_cast<void*>(destination), source, bytes);
  return kSuccess;
}

Result cuMemcpyDtoHAsync_v2(void* destination, DevicePointer source, size_t bytes, Stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(Known(source, bytes), kInvalidValue);
  std::memcpy(destination, reinterpret_cast<const void*>(source), bytes);
  return kSuccess;
}

Result cuMemcpyDtoDAsync_v2(DevicePointer destination, DevicePointer source, size_t bytes, Stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(Known(source, bytes) && Known(destination, bytes), kInvalidValue);
  std::memmove(reinterpret_cast<void*>(destination), reinterpret_cast<const void*>(source), bytes);
  return kSuccess;
}

Result cuMemsetD32Async(DevicePointer destination, unsigned value, size_t count, Stream) {
  FAIL_AS_SCRIPTED();
  REQUIRE(Known(destination, count * sizeof(value)), kInvalidValue);
  for (size_t i = 0; i < count; ++i) reinterpret_cast<unsigned*>(destination)[i] = value;
  return kSuccess;
}

/// Not part of the driver: contexts, memory, registrations and streams still held; and what forgets a sticky error.
int FakeCudaLeaks() {
  return FakeDriver().retained + static_cast<int>(FakeDriver().allocations.size() + FakeDriver().registered.size() +
                                                  FakeDriver().streams.size());
}
void FakeCudaReset() { FakeDriver().sticky = kSuccess; }

}  // extern "C"
