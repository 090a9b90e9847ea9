// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/candidate_pool.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace mmtune {
namespace {

/// Columns and rows that are made at once.
constexpr Eigen::Index kColumns = 1024;
constexpr Eigen::Index kRows = 64;

/// `at_least` rounded up to a multiple of `step`, unless there is room already.
Eigen::Index RoomFor(Eigen::Index at_least, Eigen::Index room, Eigen::Index step) {
  return room >= at_least ? room : (at_least + step - 1) / step * step;
}

}  // namespace

void CandidatePool::Reserve(Eigen::Index rows) {
  rows_.conservativeResize(RoomFor(rows, rows_.rows(), kRows), points_.cols());
  distances_.conservativeResize(rows_.rows(), points_.cols());
}

void CandidatePool::Add(std::vector<ScoredSchedule> fresh, const GaussianProcess& process) {
  if (fresh.empty()) return;
  const auto more = static_cast<Eigen::Index>(fresh.size());
  const Eigen::Index before = Count();
  const Eigen::Index dimensions = fresh.front().point.size();
  const auto given = static_cast<Eigen::Index>(process.size());
  Points block(dimensions, more);
  for (Eigen::Index i = 0; i < more; ++i) block.col(i) = fresh[static_cast<size_t>(i)].point;
  Points rows(given, more), distances(given, more);
  const Eigen::ArrayXd norms = SquaredNorms(block);
  Eigen::ArrayXd variances = Variances(norms);
  for (Eigen::Index i = 0; i < given; ++i) {
    const auto at = static_cast<size_t>(i);
    distances.row(i) = SquaredDistances(process.point(at), block).transpose();
    process.Condition(at, distances, norms, rows, variances);
  }

  points_.conservativeResize(dimensions, RoomFor(before + more, points_.cols(), kColumns));
  Reserve(given);
  if (before == 0) {
    centres_.clear();
    for (size_t i = 0; i < process.size(); ++i) centres_.push_back(process.point(i));
  }
  points_.middleCols(before, more) = block;
  rows_.block(0, before, given, more) = rows;
  distances_.block(0, before, given, more) = distances;
  norms_.conservativeResize(before + more);
  norms_.tail(more) = norms;
  variances_.conservativeResize(before + more);
  variances_.tail(more) = variances;
  expected_.conservativeResize(before + more);
  delays_.conservativeResize(before + more);
  priors_.conservativeResize(before + more);
  for (ScoredSchedule& candidate : fresh) {
    expected_[Count()] = candidate.expected;
    delays_[Count()] = candidate.delay;
    priors_[Count()] = candidate.prior;
    schedules_.push_back(std::move(candidate.schedule));
    codes_.push_back(candidate.code);
  }
}

void CandidatePool::Remove(size_t i) { RemoveAll({i}); }

void CandidatePool::RemoveAll(const std::vector<size_t>& descending) {
  // Where what comes to a place is now: places that are left are filled from those that are not.
  std::vector<size_t> from(size());
  std::iota(from.begin(), from.end(), size_t{0});
  for (size_t i : descending) {
    from[i] = from.back();
    from.pop_back();
  }
  std::vector<std::pair<Eigen::Index, Eigen::Index>> moves;
  for (size_t i : descending) {
    if (i >= from.size()) continue;
    schedules_[i] = std::move(schedules_[from[i]]);
    codes_[i] = codes_[from[i]];
    moves.emplace_back(static_cast<Eigen::Index>(from[i]), static_cast<Eigen::Index>(i));
  }
  schedules_.resize(from.size());
  codes_.resize(from.size());
  // Row by row, as they lie in memory.
  const auto move = [&moves](double* values) {
    for (const auto& [at, to] : moves) values[to] = values[at];
  };
  const auto centres = static_cast<Eigen::Index>(centres_.size());
  for (Eigen::Index row = 0; row < points_.rows(); ++row) move(&points_(row, 0));
  for (Eigen::Index row = 0; row < centres; ++row) {
    move(&rows_(row, 0));
    move(&distances_(row, 0));
  }
  for (Eigen::ArrayXd* each : {&norms_, &variances_, &expected_, &delays_, &priors_}) {
    move(each->data());
    each->conservativeResize(Count());
  }
}

