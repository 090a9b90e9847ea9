// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device that a kernel runs on: its limits, its architecture (such as sm_90), and its peak performance.
//
// There are two kinds of devices: CUDA GPUs, and the SIMT device, a simulator that runs the same kernels on the CPU
// (kernels/simulator). The simulator stands in for a GPU architecture: it has the limits of that architecture.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/data_type.h"
#include "proto/types/fields.h"

namespace mmtune {

/// The kind of a device: a GPU, or the CPU simulator.
enum class DeviceKind { kCuda, kSimt };

/// Converts to and from "cuda", "simt".
std::string_view DeviceKindName(DeviceKind kind);
absl::StatusOr<DeviceKind> ParseDeviceKind(std::string_view name);
MMTUNE_TEXT_FORM(DeviceKind, DeviceKindName, ParseDeviceKind);

/// The attributes of one device. Families and search use them to decide which schedules are valid.
struct DeviceInfo {
  DeviceKind kind = DeviceKind::kSimt;
  std::string name;             ///< "NVIDIA H200"; "simt-cpu (AMD EPYC …, 2 threads)".
  std::string uuid;             ///< Unique per physical device or MIG instance; "simt-<host>" for the SIMT device.
  std::string arch;             ///< The architecture that kernels are generated for: "sm_90".
  int64_t multiprocessors = 0;  ///< 0 for unknown.
  int64_t memory_bytes = 0;     ///< The size of the device's memory; 0 for unknown.
  int64_t max_threads_per_block = 1024;
  int64_t max_threads_per_multiprocessor = 2048;
  int64_t registers_per_multiprocessor = 65536;
  /// The most dynamic shared memory that a block can opt in to.
  int64_t shared_bytes_per_block = 49152;
  int64_t shared_bytes_per_multiprocessor = 0;  ///< 0 for unknown.
  int64_t l2_bytes = 0;                         ///< The size of the L2 cache; 0 for unknown.
  int64_t clock_khz = 0;                        ///< The highest clock of the multiprocessors; 0 for unknown.
  /// The number of clusters of 2 and of 4 blocks that run at once if each multiprocessor holds one block; 0 for
  /// unknown. It can be less than multiprocessors / 4, because a cluster runs within one group of multiprocessors
  /// (GPC), and 4 may not divide the size of a group.
  int64_t active_clusters_of_2 = 0, active_clusters_of_4 = 0;
  std::string driver;  ///< The CUDA version of the driver: "13.0"; empty for the SIMT device.

  /// Returns 90 for "sm_90" and "sm_90a", and 0 if `arch` is not of this form.
  int ComputeCapability() const;
  /// Returns the key of the device's class. Devices of one class share measurements: they have the same kind, name,
  /// arch, multiprocessors, threads, registers and shared memory. Memory size, L2, clock, active clusters, uuid and
  /// driver may differ.
  std::string ClassKey() const;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    MMTUNE_VISIT_ALL(kind, name, uuid, arch, multiprocessors, memory_bytes, max_threads_per_block,
                     max_threads_per_multiprocessor, registers_per_multiprocessor, shared_bytes_per_block,
                     shared_bytes_per_multiprocessor, l2_bytes, driver)
    visit("clock_khz", self.clock_khz, OmitIf{int64_t{0}});
    visit("active_clusters_of_2", self.active_clusters_of_2, OmitIf{int64_t{0}});
    visit("active_clusters_of_4", self.active_clusters_of_4, OmitIf{int64_t{0}});
  }
  bool operator==(const DeviceInfo&) const = default;
};

/// Returns the limits of an architecture (threads, registers, shared memory); kind, name and uuid are empty. For an
/// unknown architecture, returns InvalidArgument with a list of the known ones. Source: CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability".
absl::StatusOr<DeviceInfo> ArchitectureLimits(std::string_view arch);

/// Returns the architectures that code is generated for, oldest first: "sm_75, sm_80, ..., sm_120".
std::string KnownArchitectures();

/// Returns the limits for compiling a kernel for `arch` to run on `device`; an empty `arch` is the device's own. The
/// SIMT device takes the limits of `arch`. A CUDA device keeps its own limits, since it also runs code of older
/// architectures. Returns InvalidArgument if `arch` is unknown or newer than the CUDA device.
absl::StatusOr<DeviceInfo> TargetFor(const DeviceInfo& device, std::string_view arch);

