// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gaussian process regression, the cost model of the strategy "model". It predicts the time of a schedule (a kernel
// family with its parameters, such as tile sizes) from its features, numbers that describe it, and how uncertain that
// is. See Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), chapters 2 and 5.
//
// The covariance of two points at distance d is a Matérn 5/2 kernel of d / length, plus their inner product, plus 1/2.
// So the model is a smooth deviation from a linear trend with unknown level.
//
// The process is conditioned on one measured point at a time. L is the Cholesky factor of the covariances of the
// measured points. Point i adds row i to L, and row i to V = L^-1 K(measured points, candidates). That costs i
// multiplications for each candidate. Loops over candidates are elementwise, so results do not depend on the vector
// width of the machine.
//
// WithoutOutliers() prepares the measured times. "Kernel" means the covariance function here, not a GPU kernel.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace mmtune {

/// Converts features to points: every feature is standardized, so that all have equal weight. Distances do not depend
/// on the number of features. A copyable value.
class FeatureScale {
 public:
  FeatureScale() = default;
  /// Takes the mean and deviation of each feature from a sample of the search space, which must not be empty. Features
  /// that are constant in the sample are ignored.
  explicit FeatureScale(const std::vector<std::vector<double>>& sample);

  /// Returns the standardized features, divided by the square root of their number.
  Eigen::ArrayXd ToPoint(const std::vector<double>& features) const;
  /// Returns the features of a point. A point does not have the features that are constant in the sample: they are
  /// taken from `ignored`, which has an entry for every feature. ToPoint() of the result is the point again.
  std::vector<double> ToFeatures(const Eigen::Ref<const Eigen::ArrayXd>& point, std::vector<double> ignored) const;

 private:
  std::vector<size_t> used_;
  Eigen::ArrayXd mean_, divisor_;  ///< One for each of used_.
};

/// Several points: one column for each point, one row for each coordinate.
using Points = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The parameters of the covariance.
struct ProcessKernel {
  double length = 0.7;  ///< The distance over which values are correlated.
  double noise = 1e-2;  ///< The variance of a measurement.
  bool operator==(const ProcessKernel&) const = default;
};

/// Returns the squared distances from one point to each of the others.
Eigen::ArrayXd SquaredDistances(const Eigen::ArrayXd& point, const Eigen::Ref<const Points>& others);
/// Returns the squared norm of each point.
Eigen::ArrayXd SquaredNorms(const Eigen::Ref<const Points>& points);

/// Returns the covariances of one point with each of the others. Takes the squared distances to them, the squared norm
/// of the point, and the squared norms of the others.
Eigen::ArrayXd Covariances(const ProcessKernel& kernel, const Eigen::Ref<const Eigen::ArrayXd>& distances, double norm,
                           const Eigen::Ref<const Eigen::ArrayXd>& norms);
/// Computes the same covariances from the points themselves.
Eigen::ArrayXd Covariances(const ProcessKernel& kernel, const Eigen::ArrayXd& point,
                           const Eigen::Ref<const Points>& others);
/// Returns the variance of each point before anything was measured, from its squared norm.
Eigen::ArrayXd Variances(const Eigen::Ref<const Eigen::ArrayXd>& norms);

/// Returns the kernel, out of a fixed few, under which the measured `values` at `points` are most likely. There must be
/// at least 2 points; the values must have mean 0, and their scale does not matter. Set `residual` if the values are
/// residuals of a formula: then shorter lengths are tried, too, because the formula explains what changes slowly.
ProcessKernel MostLikelyKernel(const Points& points, const Eigen::VectorXd& values, bool residual = false);

/// A Gaussian process conditioned on a sequence of points. Not thread-safe.
class GaussianProcess {
 public:
  GaussianProcess() = default;
  explicit GaussianProcess(const ProcessKernel& kernel) : kernel_(kernel) {}

  const ProcessKernel& kernel() const { return kernel_; }
  /// Returns the number of points.
  size_t size() const { return points_.size(); }

  /// Replaces the kernel and forgets all points but the first `keep`. `keep` must be 0 unless the kernel stays the
  /// same.
  void Restart(const ProcessKernel& kernel, size_t keep);
  /// Conditions the process on one more point.
  void Append(const Eigen::ArrayXd& point);

  /// Returns point `i`.
  const Eigen::ArrayXd& point(size_t i) const { return points_[i]; }

  /// Computes row `i` of V (`rows`) for the candidates from the rows before it, and subtracts from each candidate's
  /// variance what point `i` explains. Row `i` of `distances` has the candidates' squared distances to point `i`;
  /// `norms` has their squared norms. Only the first variance.size() columns are used.
  void Condition(size_t i, const Points& distances, const Eigen::ArrayXd& norms, Points& rows,
                 Eigen::ArrayXd& variance) const;

  /// Subtracts from the variances what row `i` of V explains. The row must have been computed.
  static void TakeExplained(size_t i, const Points& rows, Eigen::ArrayXd& variance);

  /// Returns L^-1 * values. The predicted mean of a candidate is the dot product of this vector with the candidate's
  /// column of V. A value that is not `known` is replaced by its prediction from the values before it, which adds no
  /// information.
  Eigen::VectorXd Weights(const Eigen::VectorXd& values, const std::vector<bool>& known) const;

 private:
  ProcessKernel kernel_;
  std::vector<Eigen::ArrayXd> points_;
  std::vector<Eigen::VectorXd> factor_;  ///< The lower triangle of L by rows.
};

/// Returns the values with slow outliers lowered, to prepare them for MostLikelyKernel(). Otherwise a single schedule
/// that spills registers and is ten times slower would decide the length of the covariance kernel for all.
///
/// Each value above the median is lowered to what it would be if the upper half were distributed like the lower half:
/// to the quantile, at the value's rank, of a normal distribution with the lower half's deviation. The order of values
/// is kept, and equal values stay equal. Returns the values unchanged if there are fewer than 8, or the lower half is
/// constant. It is the half-rank warping of Song et al., The Vizier Gaussian Process Bandit Algorithm (arXiv
/// 2408.11527, 2024).
std::vector<double> WithoutOutliers(std::vector<double> values);

/// Returns the slope of a linear regression of `y` on `x`, shrunk towards the slope `prior` and clamped to [0, 1]. The
/// prior counts as much as observations whose squared deviations from the mean of `x` add up to `weight`.
double ShrunkenSlope(const std::vector<double>& x, const std::vector<double>& y, double prior, double weight);

}  // namespace mmtune
