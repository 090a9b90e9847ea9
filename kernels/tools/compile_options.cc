// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/compile_options.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "kernels/runtime/open_device.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"

namespace mmtune {
namespace {

struct EmitEntry {
  EmitKind kind;
  const char* name;
  const char* suffix;  ///< Empty if there is none.
  ModelStage stage;
};

constexpr EmitEntry kEmitKinds[] = {{EmitKind::kMatmuls, "matmuls", "", ModelStage::kGpu},
                                    {EmitKind::kMlirGpu, "mlir-gpu", "", ModelStage::kGpu},
                                    {EmitKind::kMlirBinary, "mlir-binary", "", ModelStage::kBinary},
                                    {EmitKind::kMlirLlvm, "mlir-llvm", ".mlir", ModelStage::kLlvm},
                                    {EmitKind::kLlvmIr, "llvm", ".ll", ModelStage::kLlvmIr},
                                    {EmitKind::kObject, "obj", ".o", ModelStage::kObject},
                                    {EmitKind::kSharedLibrary, "so", ".so", ModelStage::kObject},
                                    {EmitKind::kPtx, "ptx", ".ptx", ModelStage::kBinary},
                                    {EmitKind::kCubin, "cubin", ".cubin", ModelStage::kBinary}};

const EmitEntry& EntryOf(EmitKind kind) {
  return *std::find_if(std::begin(kEmitKinds), std::end(kEmitKinds),
                       [kind](const EmitEntry& entry) { return entry.kind == kind; });
}

constexpr char kBytecodeSuffix[] = ".mlirbc";

constexpr char kSimtArch[] = "sm_80";
// The --device that leaves the choice to the program, which the settings of a user may name for all programs.
constexpr char kAuto[] = "auto";

std::string KindText(const DeviceInfo& device) {
  return absl::StrCat(ToAbsl(DeviceKindName(device.kind)), " ", device.arch);
}

/// Returns "cuda sm_90 (NVIDIA H200), simt sm_80 (simt-cpu)".
std::string DevicesText(const std::map<std::string, DeviceInfo>& devices) {
  std::string text;
  for (const auto& [key, device] : devices) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", KindText(device), " (", device.name, ")");
  }
  return text;
}

/// Returns kind and arch, with the arch's limits.
absl::StatusOr<DeviceInfo> BareTarget(const CompileOptions& options, const HostDevices& host) {
  const std::string given = options.device == kAuto ? "" : options.device;
  ASSIGN_OR_RETURN(DeviceSelector selector, ParseDeviceSelector(given.empty() ? "cuda" : given));
  const bool simt = selector.kind == DeviceSelector::Kind::kSimt;
  std::string arch = options.arch;
  if (arch.empty() && simt) arch = kSimtArch;
  if (arch.empty()) {
    const size_t index = static_cast<size_t>(std::max(selector.index, 0));
    const std::vector<DeviceInfo> devices = given.empty() ? std::vector<DeviceInfo>() : host.cuda();
    if (index < devices.size()) {
      arch = devices[index].arch;
    } else if (given.empty()) {
      return InvalidArgument("nothing says what to compile for: give --arch sm_90 or --device simt");
    } else {
      return InvalidArgument(absl::StrCat("there is no device ", given, " here: give --arch sm_90"));
    }
  }
  ASSIGN_OR_RETURN(DeviceInfo target, ArchitectureLimits(arch));
  target.kind = simt ? DeviceKind::kSimt : DeviceKind::kCuda;
  target.name = simt ? "simt-cpu" : arch;
  return target;
}

/// Returns the class keys of this machine's devices of the target's kind.
std::vector<std::string> HostKeys(const DeviceInfo& target, const HostDevices& host) {
  std::vector<std::string> keys;
  if (target.kind == DeviceKind::kSimt) return {host.simt(target.arch).ClassKey()};
  for (DeviceInfo device : host.cuda()) {
    if (device.arch == PortableArchitecture(target.arch)) device.arch = target.arch;
    keys.push_back(device.ClassKey());
  }
  return keys;
}

absl::StatusOr<DeviceInfo> ChooseAmong(const std::map<std::string, DeviceInfo>& devices, const std::string& name,
                                       const DeviceInfo& target, const HostDevices& host) {
  std::map<std::string, DeviceInfo> named;
  for (const auto& [key, device] : devices) {
    if (absl::StrContains(device.name, name)) named.emplace(key, device);
  }
  if (named.empty()) {
    return InvalidArgument(
        absl::StrCat("no device with '", name, "' in its name; there are schedules for ", DevicesText(devices)));
  }
  if (named.size() == 1) return named.begin()->second;
  for (const std::string& key : HostKeys(target, host)) {
    if (auto found = named.find(key); found != named.end()) return found->second;
  }
  return InvalidArgument(
      absl::StrCat("there are schedules for several devices: ", DevicesText(named), "; choose one with --device-name"));
}

/// Assigns schedules for the portable architecture to a target with features of one chip: the limits of both are the
/// same, but the code differs. Schedules for the target itself take precedence. If there are any, only schedules that
/// were measured on the same devices as these are assigned.
void TakePortable(const DeviceInfo& target, TuningSpec* spec) {
  std::set<std::string> classes, own;  // The latter with the problem behind.
  auto key_of = [](const TuningSpecEntry& entry) {
    return absl::StrCat(entry.device.ClassKey(), "|", entry.problem.CanonicalJson());
  };
  for (const TuningSpecEntry& entry : spec->entries) {
    if (entry.device.kind != target.kind || entry.device.arch != target.arch) continue;
    classes.insert(entry.device.ClassKey());
    own.insert(key_of(entry));
  }
  const std::string portable = PortableArchitecture(target.arch);
  for (TuningSpecEntry& entry : spec->entries) {
    if (entry.device.kind != target.kind || entry.device.arch != portable) continue;
    TuningSpecEntry taken = entry;
    taken.device.arch = target.arch;
    taken.code_digest.clear();
    if (classes.empty() || (classes.contains(taken.device.ClassKey()) && !own.contains(key_of(taken)))) {
      entry = std::move(taken);
    }
  }
}

void AssignTo(const DeviceInfo& target, TuningSpec* spec) {
  std::map<std::string, TuningSpecEntry> best;
  for (TuningSpecEntry& entry : spec->entries) {
    entry.device = target;
    entry.code_digest.clear();
    entry.toolchain = {};
    auto [at, inserted] = best.try_emplace(entry.problem.CanonicalJson(), entry);
    if (!inserted && entry.median_ns < at->second.median_ns) at->second = entry;
  }
  spec->entries.clear();
  for (auto& [problem, entry] : best) spec->entries.push_back(std::move(entry));
}

}  // namespace

