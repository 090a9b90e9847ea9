// A schedule against a rival, in several fresh measure children.
#pragma once

#include "absl/status/statusor.h"
#include "proto/types/conditions.h"
#include "worker/child.h"
#include "worker/evaluation.h"

namespace mmtune {

/// So many processes that the smallest and the largest of their ratios bound the median with 97%.
inline constexpr int kComparedProcesses = 6;

/// Every process counts for one, whatever it measured inside: what differs from process to process (addresses, clocks)
/// differs here, too. Two of the same code come out as tied in 97 of 100 comparisons. Errors as Child::Call, and those
/// of the measurer.
absl::StatusOr<Comparison> Compare(const ChildCommand& command, const Evaluation& evaluation, Duration limit);

}  // namespace mmtune
