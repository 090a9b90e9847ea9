// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/modelled_share.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "kernels/perf_model/profile/kernel_bounds.h"
#include "kernels/perf_model/profile/product_code.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<double> ModelledShare(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                     const DeviceInfo& device, const CompiledKernel& kernel) {
  ASSIGN_OR_RETURN(const ProductCode code, ReadProductCode(kernel, device.arch, /*counters=*/nullptr));
  const double most = std::ceil(static_cast<double>(geometry.blocks) / RatesOf(device).multiprocessors);
  const int64_t resident = std::min(static_cast<int64_t>(most), ResidentBlocks(geometry, device));
  ASSIGN_OR_RETURN(const ModelledRate rate, ModelResident(*code.function, code.loop, code.wavefronts,
                                                          RatesOfProblem(problem, device), resident, geometry.warps()));
  if (rate.share > 0 && rate.share <= 1) return rate.share;
  return FailedPrecondition(absl::StrCat("by the model the loop gets ", rate.share, " of peak, which cannot be"));
}

}  // namespace mmtune