std::vector<uint64_t> CandidatePool::KeepBest(const Eigen::ArrayXd& scores, size_t keep) {
  if (size() <= keep) return {};
  std::vector<size_t> order(size());
  std::iota(order.begin(), order.end(), size_t{0});
  const size_t worst = size() - keep;
  std::nth_element(order.begin(), order.begin() + static_cast<ptrdiff_t>(worst), order.end(), [&](size_t a, size_t b) {
    const double x = scores[static_cast<Eigen::Index>(a)], y = scores[static_cast<Eigen::Index>(b)];
    return x != y ? x < y : a > b;
  });
  order.resize(worst);
  std::sort(order.begin(), order.end(), std::greater<>());
  std::vector<uint64_t> removed;
  for (size_t i : order) removed.push_back(codes_[i]);
  RemoveAll(order);
  return removed;
}

void CandidatePool::ConditionOnLast(const GaussianProcess& process) {
  if (schedules_.empty()) return;
  const size_t last = process.size() - 1;
  const auto row = static_cast<Eigen::Index>(last);
  Reserve(row + 1);
  centres_.push_back(process.point(last));
  distances_.row(row).head(Count()) = SquaredDistances(centres_.back(), points_.leftCols(Count())).transpose();
  process.Condition(last, distances_, norms_, rows_, variances_);
}

void CandidatePool::Recondition(const GaussianProcess& process, size_t same) {
  if (schedules_.empty()) return;
  const auto kept = static_cast<Eigen::Index>(same);
  const std::vector<Eigen::ArrayXd> others(centres_.begin() + kept, centres_.end());
  const Points distances = distances_.middleRows(kept, static_cast<Eigen::Index>(others.size()));
  centres_.resize(same);
  Reserve(static_cast<Eigen::Index>(process.size()));
  variances_ = Variances(norms_);
  for (size_t i = 0; i < same; ++i) GaussianProcess::TakeExplained(i, rows_, variances_);
  for (size_t i = same; i < process.size(); ++i) {
    const Eigen::ArrayXd& centre = process.point(i);
    const auto known = std::find_if(others.begin(), others.end(),
                                    [&](const Eigen::ArrayXd& other) { return (other == centre).all(); });
    auto row = distances_.row(static_cast<Eigen::Index>(i)).head(Count());
    if (known == others.end())
      row = SquaredDistances(centre, points_.leftCols(Count())).transpose();
    else
      row = distances.row(known - others.begin()).head(Count());
    centres_.push_back(centre);
    process.Condition(i, distances_, norms_, rows_, variances_);
  }
}

Eigen::ArrayXd CandidatePool::Means(const Eigen::VectorXd& weights) const {
  Eigen::ArrayXd means = Eigen::ArrayXd::Zero(Count());
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    if (weights[i] != 0) means += weights[i] * rows_.row(i).head(Count()).transpose();
  }
  return means;
}

namespace {

/// An index, with these weights; `all` is their sum, above 0.
size_t Draw(const std::vector<double>& weights, double all, SearchRng& rng) {
  double at = UniformUnit(rng) * all;
  size_t chosen = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    chosen = i;  // Rounding may leave a rest of `at`; then the last candidate is chosen.
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

std::vector<ScoredSchedule> TakeInitialDesign(std::vector<ScoredSchedule>& sample, std::vector<double>& expected,
                                              double share, size_t count, SearchRng& rng) {
  const std::vector<size_t> eligible = BestShare(expected, share, count);
  std::vector<double> weights(eligible.size(), 1);
  std::vector<double> nearest(eligible.size(), std::numeric_limits<double>::infinity());
  std::vector<ScoredSchedule> taken;
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
