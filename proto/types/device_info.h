// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device that a schedule runs on: its attributes, its architecture, and its peak performance.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/data_type.h"
#include "proto/types/fields.h"

namespace mmtune {

enum class DeviceKind { kCuda, kSimt };

/// Converts to and from "cuda", "simt".
std::string_view DeviceKindName(DeviceKind kind);
absl::StatusOr<DeviceKind> ParseDeviceKind(std::string_view name);
MMTUNE_TEXT_FORM(DeviceKind, DeviceKindName, ParseDeviceKind);

/// Attributes of one device. The SIMT device reports the limits of the `arch` it stands in for.
struct DeviceInfo {
  DeviceKind kind = DeviceKind::kSimt;
  std::string name;  ///< "NVIDIA H200"; "simt-cpu (AMD EPYC …, 2 threads)".
  std::string uuid;  ///< Unique per physical device or MIG instance; "simt-<host>" for the SIMT device.
  std::string arch;  ///< "sm_90": what kernels are generated for.
  int64_t multiprocessors = 0;
  int64_t memory_bytes = 0;
  int64_t max_threads_per_block = 1024;
  int64_t max_threads_per_multiprocessor = 2048;
  int64_t registers_per_multiprocessor = 65536;
  int64_t shared_bytes_per_block = 49152;  ///< Opt-in maximum of dynamic shared memory.
  int64_t shared_bytes_per_multiprocessor = 0;
  int64_t l2_bytes = 0;
  int64_t clock_khz = 0;  ///< Highest clock of the multiprocessors; 0: unknown.
  std::string driver;     ///< "13.0"; empty for the SIMT device.

  /// Returns 90 for "sm_90" or "sm_90a"; 0 when `arch` is something else.
  int ComputeCapability() const;
  /// Returns the key of the device's class. Devices of one class share measurements: same kind, name, arch,
  /// multiprocessors, threads, registers and shared memory. Memory size, L2, clock, uuid and driver may differ.
  std::string ClassKey() const;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    MMTUNE_VISIT_ALL(kind, name, uuid, arch, multiprocessors, memory_bytes, max_threads_per_block,
                     max_threads_per_multiprocessor, registers_per_multiprocessor, shared_bytes_per_block,
                     shared_bytes_per_multiprocessor, l2_bytes, driver)
    visit("clock_khz", self.clock_khz, Unless{int64_t{0}});
  }
  bool operator==(const DeviceInfo&) const = default;
};

/// Returns the limits of an architecture (threads, registers, shared memory), with kind, name and uuid left empty.
/// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
/// InvalidArgument names the architectures known.
absl::StatusOr<DeviceInfo> ArchitectureLimits(std::string_view arch);

/// Lists the architectures that code is generated for, oldest first: "sm_75, sm_80, ..., sm_120".
std::string KnownArchitectures();

/// Returns `device` as the target of a kernel generated for `arch` (empty: the device's own). The SIMT device takes
/// over the limits of the architecture; a CUDA device keeps its own limits, and runs code of an older architecture.
/// InvalidArgument: an unknown architecture, or one newer than the CUDA device's.
absl::StatusOr<DeviceInfo> TargetFor(const DeviceInfo& device, std::string_view arch);

/// The device that a job asks for. `kAuto` takes CUDA devices and falls back to the SIMT device.
struct DeviceSelector {
  enum class Kind { kAuto, kCuda, kSimt };
  Kind kind = Kind::kAuto;
  int index = -1;    ///< cuda:i; -1 is any.
  std::string arch;  ///< Generate for this architecture; empty is the device's own.

  bool operator==(const DeviceSelector&) const = default;
};

/// Converts from and to "auto", "cuda", "cuda:1", "simt".
absl::StatusOr<DeviceSelector> ParseDeviceSelector(std::string_view text);
std::string DeviceSelectorText(const DeviceSelector& selector);

/// True if code for an architecture runs on no newer device ("sm_90a"). Source: CUDA C++ Programming Guide,
/// "Architecture-Specific Features".
inline bool IsArchitectureSpecific(std::string_view arch) { return arch.ends_with('a'); }

/// Returns the portable architecture, "sm_90" for "sm_90a". Code for it runs on both, and a schedule that is valid for
/// one is valid for the other.
inline std::string PortableArchitecture(std::string_view arch) {
  return std::string(arch.substr(0, arch.size() - (IsArchitectureSpecific(arch) ? 1 : 0)));
}

/// Floats that one `red.global.add.v4.f32` adds to global memory, each atomically (PTX ISA 8.1, "red").
inline constexpr int64_t kMostFloatsOfAtomic = 4;

/// True if the GPU has this instruction; the argument is 90 for sm_90 (DeviceInfo::ComputeCapability).
constexpr bool HasVectorAtomics(int computeCapability) { return computeCapability >= 90; }

/// Returns the peak for elements of `type`, in GFLOPS: 2 * multiply-adds per cycle and multiprocessor * multiprocessors
/// * the highest clock. 0 where it is unknown: for the SIMT device, for other architectures than those below, and where
/// `info.arch` is not the device's own. Multiply-adds per cycle:
///
///                          f32   f16, bf16   tf32   s8     f64
///   sm_75 (T4)             64    512         -      1024   2
///   sm_80 (A100)           64    1024        512    2048   64
///   sm_86, sm_89, sm_120   128   512         256    1024   2     (A40, L40S, RTX PRO 6000; GeForce does half)
///   sm_90 (H100)           128   2048        1024   4096   128
///   sm_100 (B200)          128   4096        2048   8192   64
///
/// f32 is from the CUDA C++ Programming Guide, the rest from data sheets: dense tensor core throughput with
/// accumulators of f32 (s8: of s32); f64 on the faster of CUDA and tensor cores. tf32x3 has a third of tf32's rate, and
/// bf16x6 a sixth of bf16's: on sm_86, sm_89 and sm_120 less than f32 itself. s32 has 64, on CUDA cores.
double PeakGflops(const DeviceInfo& info, DataType type, MathMode math = MathMode::kIeee);

/// Returns the multiply-adds per cycle of the newest architecture above that is not newer than `compute_capability`, or
/// of the oldest one; 0 where it has no such instruction.
int64_t MultiplyAddsPerCycle(int compute_capability, DataType type, MathMode math = MathMode::kIeee);

/// Boards clock above the rate that they report; this factor is assumed as the limit, because data sheets give none.
inline constexpr double kMaxBoost = 1.25;

/// Returns the GFLOPS above which a measured time is wrong. For a CUDA device, kMaxBoost times the peak (where that is
/// unknown, the highest above, and for tensor cores twice that). For the SIMT device, 512 for each of its threads: two
/// units of 16 lanes at 8 GHz. At most kMaxPlausibleGflops, also where the device reports nothing.
double PlausibleGflopsLimit(const DeviceInfo& info, DataType type, MathMode math = MathMode::kIeee);
inline constexpr double kMaxPlausibleGflops = 1e7;

}  // namespace mmtune
