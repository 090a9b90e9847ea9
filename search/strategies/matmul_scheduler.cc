// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/matmul_scheduler.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mmtune {

MatmulScheduler::MatmulScheduler(std::vector<MatmulProgress> matmuls) : matmuls_(std::move(matmuls)) {
  double sum = 0;
  size_t known = 0;
  for (const MatmulProgress& matmul : matmuls_) {
    if (matmul.trial_seconds <= 0) continue;
    sum += matmul.trial_seconds;
    ++known;
  }
  if (known > 0) usual_seconds_ = sum / static_cast<double>(known);
}

double MatmulScheduler::GainNs(size_t i) const {
  const MatmulProgress& matmul = matmuls_[i];
  if (matmul.exhausted) return 0;
  const auto trials = static_cast<double>(std::max<int64_t>(1, matmul.trials));
  double gain = kPriorGain / (trials * std::sqrt(trials));
  if (matmul.expected_gain) gain = std::sqrt(gain * std::max(0.0, *matmul.expected_gain));
  const double most = std::max(0.0, matmul.time_ns - matmul.bound_ns);
  return matmul.weight * std::min(gain * matmul.time_ns, most);
}

double MatmulScheduler::Rate(size_t i) const {
  const MatmulProgress& matmul = matmuls_[i];
  const double seconds = matmul.trial_seconds > 0 ? matmul.trial_seconds : usual_seconds_;
  // A trial that is running may find the same improvement.
  return GainNs(i) / (seconds * static_cast<double>(1 + matmul.running));
}

bool MatmulScheduler::Yields(size_t i) const { return matmuls_[i].ran == 0 && matmuls_[i].trials >= kMaxFailedTrials; }

std::vector<size_t> MatmulScheduler::Order() const {
  std::vector<size_t> order, yielding;
  for (size_t i = 0; i < matmuls_.size(); ++i) {
    if (!matmuls_[i].exhausted) (Yields(i) ? yielding : order).push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) { return Rate(a) > Rate(b); });
  // Failures may take no time at all, so that a rate would say nothing of a matmul that yields.
  std::stable_sort(yielding.begin(), yielding.end(), [this](size_t a, size_t b) { return GainNs(a) > GainNs(b); });
  double others = 0;
  for (size_t i : order) others = std::max(others, GainNs(i));
  const auto last = std::find_if(yielding.begin(), yielding.end(), [&](size_t i) { return GainNs(i) <= others; });
  order.insert(order.begin(), yielding.begin(), last);
  order.insert(order.end(), last, yielding.end());
  return order;
}

double MatmulScheduler::ModelNs() const {
  double sum = 0;
  for (const MatmulProgress& matmul : matmuls_) sum += matmul.weight * matmul.time_ns;
  return sum;
}

bool MatmulScheduler::Converged() const {
  double gain = 0;
  for (size_t i = 0; i < matmuls_.size(); ++i) gain += GainNs(i);
  return gain < kLeastGain * ModelNs();
}

}  // namespace mmtune
