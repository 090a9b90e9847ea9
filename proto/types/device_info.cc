// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/device_info.h"

#include <charconv>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/status.h"
#include "proto/types/architecture.h"
#include "proto/types/names.h"

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

absl::StatusOr<DeviceInfo> StandInFor(const DeviceInfo& device, std::string_view arch) {
  if (arch.empty() || arch == device.arch) return device;
  ASSIGN_OR_RETURN(const DeviceInfo limits, ArchitectureLimits(arch));
  DeviceInfo target = device;
  target.arch = limits.arch;
  if (device.kind == DeviceKind::kCuda) {
    if (IsOneChips(arch) && limits.ComputeCapability() != device.ComputeCapability()) {
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

}  // namespace mmtune
