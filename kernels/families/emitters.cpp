#include "kernels/families/emitters.h"

#include "absl/strings/str_cat.h"
#include "kernels/families/direct_emitter.h"
#include "kernels/families/simt_f32_emitter.h"
#include "kernels/families/simt_f32_schedule.h"
#include "kernels/families/split_reduction_emitter.h"
#include "proto/base/status.h"

namespace mmtune {

absl::Status emitKernels(KernelBuilder &builder, const MatmulProblem &problem,
                         const Schedule &schedule) {
  if (schedule.family == "direct") {
    emitDirectKernel(builder, problem, schedule);
    return absl::OkStatus();
  }
  if (schedule.family == "simt") {
    emitSimtF32Kernel(builder, problem, schedule);
    SimtF32Schedule values = SimtF32Schedule::fromSchedule(schedule);
    if (values.reduction == kWorkspaceReduction)
      emitSplitReductionKernel(builder, SimtF32Tiling(problem, values));
    return absl::OkStatus();
  }
  return InvalidArgument(absl::StrCat("kernel family '", schedule.family, "' has no emitter"));
}

} // namespace mmtune
