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
