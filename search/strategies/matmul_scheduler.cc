// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/matmul_scheduler.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mmtune {

ProductScheduler::ProductScheduler(std::vector<ProductProgress> products) : products_(std::move(products)) {
  double sum = 0;
  size_t known = 0;
  for (const ProductProgress& product : products_) {
    if (product.trial_seconds <= 0) continue;
    sum += product.trial_seconds;
    ++known;
  }
  if (known > 0) usual_seconds_ = sum / static_cast<double>(known);
}

double ProductScheduler::GainNs(size_t i) const {
  const ProductProgress& product = products_[i];
  if (product.exhausted) return 0;
  const auto trials = static_cast<double>(std::max<int64_t>(1, product.trials));
  double gain = kPriorGain / (trials * std::sqrt(trials));
  if (product.expected_gain) gain = std::sqrt(gain * std::max(0.0, *product.expected_gain));
  const double most = std::max(0.0, product.time_ns - product.bound_ns);
  return product.weight * std::min(gain * product.time_ns, most);
}

double ProductScheduler::Rate(size_t i) const {
  const ProductProgress& product = products_[i];
  const double seconds = product.trial_seconds > 0 ? product.trial_seconds : usual_seconds_;
  // A trial that is running may find the same improvement.
  return GainNs(i) / (seconds * static_cast<double>(1 + product.running));
}

bool ProductScheduler::Yields(size_t i) const { return products_[i].ran == 0 && products_[i].trials >= kPatience; }

std::vector<size_t> ProductScheduler::Order() const {
  std::vector<size_t> order, yielding;
  for (size_t i = 0; i < products_.size(); ++i) {
    if (!products_[i].exhausted) (Yields(i) ? yielding : order).push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) { return Rate(a) > Rate(b); });
  // Failures may take no time at all, so that a rate would say nothing of a product that yields.
  std::stable_sort(yielding.begin(), yielding.end(), [this](size_t a, size_t b) { return GainNs(a) > GainNs(b); });
  double others = 0;
  for (size_t i : order) others = std::max(others, GainNs(i));
  const auto last = std::find_if(yielding.begin(), yielding.end(), [&](size_t i) { return GainNs(i) <= others; });
  order.insert(order.begin(), yielding.begin(), last);
  order.insert(order.end(), last, yielding.end());
  return order;
}

double ProductScheduler::ModelNs() const {
  double sum = 0;
  for (const ProductProgress& product : products_) sum += product.weight * product.time_ns;
  return sum;
}

bool ProductScheduler::Converged() const {
  double gain = 0;
  for (size_t i = 0; i < products_.size(); ++i) gain += GainNs(i);
  return gain < kLeastGain * ModelNs();
}

}  // namespace mmtune
