// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled where the CUDA toolkit is present: our declarations are those of cuda.h.

#include <cuda.h>

#include <cstddef>

#include "kernels/runtime/cuda/declarations_check.h"
#include "kernels/runtime/cuda/driver_types.h"

// cuda.h renames functions to their newest version; the old ones stay exported. We use the first of this one.
#undef cuEventElapsedTime
extern "C" CUresult CUDAAPI cuEventElapsedTime(float*, CUevent, CUevent);

namespace mmtune::cuda {
namespace {

#define MMTUNE_CHECK(member, symbol, parameters) \
  static_assert(SameCall<Result parameters, decltype(::symbol)>::value, #symbol " is declared differently in cuda.h");
MMTUNE_CUDA_ENTRY_POINTS(MMTUNE_CHECK)
MMTUNE_CUDA_OPTIONAL_ENTRY_POINTS(MMTUNE_CHECK)
#undef MMTUNE_CHECK

MMTUNE_SAME(kSuccess, CUDA_SUCCESS);
MMTUNE_SAME(kInvalidValue, CUDA_ERROR_INVALID_VALUE);
MMTUNE_SAME(kOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
MMTUNE_SAME(kNotInitialized, CUDA_ERROR_NOT_INITIALIZED);
MMTUNE_SAME(kDeinitialized, CUDA_ERROR_DEINITIALIZED);
MMTUNE_SAME(kDeviceUnavailable, CUDA_ERROR_DEVICE_UNAVAILABLE);
MMTUNE_SAME(kNoDevice, CUDA_ERROR_NO_DEVICE);
MMTUNE_SAME(kInvalidDevice, CUDA_ERROR_INVALID_DEVICE);
MMTUNE_SAME(kInvalidImage, CUDA_ERROR_INVALID_IMAGE);
MMTUNE_SAME(kNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
MMTUNE_SAME(kEccUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
MMTUNE_SAME(kInvalidPtx, CUDA_ERROR_INVALID_PTX);
MMTUNE_SAME(kUnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
MMTUNE_SAME(kInvalidHandle, CUDA_ERROR_INVALID_HANDLE);
MMTUNE_SAME(kNotFound, CUDA_ERROR_NOT_FOUND);
MMTUNE_SAME(kIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
MMTUNE_SAME(kLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
MMTUNE_SAME(kLaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT);
MMTUNE_SAME(kContextIsDestroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
MMTUNE_SAME(kAssert, CUDA_ERROR_ASSERT);
MMTUNE_SAME(kHostMemoryAlreadyRegistered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
MMTUNE_SAME(kHostMemoryNotRegistered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
MMTUNE_SAME(kHardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR);
MMTUNE_SAME(kIllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
MMTUNE_SAME(kMisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS);
MMTUNE_SAME(kInvalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE);
MMTUNE_SAME(kInvalidPc, CUDA_ERROR_INVALID_PC);
MMTUNE_SAME(kLaunchFailed, CUDA_ERROR_LAUNCH_FAILED);
MMTUNE_SAME(kSystemNotReady, CUDA_ERROR_SYSTEM_NOT_READY);
MMTUNE_SAME(kUnknown, CUDA_ERROR_UNKNOWN);

MMTUNE_SAME(kMaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
MMTUNE_SAME(kMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
MMTUNE_SAME(kL2CacheSize, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
MMTUNE_SAME(kMaxThreadsPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
MMTUNE_SAME(kComputeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
MMTUNE_SAME(kComputeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
MMTUNE_SAME(kMaxSharedMemoryPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
MMTUNE_SAME(kMaxRegistersPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
MMTUNE_SAME(kMaxSharedMemoryPerBlockOptin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);

MMTUNE_SAME(kSharedSizeBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
MMTUNE_SAME(kMaxDynamicSharedSizeBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
MMTUNE_SAME(kJitErrorLogBuffer, CU_JIT_ERROR_LOG_BUFFER);
MMTUNE_SAME(kJitErrorLogBufferSizeBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
MMTUNE_SAME(kLaunchAttributeClusterDimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
MMTUNE_SAME(kAttachGlobal, CU_MEM_ATTACH_GLOBAL);
MMTUNE_SAME(kHostRegisterPortable, CU_MEMHOSTREGISTER_PORTABLE);
MMTUNE_SAME(kHostRegisterDeviceMap, CU_MEMHOSTREGISTER_DEVICEMAP);
MMTUNE_SAME(kStreamNonBlocking, CU_STREAM_NON_BLOCKING);
MMTUNE_SAME(kEventDefault, CU_EVENT_DEFAULT);

static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(LaunchAttribute, cluster) == offsetof(CUlaunchAttribute, value));
static_assert(sizeof(LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(LaunchConfig, block) == offsetof(CUlaunchConfig, blockDimX));
static_assert(offsetof(LaunchConfig, shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(LaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(LaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(TensorMap) == sizeof(CUtensorMap) && alignof(TensorMap) >= alignof(CUtensorMap));
static_assert(sizeof(Uuid) == sizeof(CUuuid));
static_assert(sizeof(DevicePointer) == sizeof(CUdeviceptr));

}  // namespace
}  // namespace mmtune::cuda
