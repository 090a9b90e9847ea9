// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that code compiled by MLIR 22 calls at run time, in one list: MMTUNE_RUNTIME_FUNCTION(name) for each.
// They have C linkage; their signatures stand in mgpu.cc and memref_copy.h.
#ifndef MMTUNE_RUNTIME_FUNCTION
#error "define MMTUNE_RUNTIME_FUNCTION before including this list"
#endif

MMTUNE_RUNTIME_FUNCTION(memrefCopy)
MMTUNE_RUNTIME_FUNCTION(mgpuEventCreate)
MMTUNE_RUNTIME_FUNCTION(mgpuEventDestroy)
MMTUNE_RUNTIME_FUNCTION(mgpuEventRecord)
MMTUNE_RUNTIME_FUNCTION(mgpuEventSynchronize)
MMTUNE_RUNTIME_FUNCTION(mgpuLaunchClusterKernel)
MMTUNE_RUNTIME_FUNCTION(mgpuLaunchKernel)
MMTUNE_RUNTIME_FUNCTION(mgpuMemAlloc)
MMTUNE_RUNTIME_FUNCTION(mgpuMemFree)
MMTUNE_RUNTIME_FUNCTION(mgpuMemHostRegister)
MMTUNE_RUNTIME_FUNCTION(mgpuMemHostRegisterMemRef)
MMTUNE_RUNTIME_FUNCTION(mgpuMemHostUnregister)
MMTUNE_RUNTIME_FUNCTION(mgpuMemHostUnregisterMemRef)
MMTUNE_RUNTIME_FUNCTION(mgpuMemcpy)
MMTUNE_RUNTIME_FUNCTION(mgpuMemset16)
MMTUNE_RUNTIME_FUNCTION(mgpuMemset32)
MMTUNE_RUNTIME_FUNCTION(mgpuModuleGetFunction)
MMTUNE_RUNTIME_FUNCTION(mgpuModuleLoad)
MMTUNE_RUNTIME_FUNCTION(mgpuModuleLoadJIT)
MMTUNE_RUNTIME_FUNCTION(mgpuModuleUnload)
MMTUNE_RUNTIME_FUNCTION(mgpuSetDefaultDevice)
MMTUNE_RUNTIME_FUNCTION(mgpuStreamCreate)
MMTUNE_RUNTIME_FUNCTION(mgpuStreamDestroy)
MMTUNE_RUNTIME_FUNCTION(mgpuStreamSynchronize)
MMTUNE_RUNTIME_FUNCTION(mgpuStreamWaitEvent)
MMTUNE_RUNTIME_FUNCTION(mgpuTensorMapEncodeTiledMemref)

#undef MMTUNE_RUNTIME_FUNCTION