std::string_view EmitKindName(EmitKind kind) { return EntryOf(kind).name; }

ModelStage StageOf(EmitKind kind) { return EntryOf(kind).stage; }

absl::StatusOr<EmitKind> ParseEmitKind(std::string_view name) {
  std::string known;
  for (const EmitEntry& entry : kEmitKinds) {
    if (name == entry.name) return entry.kind;
    absl::StrAppend(&known, known.empty() ? "" : ", ", entry.name);
  }
  return InvalidArgument(absl::StrCat("unknown kind of output '", ToAbsl(name), "': ", known));
}

absl::StatusOr<EmitKind> EmitKindOfFile(std::string_view path) {
  if (IsBytecodeFile(path)) return EmitKind::kMlirLlvm;
  for (const EmitEntry& entry : kEmitKinds) {
    if (entry.suffix[0] != '\0' && absl::EndsWith(ToAbsl(path), entry.suffix)) return entry.kind;
  }
  return InvalidArgument(
      absl::StrCat("the suffix of ", ToAbsl(path),
                   " is not one of .so, .o, .ll, .mlir, .mlirbc, .ptx and .cubin: use one of these, or give --emit"));
}

bool IsBytecodeFile(std::string_view path) { return absl::EndsWith(ToAbsl(path), kBytecodeSuffix); }

bool IsMlir(EmitKind kind) {
  return kind == EmitKind::kMlirGpu || kind == EmitKind::kMlirBinary || kind == EmitKind::kMlirLlvm;
}

HostDevices HostDevices::Real() {
  HostDevices host;
  host.cuda = [] {
    std::string why;
    std::vector<DeviceInfo> devices;
    for (CudaDeviceEntry& entry : ListCudaDevices(&why)) devices.push_back(std::move(entry.info));
    return devices;
  };
  host.simt = [](const std::string& arch) {
    auto device = CreateSimtDevice(arch);
    return device.ok() ? (*device)->info() : DeviceInfo{};
  };
  return host;
}

absl::StatusOr<DeviceInfo> ChooseTarget(const CompileOptions& options, const HostDevices& host, TuningSpec* spec) {
  ASSIGN_OR_RETURN(DeviceInfo target, BareTarget(options, host));
  if (spec->entries.empty()) return target;
  if (IsArchitectureSpecific(target.arch)) TakePortable(target, spec);
  std::map<std::string, DeviceInfo> matching, all;
  for (const TuningSpecEntry& entry : spec->entries) {
    all.emplace(entry.device.ClassKey(), entry.device);
    if (entry.device.kind == target.kind && entry.device.arch == target.arch) {
      matching.emplace(entry.device.ClassKey(), entry.device);
    }
  }
  if (!matching.empty()) return ChooseAmong(matching, options.device_name, target, host);
  if (options.allow_other_device) {
    AssignTo(target, spec);
    return target;
  }
  return InvalidArgument(absl::StrCat("no schedules for ", KindText(target), "; there are schedules for ",
                                      DevicesText(all), " (--allow-other-device uses them)"));
}

}  // namespace mmtune
