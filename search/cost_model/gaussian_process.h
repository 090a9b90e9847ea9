// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gaussian process regression over the features of schedules. Rasmussen and Williams, Gaussian Processes for Machine
// Learning (2006), chapters 2 and 5.
//
// The covariance of two points at distance d is a Matérn 5/2 kernel of d / length, plus their inner product, plus 1/2:
// smooth bumps on a linear trend with an unknown level. The process is conditioned one point at a time: point i of the
// Cholesky factor L adds row i of V = L^-1 K(points, candidates), at i multiplications a candidate. Loops over
// candidates are elementwise, so that results do not depend on the width of vectors.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace mmtune {

/// Scales features to points whose coordinates have equal weight, and whose distances do not depend on how many
/// coordinates there are. A copyable value.
class FeatureScale {
 public:
  FeatureScale() = default;
  /// Learns mean and deviation of each feature from a sample of a space, not empty. Constant features are ignored.
  explicit FeatureScale(const std::vector<std::vector<double>>& sample);

  /// Returns the standardized features, divided by the square root of their number.
  Eigen::ArrayXd ToPoint(const std::vector<double>& features) const;

 private:
  std::vector<size_t> used_;
  Eigen::ArrayXd mean_, divisor_;  ///< One for each of used_.
};

/// A column for each point, a row for each coordinate.
using Points = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct ProcessKernel {
  double length = 0.7;
  double noise = 1e-2;  ///< The variance of a measurement.
  bool operator==(const ProcessKernel&) const = default;
};

/// Returns the squared distances from one point to each of the others.
Eigen::ArrayXd SquaredDistances(const Eigen::ArrayXd& point, const Eigen::Ref<const Points>& others);
/// Returns the squared norm of each point.
Eigen::ArrayXd SquaredNorms(const Eigen::Ref<const Points>& points);

/// Returns the covariances of one point with each of the others, from the squared distances to them, its squared norm
/// (`norm`) and theirs (`norms`).
Eigen::ArrayXd Covariances(const ProcessKernel& kernel, const Eigen::Ref<const Eigen::ArrayXd>& distances, double norm,
                           const Eigen::Ref<const Eigen::ArrayXd>& norms);
/// Computes the same covariances from the points themselves.
Eigen::ArrayXd Covariances(const ProcessKernel& kernel, const Eigen::ArrayXd& point,
                           const Eigen::Ref<const Points>& others);
/// Returns the prior variance of each point, from its squared norm.
Eigen::ArrayXd Variances(const Eigen::Ref<const Eigen::ArrayXd>& norms);

/// Returns the kernel, out of a fixed few, with the greatest likelihood of `values` at `points` at any scale. One value
/// a point, mean 0; at least 2 points. With `residual` the values are residuals of a formula, and shorter lengths are
/// tried too, because the formula has already explained what changes slowly.
ProcessKernel MostLikelyKernel(const Points& points, const Eigen::VectorXd& values, bool residual = false);

/// A process conditioned on a sequence of points. Not thread-safe.
class GaussianProcess {
 public:
  GaussianProcess() = default;
  explicit GaussianProcess(const ProcessKernel& kernel) : kernel_(kernel) {}

  const ProcessKernel& kernel() const { return kernel_; }
  size_t size() const { return points_.size(); }

  /// Replaces the kernel and forgets all points but the first `keep`; `keep` is 0 unless the kernel stays the same.
  void Restart(const ProcessKernel& kernel, size_t keep);
  /// Conditions the process on one more point.
  void Append(const Eigen::ArrayXd& point);

  const Eigen::ArrayXd& point(size_t i) const { return points_[i]; }

  /// Fills row `i` of V (`rows`) for the candidates, given the rows before it, and subtracts from each candidate's
  /// variance what point `i` explains. Row `i` of `distances` has the candidates' squared distances to it, `norms`
  /// their squared norms. Only the first variance.size() columns are used.
  void Condition(size_t i, const Points& distances, const Eigen::ArrayXd& norms, Points& rows,
                 Eigen::ArrayXd& variance) const;

  /// Subtracts from the variances what row `i` of V, already filled, explains.
  static void TakeExplained(size_t i, const Points& rows, Eigen::ArrayXd& variance);

  /// Returns L^-1 values; the mean at a candidate is its dot product with the candidate's column of V. An unknown value
  /// is replaced by its prediction from the values before it, which adds no information.
  Eigen::VectorXd Weights(const Eigen::VectorXd& values, const std::vector<bool>& known) const;

 private:
  ProcessKernel kernel_;
  std::vector<Eigen::ArrayXd> points_;
  std::vector<Eigen::VectorXd> factor_;  ///< The lower triangle of L by rows.
};

}  // namespace mmtune
