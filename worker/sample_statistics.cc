#include "worker/sample_statistics.h"

#include <algorithm>
#include <cmath>

namespace mmtune {
namespace {

/// Largest j >= 1 with 2*P(binomial(n, 1/2) <= j-1) <= 5%, or 1.
size_t LowerRank(size_t n) {
  double log_choose = 0;  // of (n over i)
  double below = 0;
  size_t rank = 1;
  for (size_t i = 0; i < n / 2; ++i) {
    below += std::exp(log_choose - static_cast<double>(n) * std::log(2.0));
    if (2 * below > 0.05) break;
    rank = i + 1;
    log_choose += std::log(static_cast<double>(n - i)) - std::log(static_cast<double>(i + 1));
  }
  return rank;
}

}  // namespace

MedianInterval MedianOf(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const size_t n = samples.size();
  const size_t rank = LowerRank(n);
  const double median = n % 2 == 1 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  return MedianInterval{median, samples[rank - 1], samples[n - rank]};
}

}  // namespace mmtune
