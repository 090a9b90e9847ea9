// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Features of schedules as points: each coordinate is about as wide as the others, and so is the distance between two
// points however many there are.
//
// A Gaussian process over points of equal weight in every coordinate: what is known of a function at some points says
// of it at others. Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), chapters 2 and 5.
//
// The covariance of two points at distance d is a Matérn 5/2 kernel of d / length, plus their inner product, plus a
// half: smooth bumps upon a slope and a level, none of them known. It is conditioned one point after another: point i
// of a factor L adds row i of V = L^-1 K(points, candidates), which costs the candidates i multiplications each. All
// loops over candidates are element by element, so that their results do not depend on the width of vectors.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace mmtune {

/// Plain values.
class FeatureScale {
 public:
  FeatureScale() = default;
  /// That of a sample of a space, not empty. What is the same in all of it counts for nothing.
  explicit FeatureScale(const std::vector<std::vector<double>>& sample);

  /// Standardised, and divided by the square root of their number.
  Eigen::ArrayXd ToPoint(const std::vector<double>& features) const;

 private:
  std::vector<size_t> used_;
  Eigen::ArrayXd mean_, divisor_;  ///< Of those used.
};

/// A column for each point, a row for each coordinate.
using Points = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct ProcessKernel {
  double length = 0.7;
  double noise = 1e-2;  ///< Of a measurement, as a variance.
  bool operator==(const ProcessKernel&) const = default;
};

/// Squared distances from one point to each of the others.
Eigen::ArrayXd SquaredDistances(const Eigen::ArrayXd& point, const Eigen::Ref<const Points>& others);
/// The squared norm of each point.
Eigen::ArrayXd SquaredNorms(const Eigen::Ref<const Points>& points);

/// Covariances of one point with each of the others, from the squared distances to them, its squared norm (`norm`) and
/// theirs (`norms`).
Eigen::ArrayXd Covariances(const ProcessKernel& kernel, const Eigen::Ref<const Eigen::ArrayXd>& distances, double norm,
                           const Eigen::Ref<const Eigen::ArrayXd>& norms);
/// The same, from the points themselves.
Eigen::ArrayXd Covariances(const ProcessKernel& kernel, const Eigen::ArrayXd& point,
                           const Eigen::Ref<const Points>& others);
/// The variance of each point, from its squared norm.
Eigen::ArrayXd Variances(const Eigen::Ref<const Eigen::ArrayXd>& norms);

/// The kernel among a few of which `values` at `points` are the most likely, whatever their scale. One value a point,
/// mean 0; at least 2. With `residual`, values are what a formula left over, which may change within shorter lengths:
/// what changes slowly was in the formula.
ProcessKernel MostLikelyKernel(const Points& points, const Eigen::VectorXd& values, bool residual = false);

/// The points it is conditioned upon, in their order. Not thread-safe.
class GaussianProcess {
 public:
  GaussianProcess() = default;
  explicit GaussianProcess(const ProcessKernel& kernel) : kernel_(kernel) {}

  const ProcessKernel& kernel() const { return kernel_; }
  size_t size() const { return points_.size(); }

  /// Forgets all points but the first `keep`, which it may have with its own kernel only.
  void Restart(const ProcessKernel& kernel, size_t keep);
  /// One more point.
  void Append(const Eigen::ArrayXd& point);

  const Eigen::ArrayXd& point(size_t i) const { return points_[i]; }

  /// Fills row `i` of `rows` (V) for candidates, whose rows before it are there, and takes from each variance what
  /// point `i` explains. Row `i` of `distances` are the candidates' squared distances to it, `norms` their squared
  /// norms. Only the first variance.size() columns count.
  void Condition(size_t i, const Points& distances, const Eigen::ArrayXd& norms, Points& rows,
                 Eigen::ArrayXd& variance) const;

  /// What Condition() takes from the variances, of row `i` that is there.
  static void TakeExplained(size_t i, const Points& rows, Eigen::ArrayXd& variance);

  /// L^-1 values: the mean at a candidate is the sum of it times the candidate's column of V. Where `known` is false
  /// the value is taken to be what those before it say, which adds nothing.
  Eigen::VectorXd Weights(const Eigen::VectorXd& values, const std::vector<bool>& known) const;

 private:
  ProcessKernel kernel_;
  std::vector<Eigen::ArrayXd> points_;
  std::vector<Eigen::VectorXd> factor_;  ///< Rows of L, each as long as it has to be.
};

}  // namespace mmtune
