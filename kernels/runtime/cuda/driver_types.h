// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the CUDA driver API that is used here, declared by us: its binary interface is stable, so no toolkit is
// needed to build. driver_types_check.cc compares these declarations with cuda.h where the toolkit is present.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mmtune::cuda {

using DeviceId = int;
using DevicePointer = unsigned long long;
struct ContextObject;
struct ModuleObject;
struct FunctionObject;
struct StreamObject;
struct EventObject;
using Context = ContextObject*;
using Module = ModuleObject*;
using Function = FunctionObject*;
using Stream = StreamObject*;
using Event = EventObject*;

struct Uuid {
  unsigned char bytes[16];
};

enum Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kDeinitialized = 4,
  kDeviceUnavailable = 46,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kNoBinaryForGpu = 209,
  kEccUncorrectable = 214,
  kInvalidPtx = 218,
  kUnsupportedPtxVersion = 222,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kContextIsDestroyed = 709,
  kAssert = 710,
  kHostMemoryAlreadyRegistered = 712,
  kHostMemoryNotRegistered = 713,
  kHardwareStackError = 714,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kInvalidAddressSpace = 717,
  kInvalidPc = 718,
  kLaunchFailed = 719,
  kSystemNotReady = 802,
  kUnknown = 999,
};

enum DeviceAttribute : int {
  kMaxThreadsPerBlock = 1,
  kClockRate = 13,
  kMultiprocessorCount = 16,
  kL2CacheSize = 38,
  kMaxThreadsPerMultiprocessor = 39,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kMaxSharedMemoryPerMultiprocessor = 81,
  kMaxRegistersPerMultiprocessor = 82,
  kMaxSharedMemoryPerBlockOptin = 97,
};

enum FunctionAttribute : int {
  kSharedSizeBytes = 1,
  kMaxDynamicSharedSizeBytes = 8,
};

enum JitOption : int {
  kJitErrorLogBuffer = 5,
  kJitErrorLogBufferSizeBytes = 6,
};

inline constexpr int kLaunchAttributeClusterDimension = 4;

struct LaunchAttribute {
  int id = 0;
  int padding = 0;
  uint32_t cluster[3] = {1, 1, 1};
  uint32_t rest_of_value[13] = {};  ///< A value has 64 bytes.
};

struct LaunchConfig {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t shared_bytes;
  Stream stream;
  LaunchAttribute* attributes;
  uint32_t attribute_count;
};

struct alignas(128) TensorMap {
  char bytes[128];
};

inline constexpr unsigned kAttachGlobal = 1;
inline constexpr unsigned kHostRegisterPortable = 1;
inline constexpr unsigned kHostRegisterDeviceMap = 2;
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDefault = 0;

}  // namespace mmtune::cuda

