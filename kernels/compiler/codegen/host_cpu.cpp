// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/codegen/host_cpu.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kVariable[] = "MMTUNE_HOST_CPU";
constexpr char kNative[] = "native";

HostCpu nativeCpu() {
  HostCpu cpu{llvm::sys::getHostCPUName().str(), ""};
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    absl::StrAppend(&cpu.features, cpu.features.empty() ? "" : ",", feature.getValue() ? "+" : "-",
                    feature.getKey().str());
  return cpu;
}

/// Whether LLVM uses a feature unasked. Others, such as protection keys, are often hidden from
/// virtual machines.
bool isUsedUnasked(llvm::StringRef feature) {
  static constexpr llvm::StringLiteral kBeginnings[] = {"sse",   "ssse",   "avx",  "fma",  "f16c", "bmi", "movbe",
                                                        "lzcnt", "popcnt", "cx16", "gfni", "xop",  "tbm"};
  return llvm::any_of(kBeginnings, [&](llvm::StringRef beginning) { return feature.starts_with(beginning); });
}

}  // namespace

absl::StatusOr<HostCpu> findHostCpu(std::string_view name) {
  const char* variable = name.empty() ? std::getenv(kVariable) : nullptr;
  const std::string wanted(variable ? std::string_view(variable) : name);
  if (wanted.empty() || wanted == kNative) return nativeCpu();
  if (llvm::X86::parseArchX86(wanted, /*Only64Bit=*/true) != llvm::X86::CK_None) return HostCpu{wanted, ""};
  return InvalidArgument(absl::StrCat(variable ? absl::StrCat(kVariable, "=") : "", wanted,
                                      " is no x86-64 processor that LLVM knows: name one (skylake, znver4, "
                                      "sapphirerapids), a level (x86-64, x86-64-v2, x86-64-v3, x86-64-v4) or native"));
}

absl::Status checkRunsHere(std::string_view name) {
  ASSIGN_OR_RETURN(HostCpu cpu, findHostCpu(name));
  if (!cpu.features.empty()) return absl::OkStatus();  // This machine's.
  llvm::SmallVector<llvm::StringRef> features;
  llvm::X86::getFeaturesForCPU(cpu.name, features);
  const llvm::StringMap<bool> here = llvm::sys::getHostCPUFeatures();
  for (llvm::StringRef feature : features)
    if (auto found = here.find(feature); found != here.end() && !found->getValue() && isUsedUnasked(feature))
      return FailedPrecondition(absl::StrCat("code for ", cpu.name,
                                             " does not run here: this machine's processor has no ", feature.str(),
                                             "; leave out the processor's name, or only compile"));
  return absl::OkStatus();
}

}  // namespace mmtune
