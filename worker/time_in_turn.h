// Two kernels timed in turn, for what one is faster than the other by.
#pragma once

#include "absl/status/statusor.h"
#include "worker/kernel_timer.h"
#include "worker/measurer.h"

namespace mmtune {

/// Median over at least five turns of first's time over second's. A turn is first, second, second, first: what drifts
/// steadily falls out. DataLoss as KernelTimer::Time.
absl::StatusOr<double> TimeInTurn(KernelTimer& first, KernelTimer& second, const CompareOptions& options,
                                  const Clock& clock = Clock::Real());

}  // namespace mmtune
