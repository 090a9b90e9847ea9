// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/device_info.h"

#include <algorithm>
#include <charconv>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/status.h"
#include "proto/types/fields.h"

namespace mmtune {

namespace {

constexpr Named<DeviceKind> kKinds[] = {{DeviceKind::kCuda, "cuda"}, {DeviceKind::kSimt, "simt"}};

struct Architecture {
  std::string_view arch;
  int64_t threads_per_multiprocessor, shared_kib_per_block, shared_kib_per_multiprocessor;
};
constexpr Architecture kArchitectures[] = {
    {"sm_75", 1024, 64, 64},   {"sm_80", 2048, 163, 164},  {"sm_86", 1536, 99, 100},   {"sm_89", 1536, 99, 100},
    {"sm_90", 2048, 227, 228}, {"sm_90a", 2048, 227, 228}, {"sm_100", 2048, 227, 228}, {"sm_100a", 2048, 227, 228},
    {"sm_120", 1536, 99, 100}, {"sm_120a", 1536, 99, 100},
};

}  // namespace

std::string_view DeviceKindName(DeviceKind kind) { return NameIn(kKinds, kind, "simt"); }
absl::StatusOr<DeviceKind> ParseDeviceKind(std::string_view name) { return ValueIn(kKinds, name, "device kind"); }

int DeviceInfo::ComputeCapability() const {
  if (!arch.starts_with("sm_")) return 0;
  int value = 0;
  const char* end = arch.data() + arch.size();
  auto [at, error] = std::from_chars(arch.data() + 3, end, value);
  if (at != end && *at == 'a') ++at;  // The features of this architecture alone.
  return error == std::errc() && at == end && value > 0 ? value : 0;
}

std::string DeviceInfo::ClassKey() const {
  return absl::StrCat(ToAbsl(DeviceKindName(kind)), "|", name, "|", arch, "|", multiprocessors, "|",
                      max_threads_per_block, "|", max_threads_per_multiprocessor, "|", registers_per_multiprocessor,
                      "|", shared_bytes_per_block, "|", shared_bytes_per_multiprocessor);
}

std::string KnownArchitectures() {
  return absl::StrJoin(kArchitectures, ", ", [](std::string* text, const Architecture& architecture) {
    absl::StrAppend(text, ToAbsl(architecture.arch));
  });
}

absl::StatusOr<DeviceInfo> ArchitectureLimits(std::string_view arch) {
  for (const Architecture& row : kArchitectures) {
    if (row.arch != arch) continue;
    DeviceInfo info;
    info.arch = std::string(arch);
    info.max_threads_per_multiprocessor = row.threads_per_multiprocessor;
    info.shared_bytes_per_block = row.shared_kib_per_block * 1024;
    info.shared_bytes_per_multiprocessor = row.shared_kib_per_multiprocessor * 1024;
    return info;
  }
  return InvalidArgument(absl::StrCat("unknown architecture '", ToAbsl(arch), "'; known: ", KnownArchitectures()));
}

absl::StatusOr<DeviceInfo> TargetFor(const DeviceInfo& device, std::string_view arch) {
  if (arch.empty() || arch == device.arch) return device;
  ASSIGN_OR_RETURN(const DeviceInfo limits, ArchitectureLimits(arch));
  DeviceInfo target = device;
  target.arch = limits.arch;
  if (device.kind == DeviceKind::kCuda) {
    if (IsArchitectureSpecific(arch) && limits.ComputeCapability() != device.ComputeCapability()) {
      return InvalidArgument(absl::StrCat("arch ", ToAbsl(arch), " is for devices of ", PortableArchitecture(arch),
                                          " alone, and ", device.name, " is ", device.arch, ": ask for ", device.arch,
                                          " or older"));
    }
    if (limits.ComputeCapability() > device.ComputeCapability()) {
      return InvalidArgument(absl::StrCat("arch ", ToAbsl(arch), " is newer than ", device.name, " (", device.arch,
                                          "): ask for ", device.arch, " or older"));
    }
    return target;
  }
  target.max_threads_per_block = limits.max_threads_per_block;
  target.max_threads_per_multiprocessor = limits.max_threads_per_multiprocessor;
  target.registers_per_multiprocessor = limits.registers_per_multiprocessor;
  target.shared_bytes_per_block = limits.shared_bytes_per_block;
  target.shared_bytes_per_multiprocessor = limits.shared_bytes_per_multiprocessor;
  // Each thread of the host runs one cluster at a time.
  target.active_clusters_of_2 = HasClusters(limits.ComputeCapability()) ? device.multiprocessors : 0;
  target.active_clusters_of_4 = target.active_clusters_of_2;
  return target;
}

absl::StatusOr<DeviceSelector> ParseDeviceSelector(std::string_view text) {
  DeviceSelector selector;
  if (text == "auto") return selector;
  if (text == "simt") {
    selector.kind = DeviceSelector::Kind::kSimt;
    return selector;
  }
  selector.kind = DeviceSelector::Kind::kCuda;
  if (text == "cuda") return selector;
  if (text.starts_with("cuda:") && text.size() > 5) {
    const char* end = text.data() + text.size();
    auto [at, error] = std::from_chars(text.data() + 5, end, selector.index);
    if (error == std::errc() && at == end && selector.index >= 0) return selector;
  }
  return InvalidArgument(absl::StrCat("unknown device '", ToAbsl(text), "'; known: auto, cuda, cuda:<index>, simt"));
}

std::string DeviceSelectorText(const DeviceSelector& selector) {
  switch (selector.kind) {
    case DeviceSelector::Kind::kAuto:
      return "auto";
    case DeviceSelector::Kind::kSimt:
      return "simt";
    case DeviceSelector::Kind::kCuda:
      return selector.index < 0 ? "cuda" : absl::StrCat("cuda:", selector.index);
  }
  return "auto";
}

namespace {

/// Fused multiply-adds that a multiprocessor of an architecture begins in a cycle; 0: none, or unknown.
struct Throughput {
  int compute_capability;
  int64_t f32, tf32, f16;  ///< f16 and bf16 with sums of f32.
  int64_t f64;             ///< The faster of CUDA and tensor cores.
};
/// IMAD, of every architecture of the table.
constexpr int64_t kIntegerProducts = 64;
constexpr Throughput kThroughputs[] = {
    {75, 64, 0, 512, 2},        {80, 64, 512, 1024, 64},    {86, 128, 256, 512, 2},  {89, 128, 256, 512, 2},
    {90, 128, 1024, 2048, 128}, {100, 128, 2048, 4096, 64}, {120, 128, 256, 512, 2},
};
/// For an architecture that is not in the table: as for the highest that is, and for tensor cores twice as much.
constexpr Throughput kMost = {0, 128, 4096, 8192, 256};

int64_t OfType(const Throughput& throughput, DataType type, MathMode math) {
  if (type == DataType::kF64) return throughput.f64;
  if (type == DataType::kS32) return kIntegerProducts;
  if (type != DataType::kF32) return throughput.f16 * 2 / DataTypeBytes(type);
  switch (math) {
    case MathMode::kIeee:
      return throughput.f32;
    case MathMode::kTf32:
      return throughput.tf32;
    case MathMode::kTf32x3:
      return throughput.tf32 / 3;
    case MathMode::kBf16x6:
      return throughput.f16 / 6;
  }
  return throughput.f32;
}

int64_t Lanes(int compute_capability, DataType type, MathMode math) {
  for (const Throughput& throughput : kThroughputs) {
    if (throughput.compute_capability == compute_capability) return OfType(throughput, type, math);
  }
  return 0;
}

constexpr double kSimtGflopsPerThread = 512;

double Peak(int64_t lanes, const DeviceInfo& info) {
  return 2e-6 * static_cast<double>(lanes) * static_cast<double>(info.multiprocessors) *
         static_cast<double>(info.clock_khz);
}

}  // namespace

int64_t MultiplyAddsPerCycle(int compute_capability, DataType type, MathMode math) {
  const Throughput* newest = &kThroughputs[0];
  for (const Throughput& throughput : kThroughputs) {
    if (throughput.compute_capability <= compute_capability) newest = &throughput;
  }
  return OfType(*newest, type, math);
}

double PeakGflops(const DeviceInfo& info, DataType type, MathMode math) {
  if (info.kind != DeviceKind::kCuda) return 0;
  // A device keeps its own attributes when it runs code of an older architecture.
  const absl::StatusOr<DeviceInfo> own = ArchitectureLimits(absl::StrCat("sm_", info.ComputeCapability()));
  if (!own.ok() || own->shared_bytes_per_multiprocessor != info.shared_bytes_per_multiprocessor) return 0;
  return Peak(Lanes(info.ComputeCapability(), type, math), info);
}

double PlausibleGflopsLimit(const DeviceInfo& info, DataType type, MathMode math) {
  double most = kSimtGflopsPerThread * static_cast<double>(info.multiprocessors);
  if (info.kind == DeviceKind::kCuda) {
    const double known = PeakGflops(info, type, math);
    most = kMaxBoost * (known > 0 ? known : Peak(OfType(kMost, type, math), info));
  }
  return info.multiprocessors > 0 && most > 0 ? std::min(most, kMaxPlausibleGflops) : kMaxPlausibleGflops;
}

}  // namespace mmtune