/// The device that a user asks for with --device: "cuda:1" is the second GPU. kAuto takes any GPU, or the SIMT device
/// if there is none.
struct DeviceSelector {
  enum class Kind { kAuto, kCuda, kSimt };
  Kind kind = Kind::kAuto;  ///< The kind of device.
  int index = -1;           ///< The number in "cuda:1"; -1 for any.
  std::string arch;         ///< The architecture to generate code for; empty for the device's own.

  bool operator==(const DeviceSelector&) const = default;
};

/// Converts from and to "auto", "cuda", "cuda:1", "simt". Parsing any other text returns InvalidArgument.
absl::StatusOr<DeviceSelector> ParseDeviceSelector(std::string_view text);
std::string DeviceSelectorText(const DeviceSelector& selector);

/// True for an architecture-specific target such as "sm_90a": its code runs on no other architecture. Source: CUDA C++
/// Programming Guide, "Architecture-Specific Features".
inline bool IsArchitectureSpecific(std::string_view arch) { return arch.ends_with('a'); }

/// Returns the architecture without the suffix: "sm_90" for "sm_90a". Code for "sm_90" runs on both, and the same
/// schedules are valid for both.
inline std::string PortableArchitecture(std::string_view arch) {
  return std::string(arch.substr(0, arch.size() - (IsArchitectureSpecific(arch) ? 1 : 0)));
}

/// True if GPUs of this compute capability (90 for sm_90) have clusters of blocks and tensor maps.
constexpr bool HasClusters(int compute_capability) { return compute_capability >= 90; }

/// The number of floats that one vector atomic, `red.global.add.v4.f32`, adds to global memory (PTX ISA 8.1, "red").
inline constexpr int64_t kMostFloatsOfAtomic = 4;

/// True if GPUs of this compute capability (90 for sm_90) have the vector atomic `red.global.add.v4.f32`.
constexpr bool HasVectorAtomics(int compute_capability) { return compute_capability >= 90; }

/// Returns the peak of the device for elements of `type` in GFLOPS: 2 * multiply-adds per cycle and multiprocessor *
/// multiprocessors * highest clock. Returns 0 where it is unknown: for the SIMT device, for architectures that are not
/// in this table, and where `info.arch` is not the device's own.
///
/// Multiply-adds per cycle and multiprocessor:
///
///                          f32   f16, bf16   tf32   s8     f64
///   sm_75 (T4)             64    512         -      1024   2
///   sm_80 (A100)           64    1024        512    2048   64
///   sm_86, sm_89, sm_120   128   512         256    1024   2     (A40, L40S, RTX PRO 6000; GeForce does half)
///   sm_90 (H100)           128   2048        1024   4096   128
///   sm_100 (B200)          128   4096        2048   8192   64
///
/// f32 is from the CUDA C++ Programming Guide. The others are from data sheets: dense tensor core throughput with f32
/// accumulators (s32 for s8), and for f64 the faster of CUDA and tensor cores. tf32x3 has a third of the rate of tf32,
/// and bf16x6 a sixth of that of bf16; on sm_86, sm_89 and sm_120 both are below f32. s32 has 64, on CUDA cores.
double PeakGflops(const DeviceInfo& info, DataType type, MathMode math = MathMode::kIeee);

/// Returns the multiply-adds per cycle and multiprocessor from the table. An architecture that is not in the table
/// counts as the newest one of the table that is not newer, or else as the oldest. Returns 0 if the architecture has no
/// multiply-add for the type.
int64_t MultiplyAddsPerCycle(int compute_capability, DataType type, MathMode math = MathMode::kIeee);

/// The assumed upper limit of a board's clock, relative to the highest clock that it reports. Data sheets give no
/// limit.
inline constexpr double kMaxBoost = 1.25;

/// Returns the GFLOPS above which a measured time must be wrong. For a CUDA device this is kMaxBoost * PeakGflops().
/// Where the peak is unknown, it is derived from the highest peak of the table (twice that for tensor cores). For the
/// SIMT device it is 512 for each CPU thread: two units of 16 lanes at 8 GHz. The result is never more than
/// kMaxPlausibleGflops.
double PlausibleGflopsLimit(const DeviceInfo& info, DataType type, MathMode math = MathMode::kIeee);
/// The upper bound of PlausibleGflopsLimit(), and its result for devices that do not report their multiprocessors or
/// clock.
inline constexpr double kMaxPlausibleGflops = 1e7;

}  // namespace mmtune
