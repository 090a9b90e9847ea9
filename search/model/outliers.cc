// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/model/outliers.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "search/model/portable_math.h"

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
  for (size_t i = middle + 1; i < count; ++i) {
    const double chance = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    values[order[i]] = std::min(values[order[i]], median + deviation * NormalQuantile(chance));
  }
  return values;
}

}  // namespace mmtune
