// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/code_check.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/tools/compile_options.h"
#include "proto/types/toolchain_difference.h"

namespace mmtune {
namespace {

constexpr char kAnotherToolchain[] = "made by another toolchain";

/// True if the kernel's schedule is that of the entry.
bool IsOf(const ModelKernel& kernel, const TuningSpecEntry& entry) {
  if (entry.rows.has_value() == kernel.rows.empty() || entry.schedule.Text() != kernel.schedule) return false;
  const std::string problem = entry.rows ? TextWithSizes(entry.problem, {.rows = true}) : entry.problem.Text();
  return kernel.problem == problem || absl::StartsWith(kernel.problem, absl::StrCat(problem, " lda="));
}

/// Returns why code of this entry may differ from the measured code; empty if nothing explains it.
std::string WhyOtherCode(const CompileOptions& options, const DeviceInfo& target, const TuningSpecEntry& entry,
                         const Toolchain& own, ImageFormat format) {
  if (entry.toolchain == Toolchain()) return "";  // It is another device's, and --allow-other-device assigned it.
  const std::string& family = entry.schedule.family;
  if (entry.toolchain.ForFamily(family) != own.ForFamily(family)) return kAnotherToolchain;
  if (format == ImageFormat::kPtx && absl::StartsWith(own.assembler, "ptxas")) return "PTX, which was not measured";
  if (target.kind != DeviceKind::kSimt) return "";
  const bool here = options.host_cpu.empty() && HostDevices::Real().simt(target.arch).name == entry.device.name;
  return here ? "" : "made for another processor";
}

}  // namespace

absl::Status CheckCode(const CompileOptions& options, const DeviceInfo& target, const TuningSpec& spec,
                       const Toolchain& own, std::vector<ModelKernel>* kernels) {
  for (ModelKernel& kernel : *kernels) {
    const bool is_compared = !kernel.expected_digest.empty();
    const bool is_measured = is_compared && kernel.expected_digest == kernel.code_digest;
    if (is_measured || !absl::StartsWith(kernel.source, "spec")) continue;
    for (const TuningSpecEntry& entry : spec.entries) {
      if (entry.device.ClassKey() != target.ClassKey() || !IsOf(kernel, entry)) continue;
      const std::string why = WhyOtherCode(options, target, entry, own, kernel.format);
      if (is_compared) kernel.why_other_code = why;
      if (why != kAnotherToolchain || options.allow_unverified) continue;
      return absl::FailedPreconditionError(absl::StrCat(
          "the schedule of ", kernel.problem, " was verified as code of another toolchain (",
          DifferenceText(entry.toolchain.ForFamily(entry.schedule.family), own.ForFamily(entry.schedule.family)),
          "), and this code was not: tune the problem again, or take the schedule unverified with --allow-unverified"));
    }
    if (!is_compared || !kernel.why_other_code.empty() || options.allow_unverified) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "the schedule of ", kernel.problem, " makes other code (", kernel.code_digest,
        ") than was measured and verified with this toolchain (", kernel.expected_digest,
        "): its record was edited; tune the problem again, or take the schedule unverified with --allow-unverified"));
  }
  return absl::OkStatus();
}

}  // namespace mmtune
