// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our own declarations of the part of the CUDA driver API that we use, and the class Driver, which opens the driver
// library at run time. So building needs no CUDA toolkit. This is possible because the driver's binary interface is
// stable. Where the toolkit is installed, driver_types_check.cc compares these declarations with cuda.h.
//
//   const Driver* driver = *Driver::System();
//   absl::Status status = MMTUNE_CUDA_CALL(driver, StreamSynchronize, stream);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

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

// The table of result codes: X(name, name in cuda.h, value, absl::StatusCode that Driver::Check() returns).
#define MMTUNE_CUDA_RESULTS(X)                                                                      \
  X(kSuccess, CUDA_SUCCESS, 0, kOk)                                                                 \
  X(kInvalidValue, CUDA_ERROR_INVALID_VALUE, 1, kInvalidArgument)                                   \
  X(kOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY, 2, kResourceExhausted)                                  \
  X(kNotInitialized, CUDA_ERROR_NOT_INITIALIZED, 3, kUnavailable)                                   \
  X(kDeinitialized, CUDA_ERROR_DEINITIALIZED, 4, kUnavailable)                                      \
  X(kDeviceUnavailable, CUDA_ERROR_DEVICE_UNAVAILABLE, 46, kUnavailable)                            \
  X(kNoDevice, CUDA_ERROR_NO_DEVICE, 100, kUnavailable)                                             \
  X(kInvalidDevice, CUDA_ERROR_INVALID_DEVICE, 101, kUnavailable)                                   \
  X(kInvalidImage, CUDA_ERROR_INVALID_IMAGE, 200, kInvalidArgument)                                 \
  X(kNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU, 209, kInvalidArgument)                           \
  X(kEccUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE, 214, kUnavailable)                             \
  X(kInvalidPtx, CUDA_ERROR_INVALID_PTX, 218, kInvalidArgument)                                     \
  X(kUnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222, kUnimplemented)                \
  X(kInvalidHandle, CUDA_ERROR_INVALID_HANDLE, 400, kInvalidArgument)                               \
  X(kNotFound, CUDA_ERROR_NOT_FOUND, 500, kNotFound)                                                \
  X(kNotReady, CUDA_ERROR_NOT_READY, 600, kInvalidArgument)                                         \
  X(kIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS, 700, kAborted)                                     \
  X(kLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701, kInvalidArgument)               \
  X(kLaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT, 702, kAborted)                                       \
  X(kContextIsDestroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, kAborted)                            \
  X(kAssert, CUDA_ERROR_ASSERT, 710, kAborted)                                                      \
  X(kHostMemoryAlreadyRegistered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712, kInvalidArgument) \
  X(kHostMemoryNotRegistered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713, kInvalidArgument)         \
  X(kHardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR, 714, kAborted)                            \
  X(kIllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION, 715, kAborted)                             \
  X(kMisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS, 716, kAborted)                               \
  X(kInvalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE, 717, kAborted)                          \
  X(kInvalidPc, CUDA_ERROR_INVALID_PC, 718, kAborted)                                               \
  X(kLaunchFailed, CUDA_ERROR_LAUNCH_FAILED, 719, kAborted)                                         \
  X(kSystemNotReady, CUDA_ERROR_SYSTEM_NOT_READY, 802, kUnavailable)                                \
  X(kInvalidClusterSize, CUDA_ERROR_INVALID_CLUSTER_SIZE, 912, kInvalidArgument)                    \
  X(kUnknown, CUDA_ERROR_UNKNOWN, 999, kUnavailable)
enum Result : int {
#define MMTUNE_DECLARE(name, vendor, value, code) name = value,
  MMTUNE_CUDA_RESULTS(MMTUNE_DECLARE)
#undef MMTUNE_DECLARE
};

