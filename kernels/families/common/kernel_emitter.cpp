// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/kernel_emitter.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

struct Emitter {
  std::string_view family;
  void (*emit)(KernelBuilder&, const MatmulProblem&, const Schedule&, RunTimeSizes, const MatmulLayout&);
};

#define MMTUNE_LIST_EMITTER(NAME, TITLE) {#NAME, emit##TITLE},
constexpr Emitter kEmitters[] = {MMTUNE_KERNEL_FAMILIES(MMTUNE_LIST_EMITTER)};
#undef MMTUNE_LIST_EMITTER

}  // namespace

absl::Status emitKernels(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule,
                         RunTimeSizes sizes, const MatmulLayout& layout) {
  if (std::string why = WhyRunTimeSizesUnsupported(problem, schedule, sizes); !why.empty())
    return InvalidArgument(absl::StrCat("no kernel for ", TextWithSizes(problem, sizes), ": ", why));
  for (const Emitter& emitter : kEmitters)
    if (emitter.family == schedule.family) {
      emitter.emit(builder, problem, schedule, sizes, layout);
      return absl::OkStatus();
    }
  return InvalidArgument(absl::StrCat("kernel family '", schedule.family, "' has no emitter"));
}

}  // namespace mmtune
