#include "worker/comparison.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "worker/child_messages.h"
#include "worker/sample_statistics.h"

namespace mmtune {
namespace {

absl::StatusOr<double> RatioIn(Child child, const worker::Request& request, Duration limit, const StopToken* stop) {
  ASSIGN_OR_RETURN(worker::Reply reply, child.Call(request, limit, stop));
  if (reply.has_failure()) return FromMessage(reply.failure());
  const double ratio = reply.compared().ratio();
  if (!std::isfinite(ratio) || ratio <= 0) return absl::DataLossError("the measure child gave no ratio");
  return ratio;
}

}  // namespace

absl::StatusOr<Comparison> Compare(const ChildCommand& command, const Evaluation& evaluation, Duration limit) {
  const Candidate& candidate = evaluation.candidate;
  worker::Request request;
  worker::CompareRequest& compare = *request.mutable_compare();
  *compare.mutable_problem() = ToWire(candidate.problem);
  *compare.mutable_kernel() = evaluation.kernel;
  *compare.mutable_rival() = evaluation.rival_kernel;
  compare.set_regime(std::string(RegimeName(candidate.regime)));
  compare.set_budget_seconds(candidate.measure_seconds);

  Comparison comparison;
  comparison.rival = *candidate.rival;
  for (int process = 0; process < kComparedProcesses; ++process) {
    compare.set_rival_first(process % 2 == 1);
    ASSIGN_OR_RETURN(comparison.ratios.emplace_back(),
                     RatioIn(Child(command), request, WithinLease(limit, candidate), evaluation.stop.get()));
  }
  const MedianInterval interval = MedianOf(comparison.ratios);
  comparison.ratio = interval.median;
  comparison.low = interval.low;
  comparison.high = interval.high;
  return comparison;
}

}  // namespace mmtune
