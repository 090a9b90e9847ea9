// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a schedule runs on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/fields.h"

namespace mmtune {

enum class DeviceKind { kCuda, kSimt };

/// "cuda", "simt".
std::string_view DeviceKindName(DeviceKind kind);
absl::StatusOr<DeviceKind> ParseDeviceKind(std::string_view name);

template <>
struct TextForm<DeviceKind> {
  static constexpr auto Write = DeviceKindName;
  static constexpr auto Read = ParseDeviceKind;
};

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

  /// 75, 80, 86, 89, 90 … from "sm_90" or "sm_90a"; 0 when the text is something else.
  int ComputeCapability() const;
  /// Devices of one class share measurements: same kind, name, arch, multiprocessors, threads, registers and shared
  /// memory. Memory size, L2, clock, uuid and driver may differ.
  std::string ClassKey() const;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind);
    visit("name", self.name);
    visit("uuid", self.uuid);
    visit("arch", self.arch);
    visit("multiprocessors", self.multiprocessors);
    visit("memory_bytes", self.memory_bytes);
    visit("max_threads_per_block", self.max_threads_per_block);
    visit("max_threads_per_multiprocessor", self.max_threads_per_multiprocessor);
    visit("registers_per_multiprocessor", self.registers_per_multiprocessor);
    visit("shared_bytes_per_block", self.shared_bytes_per_block);
    visit("shared_bytes_per_multiprocessor", self.shared_bytes_per_multiprocessor);
    visit("l2_bytes", self.l2_bytes);
    visit("driver", self.driver);
    visit("clock_khz", self.clock_khz, Unless{int64_t{0}});
  }
  bool operator==(const DeviceInfo&) const = default;
};

/// The limits of an architecture (threads, registers, shared memory), with kind, name and uuid left empty.
/// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
/// InvalidArgument names the architectures known.
absl::StatusOr<DeviceInfo> ArchitectureLimits(std::string_view arch);

/// Those that code is generated for, oldest first: "sm_75, sm_80, ..., sm_120".
std::string KnownArchitectures();

/// What `device` is to a kernel generated for `arch`, which may be empty: its own. The SIMT device takes over the
/// limits of the architecture; a CUDA device keeps its own, and runs code of an older one. InvalidArgument: an unknown
/// architecture, or one newer than the CUDA device's.
absl::StatusOr<DeviceInfo> StandInFor(const DeviceInfo& device, std::string_view arch);

/// What a job asks for. `kAuto` takes CUDA devices and falls back to the SIMT device.
struct DeviceSelector {
  enum class Kind { kAuto, kCuda, kSimt };
  Kind kind = Kind::kAuto;
  int index = -1;    ///< cuda:i; -1 is any.
  std::string arch;  ///< Generate for this architecture; empty is the device's own.

  bool operator==(const DeviceSelector&) const = default;
};

/// "auto", "cuda", "cuda:1", "simt".
absl::StatusOr<DeviceSelector> ParseDeviceSelector(std::string_view text);
std::string DeviceSelectorText(const DeviceSelector& selector);

}  // namespace mmtune
