// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/time_in_turn.h"

#include <vector>

#include "proto/base/seconds.h"
#include "proto/base/status.h"
#include "worker/common/sample_statistics.h"

namespace mmtune {
namespace {

constexpr size_t kLeastTurns = 5;
constexpr size_t kMostTurns = 400;

}  // namespace

absl::StatusOr<Compared> TimeInTurn(KernelTimer& first, KernelTimer& second, const CompareOptions& options,
                                    const TimerSettings& settings) {
  const DeviceKind kind = first.device().info().kind;
  const double budget_seconds = options.measure.budget_seconds / 2;
  for (KernelTimer* timer : {&first, &second})
    RETURN_IF_ERROR(timer->Prepare(options.measure.regime, 1e9 * budget_seconds));
  if (settings.warmed_up) settings.warmed_up();
  const double batch_ns = DefaultBatchNs(kind);
  const Clock& clock = *settings.clock;
  const TimePoint start = clock.Now();
  const auto seconds = [&] { return Seconds(clock.Now() - start); };
  std::vector<double> ratios, first_ns, second_ns;
  while (ratios.size() < kLeastTurns || (ratios.size() < kMostTurns && seconds() < budget_seconds)) {
    double sums[2] = {};
    for (int which : {0, 1, 1, 0}) {
      ASSIGN_OR_RETURN(const double ns, (which == 0 ? first : second).Sample(batch_ns));
      sums[which] += ns;
    }
    ratios.push_back(sums[0] / sums[1]);
    first_ns.push_back(sums[0] / 2);
    second_ns.push_back(sums[1] / 2);
  }
  if (settings.sampled) settings.sampled();
  for (KernelTimer* timer : {&first, &second}) {
    ASSIGN_OR_RETURN(std::string damage, timer->Damage());
    if (!damage.empty()) return absl::DataLossError(damage);
  }
  Compared compared;
  compared.ratio = MedianOf(std::move(ratios)).median;
  compared.median_ns = MedianOf(std::move(first_ns)).median;
  compared.rival_median_ns = MedianOf(std::move(second_ns)).median;
  return compared;
}

}  // namespace mmtune
