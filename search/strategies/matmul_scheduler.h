// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares the trials of a model among its products. A product is one matmul problem of the model; it has a search of its
// own, and a weight, the number of times that the model computes it. The aim is the shortest time of the whole model.
//
//   time of the model = sum of weight * time of the product with its fastest known schedule
//   next trial        = the product with the largest weight * expected improvement / seconds of a trial
//
// The expected improvement has a prior, a fraction of the product's time that falls with each trial. So it is finite
// for a product that never ran, and a product whose trials all fail does not use up the budget. Once the product's
// search predicts an improvement itself (Strategy::ExpectedGain), the geometric mean of the prior and this prediction
// is used, because predictions after few trials are several times too large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mmtune {

/// The progress of the search for one product.
struct ProductProgress {
  double weight = 1;    ///< The number of times that the model computes the product.
  double time_ns = 0;   ///< The time of the fastest known schedule, or the estimate for the one that is used now.
  double bound_ns = 0;  ///< No schedule is faster than this; 0 if that is not known.
  int64_t trials = 0;   ///< Trials with a result.
  int64_t ran = 0;      ///< The number of these trials that gave a time.
  int64_t running = 0;  ///< Trials that are being measured.
  std::optional<double> expected_gain;  ///< Strategy::ExpectedGain().
  double trial_seconds = 0;             ///< The mean time of a trial: compile, verify, measure; 0 if not known.
  bool exhausted = false;               ///< The search proposes nothing more.
};

/// The decision for one state of all products. A plain value.
class ProductScheduler {
 public:
  explicit ProductScheduler(std::vector<ProductProgress> products);

  /// Returns the expected improvement of the model's time by one more trial of product `i`, in nanoseconds: the weight
  /// times the improvement of the product's time. 0 if the product's search is exhausted.
  double GainNs(size_t i) const;
  /// Returns all products that are not exhausted, the one that should get the next trial first.
  std::vector<size_t> Order() const;
  /// Returns the time of the model, in nanoseconds.
  double ModelNs() const;
  /// True if one trial of each product together is expected to improve the model by less than kLeastGain.
  bool Converged() const;

  /// The part of the model's time below which the expected improvement is not worth further trials.
  static constexpr double kLeastGain = 0.005;
  /// The prior of the improvement by each of the first two trials of a product, as a fraction of the product's time.
  /// After n trials, the prior of the next one is kPriorGain / n^1.5. The strategy `model` improves at this rate on
  /// recorded landscapes (docs/measurements/model.md), where the first trial measures the schedule that is used now.
  static constexpr double kPriorGain = 0.25;
  /// If this many trials of a product have all failed, every product with a larger expected improvement comes before
  /// it, however long a trial of that product takes.
  static constexpr int64_t kPatience = 8;

 private:
  bool Yields(size_t i) const;
  /// Returns the expected improvement by one more trial per second that the trial takes. It is smaller while other
  /// trials of the product are running.
  double Rate(size_t i) const;

  std::vector<ProductProgress> products_;
  double usual_seconds_ = 1;  ///< The mean time of a trial of the products for which it is known.
};

}  // namespace mmtune