// The table of device attributes: X(name, name in cuda.h, value).
#define MMTUNE_CUDA_ATTRIBUTES(X)                                                                    \
  X(kMaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1)                               \
  X(kClockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 13)                                                  \
  X(kMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)                              \
  X(kL2CacheSize, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 38)                                             \
  X(kMaxThreadsPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 39)            \
  X(kComputeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                       \
  X(kComputeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)                       \
  X(kMaxSharedMemoryPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81) \
  X(kMaxRegistersPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 82)        \
  X(kMaxSharedMemoryPerBlockOptin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)
enum DeviceAttribute : int {
#define MMTUNE_DECLARE(name, vendor, value) name = value,
  MMTUNE_CUDA_ATTRIBUTES(MMTUNE_DECLARE)
#undef MMTUNE_DECLARE
};

/// Attributes of a kernel, as in cuda.h.
enum FunctionAttribute : int {
  kSharedSizeBytes = 1,
  kMaxDynamicSharedSizeBytes = 8,
};

/// Options of cuModuleLoadDataEx, as in cuda.h.
enum JitOption : int {
  kJitErrorLogBuffer = 5,
  kJitErrorLogBufferSizeBytes = 6,
};

inline constexpr int kLaunchAttributeClusterDimension = 4;

/// A struct with the layout of CUlaunchAttribute. Its value, a cluster size here, has 64 bytes.
struct LaunchAttribute {
  int id = 0;
  int padding = 0;
  uint32_t cluster[3] = {1, 1, 1};
  uint32_t rest_of_value[13] = {};
};

/// A struct with the layout of CUlaunchConfig.
struct LaunchConfig {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t shared_bytes;
  Stream stream;
  LaunchAttribute* attributes;
  uint32_t attribute_count;
};

/// A struct with the layout of CUtensorMap.
struct alignas(128) TensorMap {
  char bytes[128];
};

inline constexpr unsigned kAttachGlobal = 1;
inline constexpr unsigned kHostRegisterPortable = 1;
inline constexpr unsigned kHostRegisterDeviceMap = 2;
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDefault = 0;

}  // namespace mmtune::cuda

/// The table of the driver's entry points: X(member of Driver, exported symbol, parameters). Every function returns a
/// Result. Drivers from before sm_90 lack the optional entry points; the members are null then.
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
  X(OccupancyMaxActiveClusters, cuOccupancyMaxActiveClusters,                                             \
    (int* clusters, Function function, const LaunchConfig* config))                                       \
  X(TensorMapEncodeTiled, cuTensorMapEncodeTiled,                                                         \
    (TensorMap* map, int data_type, uint32_t rank, void* address, const uint64_t* extents,                \
     const uint64_t* strides, const uint32_t* box, const uint32_t* element_strides,                       \
     int interleave, int swizzle, int l2_promotion, int out_of_bounds_fill))
// clang-format on

namespace mmtune::cuda {

/// The functions of the driver, one member per entry point. Immutable, so thread-safe. The driver library stays open
/// until the process ends.
class Driver {
 public:
  /// Opens a driver library and initialises it. Returns NotFound, with the reason, if it is missing, too old, or finds
  /// no device.
  static absl::StatusOr<std::unique_ptr<const Driver>> Open(const std::string& library);

  /// Returns this machine's driver, or the error of Open(). The first call opens it; later calls return the same
  /// result.
  static absl::StatusOr<const Driver*> System();

#define MMTUNE_DECLARE(member, symbol, parameters) Result(*member) parameters = nullptr;
  // NOLINTBEGIN(readability-identifier-naming): they are functions
  MMTUNE_CUDA_ENTRY_POINTS(MMTUNE_DECLARE)
  MMTUNE_CUDA_OPTIONAL_ENTRY_POINTS(MMTUNE_DECLARE)
  // NOLINTEND(readability-identifier-naming)
#undef MMTUNE_DECLARE

  /// Converts `result` to a status: OK, or an error such as "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY 2 (out of memory)".
  /// `call` is the function's name. The codes are those that Device promises:
  /// - Aborted after a sticky error, which loses the context.
  /// - Unavailable if the device or driver is lost or used by others.
  /// - Unimplemented if the driver is too old for the code.
  /// - The code in MMTUNE_CUDA_RESULTS otherwise.
  absl::Status Check(Result result, std::string_view call) const;

  /// Returns the newest version of CUDA that the driver supports, such as "12.4", or the error of Check().
  absl::StatusOr<std::string> CudaVersion() const;

 private:
  Driver() = default;
};

}  // namespace mmtune::cuda

/// Calls the entry point `member` of `driver`, a pointer, and returns its result as a Status that names the function.
#define MMTUNE_CUDA_CALL(driver, member, ...) (driver)->Check((driver)->member(__VA_ARGS__), "cu" #member)
