// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels timed in turn, for what one is faster than the other by.
#pragma once

#include "absl/status/statusor.h"
#include "worker/children/measurer.h"
#include "worker/measure/kernel_timer.h"

namespace mmtune {

/// At least five turns; the kernel is `first`, the rival `second`, whatever `options` say. A turn is first, second,
/// second, first: what drifts steadily falls out. DataLoss as KernelTimer::Time. Of the settings, the clock and the
/// calls around the samples count.
absl::StatusOr<Compared> TimeInTurn(KernelTimer& first, KernelTimer& second, const CompareOptions& options,
                                    const TimerSettings& settings = {});

}  // namespace mmtune