/// The one table of the driver's entry points: X(member, exported symbol, parameters). Every function returns a Result.
/// The optional ones are missing in drivers older than sm_90 and then null.
// clang-format off
#define MMTUNE_CUDA_ENTRY_POINTS(X)                                                                       \
  X(Init, cuInit, (unsigned flags))                                                                       \
  X(DriverGetVersion, cuDriverGetVersion, (int* version))                                                 \
  X(GetErrorName, cuGetErrorName, (Result error, const char** text))                                      \
  X(GetErrorString, cuGetErrorString, (Result error, const char** text))                                  \
  X(DeviceGetCount, cuDeviceGetCount, (int* count))                                                       \
  X(DeviceGet, cuDeviceGet, (DeviceId* device, int ordinal))                                              \
  X(DeviceGetName, cuDeviceGetName, (char* name, int length, DeviceId device))                            \
  X(DeviceGetUuid, cuDeviceGetUuid_v2, (Uuid* uuid, DeviceId device))                                     \
  X(DeviceTotalMem, cuDeviceTotalMem_v2, (size_t* bytes, DeviceId device))                                \
  X(DeviceGetAttribute, cuDeviceGetAttribute, (int* value, DeviceAttribute attribute, DeviceId device))   \
  X(DevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (Context* context, DeviceId device))                \
  X(DevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (DeviceId device))                             \
  X(CtxSetCurrent, cuCtxSetCurrent, (Context context))                                                    \
  X(MemAlloc, cuMemAlloc_v2, (DevicePointer* pointer, size_t bytes))                                      \
  X(MemAllocManaged, cuMemAllocManaged, (DevicePointer* pointer, size_t bytes, unsigned flags))           \
  X(MemFree, cuMemFree_v2, (DevicePointer pointer))                                                       \
  X(MemHostRegister, cuMemHostRegister_v2, (void* memory, size_t bytes, unsigned flags))                  \
  X(MemHostUnregister, cuMemHostUnregister, (void* memory))                                               \
  X(MemHostGetDevicePointer, cuMemHostGetDevicePointer_v2,                                                \
    (DevicePointer* pointer, void* memory, unsigned flags))                                               \
  X(MemcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                                                \
    (DevicePointer destination, const void* source, size_t bytes, Stream stream))                         \
  X(MemcpyDtoHAsync, cuMemcpyDtoHAsync_v2,                                                                \
    (void* destination, DevicePointer source, size_t bytes, Stream stream))                               \
  X(MemcpyDtoDAsync, cuMemcpyDtoDAsync_v2,                                                                \
    (DevicePointer destination, DevicePointer source, size_t bytes, Stream stream))                       \
  X(MemsetD32Async, cuMemsetD32Async,                                                                     \
    (DevicePointer destination, unsigned value, size_t count, Stream stream))                             \
  X(ModuleLoadDataEx, cuModuleLoadDataEx,                                                                 \
    (Module* module, const void* image, unsigned options, JitOption* names, void** values))               \
  X(ModuleUnload, cuModuleUnload, (Module module))                                                        \
  X(ModuleGetFunction, cuModuleGetFunction, (Function* function, Module module, const char* name))        \
  X(FuncGetAttribute, cuFuncGetAttribute, (int* value, FunctionAttribute attribute, Function function))   \
  X(FuncSetAttribute, cuFuncSetAttribute, (Function function, FunctionAttribute attribute, int value))    \
  X(LaunchKernel, cuLaunchKernel,                                                                         \
    (Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,                                \
     unsigned block_x, unsigned block_y, unsigned block_z,                                                \
     unsigned shared_bytes, Stream stream, void** parameters, void** extra))                              \
  X(StreamCreate, cuStreamCreate, (Stream* stream, unsigned flags))                                       \
  X(StreamDestroy, cuStreamDestroy_v2, (Stream stream))                                                   \
  X(StreamSynchronize, cuStreamSynchronize, (Stream stream))                                              \
  X(StreamWaitEvent, cuStreamWaitEvent, (Stream stream, Event event, unsigned flags))                     \
  X(EventCreate, cuEventCreate, (Event* event, unsigned flags))                                           \
  X(EventDestroy, cuEventDestroy_v2, (Event event))                                                       \
  X(EventRecord, cuEventRecord, (Event event, Stream stream))                                             \
  X(EventQuery, cuEventQuery, (Event event))                                                              \
  X(EventSynchronize, cuEventSynchronize, (Event event))                                                  \
  X(EventElapsedTime, cuEventElapsedTime, (float* milliseconds, Event start, Event end))

#define MMTUNE_CUDA_OPTIONAL_ENTRY_POINTS(X)                                                              \
  X(LaunchKernelEx, cuLaunchKernelEx,                                                                     \
    (const LaunchConfig* config, Function function, void** parameters, void** extra))                     \
  X(TensorMapEncodeTiled, cuTensorMapEncodeTiled,                                                         \
    (TensorMap* map, int data_type, uint32_t rank, void* address, const uint64_t* extents,                \
     const uint64_t* strides, const uint32_t* box, const uint32_t* element_strides,                       \
     int interleave, int swizzle, int l2_promotion, int out_of_bounds_fill))
// clang-format on
