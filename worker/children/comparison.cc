// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/comparison.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "worker/children/child_messages.h"
#include "worker/common/sample_statistics.h"

namespace mmtune {
namespace {

/// Aborted when the child ended or talked nonsense.
absl::StatusOr<worker::Compared> CompareIn(Child child, const worker::Request& request, Duration limit,
                                           const StopToken* stop) {
  absl::StatusOr<worker::Reply> called = child.Call(request, limit, stop);
  if (absl::IsDataLoss(called.status())) return absl::AbortedError(called.status().message());
  ASSIGN_OR_RETURN(worker::Reply reply, std::move(called));
  if (reply.has_failure()) return FromMessage(reply.failure());
  if (!reply.has_compared()) return absl::AbortedError("the measure child answered something else");
  return reply.compared();
}

}  // namespace

absl::StatusOr<Comparison> Compare(const ChildCommand& command, const Evaluation& evaluation, Duration limit,
                                   TimingGate* gate) {
  const Candidate& candidate = evaluation.candidate;
  worker::Request request;
  worker::CompareRequest& compare = *request.mutable_compare();
  *compare.mutable_problem() = ToWire(candidate.problem);
  *compare.mutable_kernel() = evaluation.kernel;
  *compare.mutable_rival() = evaluation.rival_kernel;
  *compare.mutable_measure() = ToWire(candidate.measure);

  Comparison comparison;
  comparison.rival = *candidate.rival;
  for (int process = 0; process < kComparedProcesses; ++process) {
    compare.set_rival_first(process % 2 == 1);
    ASSIGN_OR_RETURN(const TimingGate::Pass pass, EnterTiming(gate, evaluation));
    worker::Compared compared;
    for (int run = 0; run == 0 || (run == 1 && !compared.finding().empty()); ++run) {  // in doubt: once more
      ASSIGN_OR_RETURN(compared,
                       CompareIn(Child(command), request, WithinLease(limit, candidate), evaluation.stop.get()));
    }
    if (comparison.finding.empty()) comparison.finding = compared.finding();
    comparison.ratios.push_back(compared.ratio());
    comparison.medians_ns.push_back(compared.median_ns());
    comparison.rival_medians_ns.push_back(compared.rival_median_ns());
  }
  const MedianInterval interval = MedianOf(comparison.ratios);
  comparison.ratio = interval.median;
  comparison.low = interval.low;
  comparison.high = interval.high;
  RETURN_IF_ERROR(comparison.Validate());
  return comparison;
}

}  // namespace mmtune
