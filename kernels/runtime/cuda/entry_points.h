// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one table of the driver's entry points: X(member, exported symbol, parameters). Every function returns a Result.
// Those of the second part are missing in drivers older than sm_90 and then null.
#pragma once

#include "kernels/runtime/cuda/driver_types.h"

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
