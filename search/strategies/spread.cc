// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/spread.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace mmtune {
namespace {

/// An index, with these weights; `all` is their sum, above 0.
size_t Draw(const std::vector<double>& weights, double all, SearchRng& rng) {
  double at = UniformUnit(rng) * all;
  size_t chosen = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    chosen = i;  // Of those that may be chosen, the last one where rounding leaves something of `at`.
    if (at < weights[i]) break;
    at -= weights[i];
  }
  return chosen;
}

/// Indices of those of which the least is expected.
std::vector<size_t> BestShare(const std::vector<double>& expected, double share, size_t at_least) {
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < expected.size(); ++i) order.emplace_back(expected[i], i);
  std::sort(order.begin(), order.end());
  if (!order.empty() && order.front().first < order.back().first) {
    const auto kept = static_cast<size_t>(share * static_cast<double>(order.size()));
    order.resize(std::min(order.size(), std::max(kept, at_least)));
  }
  std::vector<size_t> best;
  for (const auto& [time, i] : order) best.push_back(i);
  return best;
}

}  // namespace

std::vector<Candidate> TakeSpread(std::vector<Candidate>& sample, std::vector<double>& expected, double share,
                                  size_t count, SearchRng& rng) {
  const std::vector<size_t> eligible = BestShare(expected, share, count);
  std::vector<double> weights(eligible.size(), 1);
  std::vector<double> nearest(eligible.size(), std::numeric_limits<double>::infinity());
  std::vector<Candidate> taken;
  std::vector<size_t> places;
  while (taken.size() < std::min(count, eligible.size())) {
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (all <= 0) break;
    places.push_back(eligible[Draw(weights, all, rng)]);
    taken.push_back(sample[places.back()]);
    for (size_t i = 0; i < eligible.size(); ++i) {
      const double distance = (sample[eligible[i]].point - taken.back().point).square().sum();
      nearest[i] = std::min(nearest[i], distance);
      weights[i] = nearest[i] * nearest[i];
    }
  }
  // From the last on, so that the others keep their places.
  std::sort(places.begin(), places.end(), std::greater<>());
  for (size_t place : places) {
    sample.erase(sample.begin() + static_cast<ptrdiff_t>(place));
    expected.erase(expected.begin() + static_cast<ptrdiff_t>(place));
  }
  return taken;
}

}  // namespace mmtune
