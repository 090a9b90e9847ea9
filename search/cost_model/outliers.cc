// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/outliers.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "search/cost_model/portable_math.h"

namespace mmtune {
namespace {

constexpr size_t kFewest = 8;

/// The deviation below which a standard normal value lies with this chance, in (0, 1).
double NormalQuantile(double chance) {
  double low = -9, high = 9;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(-middle / std::numbers::sqrt2) < chance ? low : high) = middle;
  }
  return Settled(low);
}

}  // namespace

std::vector<double> WithoutOutliers(std::vector<double> values) {
  const size_t count = values.size();
  if (count < kFewest) return values;
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return std::pair(values[a], a) < std::pair(values[b], b); });
  const size_t middle = (count - 1) / 2;
  const double median = values[order[middle]];
  double squares = 0;
  for (size_t i = 0; i <= middle; ++i) squares += (values[order[i]] - median) * (values[order[i]] - median);
  const double deviation = std::sqrt(squares / static_cast<double>(middle + 1));
  if (!(deviation > 0)) return values;  // no spread to judge by
  for (size_t first = middle + 1, end = 0; first < count; first = end) {
    const double value = values[order[first]];
    for (end = first + 1; end < count && values[order[end]] == value; ++end) {
    }
    if (value == median) continue;
    // Equal ones have one rank, in their middle.
    const double chance = static_cast<double>(first + end) / 2 / static_cast<double>(count);
    const double highest = median + deviation * NormalQuantile(chance);
    for (size_t i = first; i < end; ++i) values[order[i]] = std::min(value, highest);
  }
  return values;
}

}  // namespace mmtune
