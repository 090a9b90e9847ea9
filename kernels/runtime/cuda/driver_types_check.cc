// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled where the CUDA toolkit is present: our declarations are those of cuda.h.

#include <cuda.h>

#include <cstddef>

#include "kernels/runtime/cuda/declarations_check.h"
#include "kernels/runtime/cuda/driver.h"

// cuda.h renames functions to their newest version; the old ones stay exported. We use the first of this one.
#undef cuEventElapsedTime
extern "C" CUresult CUDAAPI cuEventElapsedTime(float*, CUevent, CUevent);

namespace mmtune::cuda {
namespace {

#define MMTUNE_CHECK(member, symbol, parameters)                             \
  static_assert(SameSignature<Result parameters, decltype(::symbol)>::value, \
                #symbol " is declared differently in cuda.h");
MMTUNE_CUDA_ENTRY_POINTS(MMTUNE_CHECK)
MMTUNE_CUDA_OPTIONAL_ENTRY_POINTS(MMTUNE_CHECK)
#undef MMTUNE_CHECK

#define MMTUNE_CHECK(name, vendor, ...) MMTUNE_SAME(name, vendor);
MMTUNE_CUDA_RESULTS(MMTUNE_CHECK)
MMTUNE_CUDA_ATTRIBUTES(MMTUNE_CHECK)
#undef MMTUNE_CHECK

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
