// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/gaussian_process.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>

#include "search/cost_model/portable_math.h"

namespace mmtune {
namespace {

/// A feature that varies less is the same everywhere.
constexpr double kMinDeviation = 1e-5;

}  // namespace

FeatureScale::FeatureScale(const std::vector<std::vector<double>>& sample) {
  const auto count = static_cast<double>(sample.size());
  std::vector<double> means, deviations;
  for (size_t i = 0; i < sample.front().size(); ++i) {
    double mean = 0, squares = 0;
    for (const std::vector<double>& features : sample) mean += Settled(features[i]) / count;
    for (const std::vector<double>& features : sample) {
      squares += (Settled(features[i]) - mean) * (Settled(features[i]) - mean) / count;
    }
    if (std::sqrt(squares) < kMinDeviation) continue;
    used_.push_back(i);
    means.push_back(mean);
    deviations.push_back(std::sqrt(squares));
  }
  const auto used = static_cast<Eigen::Index>(used_.size());
  mean_ = Eigen::Map<Eigen::ArrayXd>(means.data(), used);
  divisor_ = Eigen::Map<Eigen::ArrayXd>(deviations.data(), used) * std::sqrt(static_cast<double>(used));
}

Eigen::ArrayXd FeatureScale::ToPoint(const std::vector<double>& features) const {
  Eigen::ArrayXd point(static_cast<Eigen::Index>(used_.size()));
  for (Eigen::Index i = 0; i < point.size(); ++i) {
    point[i] = (Settled(features[used_[static_cast<size_t>(i)]]) - mean_[i]) / divisor_[i];
  }
  return point;
}

std::vector<double> FeatureScale::ToFeatures(const Eigen::Ref<const Eigen::ArrayXd>& point,
                                             std::vector<double> ignored) const {
  for (Eigen::Index i = 0; i < point.size(); ++i) {
    ignored[used_[static_cast<size_t>(i)]] = Settled(mean_[i] + point[i] * divisor_[i]);
  }
  return ignored;
}

namespace {

/// A series, each twice the one before; the first one of residuals alone. Measurements say which of them counts.
constexpr double kLengths[] = {0.175, 0.35, 0.7, 1.4};
constexpr double kNoises[] = {1e-3, 1e-2};
/// The prior variance of the level.
constexpr double kLevel = 0.5;
/// Variances are kept above this in spite of rounding.
constexpr double kMinVariance = 1e-9;

inline double Matern(double squared_distance, double length) {
  const double d = std::sqrt(5 * std::max(squared_distance, 0.0)) / length;
  return (1 + d + d * d / 3) * ExpOfNegative(-d);
}

/// Adds the kernel at each squared distance to `sums`. Plain arrays, which do not overlap: compilers make vectors of
/// it.
void AddMatern(const double* __restrict squared_distances, Eigen::Index count, double length, double* __restrict sums) {
  for (Eigen::Index i = 0; i < count; ++i) sums[i] += Matern(squared_distances[i], length);
}

/// Takes `factors[j]` times row `j` of `rows` from `row`, for each j in turn: four at a time, so that an element is
/// loaded and stored once for four, and as many elements as stay in the fastest cache.
void SubtractRows(const double* factors, Eigen::Index factor_count, const Points& rows, Eigen::ArrayXd& row) {
  constexpr Eigen::Index kAtOnce = 4, kElements = 1024;
  for (Eigen::Index first = 0; first < row.size(); first += kElements) {
    const Eigen::Index count = std::min(kElements, row.size() - first);
    double* __restrict to = row.data() + first;
    const double* from = rows.data() + first;
    Eigen::Index j = 0;
    for (; j + kAtOnce <= factor_count; j += kAtOnce) {
      const double *a = from + j * rows.outerStride(), *b = a + rows.outerStride(), *c = b + rows.outerStride(),
                   *d = c + rows.outerStride();
      const double fa = factors[j], fb = factors[j + 1], fc = factors[j + 2], fd = factors[j + 3];
      for (Eigen::Index i = 0; i < count; ++i) to[i] = to[i] - fa * a[i] - fb * b[i] - fc * c[i] - fd * d[i];
    }
    for (; j < factor_count; ++j) {
      const double* a = from + j * rows.outerStride();
      for (Eigen::Index i = 0; i < count; ++i) to[i] -= factors[j] * a[i];
    }
  }
}

/// The logarithm of the likelihood, up to a constant; the scale of values is the most likely one.
double LogLikelihood(const Eigen::MatrixXd& covariances, const Eigen::VectorXd& values) {
  const Eigen::LLT<Eigen::MatrixXd> factor(covariances);
  if (factor.info() != Eigen::Success) return -std::numeric_limits<double>::infinity();
  const Eigen::VectorXd weights = factor.matrixL().solve(values);
  const auto n = static_cast<double>(values.size());
  const double scale = std::max(weights.squaredNorm() / n, kMinVariance);
  const Eigen::MatrixXd& lower = factor.matrixLLT();
  return -0.5 * n * std::log(scale) - lower.diagonal().array().log().sum();
}

}  // namespace

Eigen::ArrayXd SquaredDistances(const Eigen::ArrayXd& point, const Eigen::Ref<const Points>& others) {
  Eigen::ArrayXd distances = Eigen::ArrayXd::Zero(others.cols());
  for (Eigen::Index i = 0; i < others.rows(); ++i) distances += (others.row(i).transpose() - point[i]).square();
  return distances;
}

Eigen::ArrayXd SquaredNorms(const Eigen::Ref<const Points>& points) {
  return SquaredDistances(Eigen::ArrayXd::Zero(points.rows()), points);
}

Eigen::ArrayXd Covariances(const ProcessKernel& kernel, const Eigen::Ref<const Eigen::ArrayXd>& distances, double norm,
                           const Eigen::Ref<const Eigen::ArrayXd>& norms) {
  Eigen::ArrayXd covariances = 0.5 * (norms + norm - distances) + kLevel;
  AddMatern(distances.data(), covariances.size(), kernel.length, covariances.data());
  return covariances;
}

Eigen::ArrayXd Covariances(const ProcessKernel& kernel, const Eigen::ArrayXd& point,
                           const Eigen::Ref<const Points>& others) {
  return Covariances(kernel, SquaredDistances(point, others), point.square().sum(), SquaredNorms(others));
}

Eigen::ArrayXd Variances(const Eigen::Ref<const Eigen::ArrayXd>& norms) { return norms + 1 + kLevel; }

ProcessKernel MostLikelyKernel(const Points& points, const Eigen::VectorXd& values, bool residual) {
  const Eigen::ArrayXd norms = SquaredNorms(points);
  Points distances(points.cols(), points.cols());
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    distances.row(i) = SquaredDistances(points.col(i), points).transpose();
  }
  ProcessKernel best;
  double most = -std::numeric_limits<double>::infinity();
  for (double length : std::span(kLengths).subspan(residual ? 0 : 1)) {
    Eigen::MatrixXd smooth(points.cols(), points.cols());
    for (Eigen::Index i = 0; i < points.cols(); ++i) {
      smooth.col(i) = Covariances({length, 0}, distances.row(i).transpose(), norms[i], norms).matrix();
    }
    for (double noise : kNoises) {
      Eigen::MatrixXd measured = smooth;
      measured.diagonal().array() += noise;
      const double likelihood = LogLikelihood(measured, values);
      if (likelihood > most) {
        most = likelihood;
        best = {length, noise};
      }
    }
  }
  return best;
}

