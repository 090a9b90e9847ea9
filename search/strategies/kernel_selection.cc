// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/kernel_selection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr double kUnusable = std::numeric_limits<double>::infinity();

double TimeOf(double ns) { return ns > 0 ? ns : kUnusable; }

}  // namespace

std::vector<int64_t> HalfOctaves(int64_t from, int64_t to) {
  std::vector<int64_t> ends;
  for (int64_t octave = 1; octave < to; octave *= 2) {
    for (const int64_t end : {octave, octave + octave / 2}) {
      if (end >= from && end < to && (ends.empty() || end > ends.back())) ends.push_back(end);
    }
  }
  ends.push_back(to);
  return ends;
}

absl::StatusOr<KernelSelection> SelectKernels(const std::vector<std::vector<double>>& ns) {
  const size_t buckets = ns.empty() ? 0 : ns[0].size();
  std::vector<double> best(buckets, kUnusable);
  for (const std::vector<double>& of_kernel : ns) {
    for (size_t i = 0; i < buckets; ++i) best[i] = std::min(best[i], TimeOf(of_kernel[i]));
  }
  for (size_t i = 0; i < buckets; ++i) {
    if (best[i] == kUnusable) return NotFound(absl::StrCat("no kernel can be used in bucket ", i));
  }
  KernelSelection selection;
  std::vector<double> reached(buckets, kUnusable);  // The times with what was selected.
  std::vector<bool> selected(ns.size(), false);
  selection.kernel_of.resize(buckets);
  selection.regret.resize(buckets);
  while (selection.kernels < ns.size()) {
    // A choice with fewer unusable buckets is better; among equals, the smaller sum of the logarithms of the ratios.
    std::pair<size_t, double> lowest{buckets + 1, 0};
    size_t next = 0;
    for (size_t kernel = 0; kernel < ns.size(); ++kernel) {
      if (selected[kernel]) continue;
      std::pair<size_t, double> cost{0, 0};
      for (size_t i = 0; i < buckets; ++i) {
        const double time = std::min(reached[i], TimeOf(ns[kernel][i]));
        if (time == kUnusable) {
          ++cost.first;
        } else {
          cost.second += std::log(time / best[i]);
        }
      }
      if (cost >= lowest) continue;
      lowest = cost;
      next = kernel;
    }
    selected[next] = true;
    ++selection.kernels;
    for (size_t i = 0; i < buckets; ++i) {
      const double time = TimeOf(ns[next][i]);
      if (time < reached[i] || (time == reached[i] && time != kUnusable && next < selection.kernel_of[i])) {
        reached[i] = time;
        selection.kernel_of[i] = next;
      }
      selection.regret[i] = reached[i] / best[i] - 1;
    }
    if (lowest.first > 0) continue;
    std::vector<double> sorted = selection.regret;
    std::sort(sorted.begin(), sorted.end());
    selection.mean_regret = std::exp(lowest.second / static_cast<double>(buckets)) - 1;
    selection.p90_regret = sorted[(9 * buckets + 9) / 10 - 1];
    if (selection.mean_regret <= kMostMeanRegret && selection.p90_regret <= kMostP90Regret) break;
  }
  // A kernel selected early may have lost all of its buckets.
  std::vector<size_t> used = selection.kernel_of;
  std::sort(used.begin(), used.end());
  selection.kernels = static_cast<size_t>(std::unique(used.begin(), used.end()) - used.begin());
  return selection;
}

}  // namespace mmtune
