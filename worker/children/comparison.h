// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A schedule against a rival, in several fresh measure children.
#pragma once

#include "absl/status/statusor.h"
#include "proto/types/conditions.h"
#include "worker/children/child.h"
#include "worker/children/evaluation.h"
#include "worker/common/timing_gate.h"

namespace mmtune {

/// So many that two of the same code, whose ratios fall to either side of 1 with equal chance, all fall to one side in
/// 2 of 2^8 comparisons only: 99% come out as tied.
inline constexpr int kComparedProcesses = 8;

/// Every process counts for one, whatever it measured inside: what differs from process to process (addresses, clocks)
/// differs here, too. Errors as Child::Call, and those
/// of the measurer.
/// Each process has the device to itself, by `gate` (may be null).
absl::StatusOr<Comparison> Compare(const ChildCommand& command, const Evaluation& evaluation, Duration limit,
                                   TimingGate* gate);

}  // namespace mmtune