void GaussianProcess::Restart(const ProcessKernel& kernel, size_t keep) {
  kernel_ = kernel;
  points_.erase(points_.begin() + static_cast<ptrdiff_t>(keep), points_.end());
  factor_.erase(factor_.begin() + static_cast<ptrdiff_t>(keep), factor_.end());
}

void GaussianProcess::Append(const Eigen::ArrayXd& point) {
  const auto n = static_cast<Eigen::Index>(points_.size());
  Eigen::VectorXd row(n + 1);
  double left = 0;
  for (Eigen::Index i = 0; i <= n; ++i) {
    const Eigen::ArrayXd& other = i < n ? points_[static_cast<size_t>(i)] : point;
    double covariance = Matern((point - other).square().sum(), kernel_.length) + (point * other).sum() + kLevel;
    if (i == n) {
      left = covariance + kernel_.noise - row.head(n).squaredNorm();
      break;
    }
    const Eigen::VectorXd& of_other = factor_[static_cast<size_t>(i)];
    row[i] = (covariance - of_other.head(i).dot(row.head(i))) / of_other[i];
  }
  row[n] = std::sqrt(std::max(left, kMinVariance));
  points_.push_back(point);
  factor_.push_back(std::move(row));
}

void GaussianProcess::Condition(size_t i, const Points& distances, const Eigen::ArrayXd& norms, Points& rows,
                                Eigen::ArrayXd& variance) const {
  const auto at = static_cast<Eigen::Index>(i);
  const Eigen::Index count = variance.size();
  Eigen::ArrayXd row =
      Covariances(kernel_, distances.row(at).head(count).transpose(), points_[i].square().sum(), norms.head(count));
  const Eigen::VectorXd& factors = factor_[i];
  SubtractRows(factors.data(), at, rows, row);
  row /= factors[at];
  rows.row(at).head(count) = row.transpose();
  TakeExplained(i, rows, variance);
}

void GaussianProcess::TakeExplained(size_t i, const Points& rows, Eigen::ArrayXd& variance) {
  const auto row = rows.row(static_cast<Eigen::Index>(i)).head(variance.size()).transpose();
  variance = (variance - row.square()).max(kMinVariance);
}

Eigen::VectorXd GaussianProcess::Weights(const Eigen::VectorXd& values, const std::vector<bool>& known) const {
  Eigen::VectorXd weights(values.size());
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const Eigen::VectorXd& row = factor_[static_cast<size_t>(i)];
    weights[i] = known[static_cast<size_t>(i)] ? (values[i] - row.head(i).dot(weights.head(i))) / row[i] : 0;
  }
  return weights;
}

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

double ShrunkenSlope(const std::vector<double>& x, const std::vector<double>& y, double prior, double weight) {
  double mean_x = 0, mean_y = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / static_cast<double>(x.size());
    mean_y += y[i] / static_cast<double>(x.size());
  }
  double squares = weight, products = weight * prior;
  for (size_t i = 0; i < x.size(); ++i) {
    squares += (x[i] - mean_x) * (x[i] - mean_x);
    products += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return std::clamp(products / squares, 0.0, 1.0);
}

}  // namespace mmtune
