// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/product_code.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/perf_model/profile/disassembler.h"
#include "kernels/perf_model/profile/loop_wavefronts.h"
#include "proto/base/status.h"

namespace mmtune {

std::string ProductKernel(const LaunchPlan& plan) {
  const auto launch = std::ranges::find(plan.steps, PlanStep::Kind::kLaunch, &PlanStep::kind);
  return launch == plan.steps.end() ? "" : launch->kernel;
}

absl::StatusOr<ProductCode> ReadProductCode(const CompiledKernel& kernel, const std::string& arch,
                                            const ProfiledCounters* counters) {
  if (kernel.format != ImageFormat::kCubin) return FailedPrecondition("no ptxas: the driver would assemble");
  const std::string name = ProductKernel(kernel.plan);
  ProductCode code;
  ASSIGN_OR_RETURN(code.listing, Disassemble(kernel.image, arch));
  code.function = code.listing.Find(name);
  if (code.function == nullptr) return Internal(absl::StrCat("the cubin has no kernel ", name));
  ASSIGN_OR_RETURN(code.loop, FindHotLoop(*code.function));
  code.wavefronts = WavefrontsOf(*code.function, code.loop, counters);
  return code;
}

}  // namespace mmtune
