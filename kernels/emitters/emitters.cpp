// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/emitters/emitters.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

struct Emitter {
  std::string_view family;
  void (*emit)(KernelBuilder&, const MatmulProblem&, const Schedule&);
};

#define MMTUNE_LIST_EMITTER(NAME, TITLE) {#NAME, emit##TITLE},
constexpr Emitter kEmitters[] = {MMTUNE_KERNEL_FAMILIES(MMTUNE_LIST_EMITTER)};
#undef MMTUNE_LIST_EMITTER

}  // namespace

absl::Status emitKernels(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule) {
  for (const Emitter& emitter : kEmitters)
    if (emitter.family == schedule.family) {
      emitter.emit(builder, problem, schedule);
      return absl::OkStatus();
    }
  return InvalidArgument(absl::StrCat("kernel family '", schedule.family, "' has no emitter"));
}

}  // namespace mmtune
