// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stand-in for the driver (driver.cc): memory of the device and of the host, and copies.
#include <cstdlib>
#include <cstring>

#include "tests/gpu/fake_cuda/fake_cuda.h"

using namespace mmtune::cuda;
using namespace fake_cuda;

namespace {

bool IsIn(const std::map<DevicePointer, size_t>& ranges, DevicePointer pointer, size_t bytes) {
  auto next = ranges.upper_bound(pointer);
  if (next == ranges.begin()) return false;
  --next;
  return pointer - next->first + bytes <= next->second;
}

bool Known(DevicePointer pointer, size_t bytes) {
  return IsIn(FakeDriver().allocations, pointer, bytes) || IsIn(FakeDriver().registered, pointer, bytes);
}

void* HostAddress(DevicePointer pointer) { return reinterpret_cast<void*>(pointer); }

/// Copies when the stream comes to it, so that the host's side of a copy must stay valid until the host has waited.
Result EnqueueCopy(Stream stream, void* destination, const void* source, size_t bytes) {
  Enqueue(stream, [=] {
    std::memmove(destination, source, bytes);
    return kSuccess;
  });
  return kSuccess;
}

}  // namespace

extern "C" {

Result cuMemAlloc_v2(DevicePointer* pointer, size_t bytes) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(bytes > 0, kInvalidValue);
  REQUIRE(FakeDriver().used_bytes + bytes <= kMemoryBytes, kOutOfMemory);
  const auto allocated = Current()->simulator->Allocate(bytes);
  REQUIRE(allocated.ok(), ResultOf(allocated.status()));
  *pointer = *allocated;
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
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(memory != nullptr && bytes > 0 && flags < 16, kInvalidValue);
  const auto pointer = reinterpret_cast<DevicePointer>(memory);
  REQUIRE(!Known(pointer, 1) && !Known(pointer + bytes - 1, 1), kHostMemoryAlreadyRegistered);
  REQUIRE(Current()->simulator->RegisterHost(memory, bytes).ok(), kHostMemoryAlreadyRegistered);
  FakeDriver().registered[pointer] = bytes;
  return kSuccess;
}

Result cuMemHostUnregister(void* memory) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  RunAll();
  REQUIRE(FakeDriver().registered.erase(reinterpret_cast<DevicePointer>(memory)) == 1, kHostMemoryNotRegistered);
  return ResultOf(Current()->simulator->UnregisterHost(memory));
}

Result cuMemHostGetDevicePointer_v2(DevicePointer* pointer, void* memory, unsigned) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(FakeDriver().registered.count(reinterpret_cast<DevicePointer>(memory)), kInvalidValue);
  const char* const offset = std::getenv("FAKE_CUDA_HOST_OFFSET");
  *pointer = reinterpret_cast<DevicePointer>(memory) + static_cast<DevicePointer>(offset ? std::atoi(offset) : 0);
  return kSuccess;
}

/// Waits for the device, as the driver does.
Result cuMemFree_v2(DevicePointer pointer) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  RunAll();
  REQUIRE(FakeDriver().sticky == kSuccess, FakeDriver().sticky);
  const auto allocation = FakeDriver().allocations.find(pointer);
  REQUIRE(allocation != FakeDriver().allocations.end(), kInvalidValue);
  FakeDriver().used_bytes -= allocation->second;
  FakeDriver().allocations.erase(allocation);
  return ResultOf(Current()->simulator->Free(pointer));
}

Result cuMemcpyHtoDAsync_v2(DevicePointer destination, const void* source, size_t bytes, Stream stream) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(IsStream(stream), kInvalidHandle);
  REQUIRE(Known(destination, bytes), kInvalidValue);
  return EnqueueCopy(stream, HostAddress(destination), source, bytes);
}

Result cuMemcpyDtoHAsync_v2(void* destination, DevicePointer source, size_t bytes, Stream stream) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(IsStream(stream), kInvalidHandle);
  REQUIRE(Known(source, bytes), kInvalidValue);
  return EnqueueCopy(stream, destination, HostAddress(source), bytes);
}

Result cuMemcpyDtoDAsync_v2(DevicePointer destination, DevicePointer source, size_t bytes, Stream stream) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(IsStream(stream), kInvalidHandle);
  REQUIRE(Known(source, bytes) && Known(destination, bytes), kInvalidValue);
  return EnqueueCopy(stream, HostAddress(destination), HostAddress(source), bytes);
}

Result cuMemsetD32Async(DevicePointer destination, unsigned value, size_t count, Stream stream) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(IsStream(stream), kInvalidHandle);
  REQUIRE(destination % sizeof(value) == 0 && Known(destination, count * sizeof(value)), kInvalidValue);
  Enqueue(stream, [=] {
    auto* const words = static_cast<unsigned*>(HostAddress(destination));
    std::fill(words, words + count, value);
    return kSuccess;
  });
  return kSuccess;
}

}  // extern "C"
