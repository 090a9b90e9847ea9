// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges a kernel's first two runs on random operands, which are its warm-up, too.
#pragma once

#include "absl/status/statusor.h"
#include "worker/measure/kernel_timer.h"
#include "worker/measure/rounding_checker.h"

namespace mmtune {

/// Warms `timer` up, which was made with the operands of `checker`, with two runs. What `checker` says of the result;
/// failed, too, when a kernel wrote outside its buffers or to an input. Both runs have to pass; whether they gave the
/// same bits (the same 64-bit hash of them) is recorded, and is no failure: atomic additions need not. Errors are those
/// of the device.
absl::StatusOr<CheckReport> CheckRounding(KernelTimer& timer, const RoundingChecker& checker);

}  // namespace mmtune
