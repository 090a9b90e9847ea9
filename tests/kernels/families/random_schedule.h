// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random schedules for tests that run them.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/families/common/registry.h"
#include "search/space/search_space.h"

namespace mmtune {

/// One of a family's schedules that are valid for the problem on `device`, with the axes of a GPU, of which more vary
/// than of those of the SIMT device. Errors are those of SearchSpace::Create.
inline absl::StatusOr<Schedule> SampleSchedule(std::string_view family, const MatmulProblem& problem, DeviceInfo device,
                                               SearchRng& rng) {
  device.kind = DeviceKind::kCuda;
  const auto space = SearchSpace::Create(problem, device, {*FindKernelFamily(family)});
  if (!space.ok()) return space.status();
  return (*space)->Sample(rng);
}

}  // namespace mmtune
