// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/gaussian_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "search/cost_model/portable_math.h"
#include "search/space/rng.h"
#include "search/strategies/candidate_pool.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

constexpr Eigen::Index kDimensions = 5;

Points RandomPoints(Eigen::Index count, SearchRng& rng) {
  Points points(kDimensions, count);
  for (Eigen::Index i = 0; i < points.size(); ++i) points.data()[i] = 2 * UniformUnit(rng) - 1;
  return points;
}

std::vector<ScoredSchedule> AsCandidates(const Points& points) {
  std::vector<ScoredSchedule> candidates;
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    candidates.push_back({Schedule{"f", {{"x", i}}}, points.col(i), static_cast<uint64_t>(i)});
  }
  return candidates;
}

double Smooth(const Eigen::ArrayXd& x) { return std::sin(3 * x[0]) + x[1] * x[2] + 0.3 * x[3]; }

/// The textbook's formulas, with the inverse of the matrix.
struct Reference {
  Reference(const ProcessKernel& kernel, const Points& known, const Eigen::VectorXd& values, const Points& asked) {
    Eigen::MatrixXd all(known.cols(), known.cols()), cross(known.cols(), asked.cols());
    for (Eigen::Index i = 0; i < known.cols(); ++i) {
      all.row(i) = Covariances(kernel, known.col(i), known).matrix().transpose();
      cross.row(i) = Covariances(kernel, known.col(i), asked).matrix().transpose();
    }
    all.diagonal().array() += kernel.noise;
    const Eigen::MatrixXd inverse = all.inverse();
    means = cross.transpose() * inverse * values;
    variances = Variances(SquaredNorms(asked)) - (cross.transpose() * inverse * cross).diagonal().array();
  }
  Eigen::ArrayXd means, variances;
};

void ExpectClose(const Eigen::ArrayXd& a, const Eigen::ArrayXd& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_LT((a - b).abs().maxCoeff(), tolerance);
}

TEST(FeatureScale, FeaturesOfAPointHaveTheSamePoint) {
  SearchRng rng(7);
  std::vector<std::vector<double>> sample;
  for (int i = 0; i < 100; ++i) sample.push_back({3 * UniformUnit(rng), 4, 1e4 * UniformUnit(rng)});
  const FeatureScale scale(sample);
  for (const std::vector<double>& features : sample) {
    const std::vector<double> again = scale.ToFeatures(scale.ToPoint(features), sample.front());
    EXPECT_EQ(again[0], Settled(features[0]));
    EXPECT_EQ(again[1], 4) << "what the scale ignores";
    EXPECT_TRUE((scale.ToPoint(again) == scale.ToPoint(features)).all());
  }
}

TEST(PortableMath, TheExponentialIsTheLibrarys) {
  for (double x = 0; x > -50; x -= 0.0137) EXPECT_NEAR(ExpOfNegative(x) / std::exp(x), 1, 1e-14) << x;
  EXPECT_EQ(ExpOfNegative(0), 1);
  EXPECT_LT(ExpOfNegative(-1e9), 1e-300);
}

TEST(GaussianProcess, OnePointAfterTheOtherGivesWhatTheInverseDoes) {
  SearchRng rng(TestSeed(1));
  const Points known = RandomPoints(30, rng), asked = RandomPoints(50, rng);
  Eigen::VectorXd values(known.cols());
  for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = Smooth(known.col(i));
  for (const ProcessKernel& kernel : {ProcessKernel{0.35, 1e-2}, ProcessKernel{1.4, 1e-3}}) {
    const Reference reference(kernel, known, values, asked);
    GaussianProcess process(kernel);
    CandidatePool pool;
    // Some candidates are there from the beginning, some come later.
    pool.Add(AsCandidates(asked.leftCols(20)), process);
    for (Eigen::Index i = 0; i < known.cols(); ++i) {
      process.Append(known.col(i));
      pool.ConditionOnLast(process);
      if (i == 12) pool.Add(AsCandidates(asked.rightCols(30)), process);
    }
    const Eigen::VectorXd weights = process.Weights(values, std::vector<bool>(30, true));
    ExpectClose(pool.Means(weights), reference.means, 1e-8);
    ExpectClose(pool.variances(), reference.variances, 1e-8);
    pool.Recondition(process);
    ExpectClose(pool.Means(weights), reference.means, 1e-8);
    ExpectClose(pool.variances(), reference.variances, 1e-8);
  }
}

// To the bit: else proposals would depend on when the kernel was chosen.
TEST(GaussianProcess, WhatIsKeptIsWhatWouldBeMadeAnew) {
  SearchRng rng(TestSeed(4));
  const Points known = RandomPoints(30, rng), asked = RandomPoints(50, rng);
  const ProcessKernel kernel = {0.35, 1e-2};
  for (Eigen::Index same : {0, 1, 17, 20}) {
    GaussianProcess process(kernel);
    CandidatePool pool;
    pool.Add(AsCandidates(asked), process);
    for (Eigen::Index i = 0; i < 20; ++i) {
      process.Append(known.col(i));
      pool.ConditionOnLast(process);
    }
    process.Restart(kernel, static_cast<size_t>(same));
    GaussianProcess anew(kernel);
    for (Eigen::Index i = 0; i < same; ++i) anew.Append(known.col(i));
    for (Eigen::Index i = 29; i >= 15; --i) {
      process.Append(known.col(i));
      anew.Append(known.col(i));
    }
    pool.Recondition(process, static_cast<size_t>(same));
    CandidatePool fresh;
    fresh.Add(AsCandidates(asked), anew);
    const Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(static_cast<Eigen::Index>(anew.size()), -1, 2);
    const std::vector<bool> all(anew.size(), true);
    EXPECT_TRUE((pool.variances() == fresh.variances()).all()) << same;
    EXPECT_TRUE((pool.Means(process.Weights(values, all)) == fresh.Means(anew.Weights(values, all))).all()) << same;
  }
}

TEST(GaussianProcess, WhatIsNotKnownAtTheEndChangesNoMean) {
  SearchRng rng(TestSeed(2));
  const Points known = RandomPoints(12, rng), asked = RandomPoints(20, rng);
  Eigen::VectorXd values(known.cols());
  for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = Smooth(known.col(i));
  const Reference reference({0.7, 1e-2}, known.leftCols(9), values.head(9), asked);
  GaussianProcess process({0.7, 1e-2});
  for (Eigen::Index i = 0; i < known.cols(); ++i) process.Append(known.col(i));
  CandidatePool pool;
  pool.Add(AsCandidates(asked), process);
  std::vector<bool> is_known(12, true);
  is_known[9] = is_known[10] = is_known[11] = false;
  ExpectClose(pool.Means(process.Weights(values, is_known)), reference.means, 1e-8);
  EXPECT_TRUE((pool.variances() < reference.variances).all()) << "where something waits, less is uncertain";
}

TEST(GaussianProcess, TheMostLikelyKernelTellsSmoothFromRough) {
  SearchRng rng(TestSeed(3));
  const Points points = RandomPoints(60, rng);
  Eigen::VectorXd slope(points.cols()), noise(points.cols());
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    slope[i] = points(0, i) + 0.5 * points(1, i);
    noise[i] = UniformUnit(rng) - 0.5;
  }
  slope.array() -= slope.mean();
  noise.array() -= noise.mean();
  EXPECT_EQ(MostLikelyKernel(points, slope).length, 1.4);
  EXPECT_EQ(MostLikelyKernel(points, noise).length, 0.35);
  EXPECT_EQ(MostLikelyKernel(points, noise, /*residual=*/true).length, 0.175);
}

TEST(CandidatePool, KeepsTheBest) {
  SearchRng rng(1);
  const Points points = RandomPoints(10, rng);
  GaussianProcess process;
  process.Append(RandomPoints(1, rng).col(0));
  CandidatePool pool;
  pool.Add(AsCandidates(points), process);
  Eigen::ArrayXd scores(10);
  scores << 3, 9, 1, 7, 5, 8, 2, 6, 4, 0;
  EXPECT_THAT(pool.KeepBest(scores, 4), ::testing::UnorderedElementsAre(0, 2, 4, 6, 8, 9));
  ASSERT_EQ(pool.size(), 4u);
  std::vector<int64_t> kept;
  for (size_t i = 0; i < pool.size(); ++i) {
    kept.push_back(pool.candidate(i).schedule.Get("x"));
    EXPECT_TRUE((pool.candidate(i).point == points.col(kept.back())).all());
  }
  std::sort(kept.begin(), kept.end());
  EXPECT_EQ(kept, (std::vector<int64_t>{1, 3, 5, 7}));
}

TEST(CandidatePool, RemovesManyAsItRemovesOneAfterAnother) {
  SearchRng rng(TestSeed(2));
  const Points points = RandomPoints(60, rng), known = RandomPoints(3, rng);
  GaussianProcess process;
  for (Eigen::Index i = 0; i < known.cols(); ++i) process.Append(known.col(i));
  for (size_t keep : {size_t{1}, size_t{20}, size_t{33}, size_t{59}}) {
    CandidatePool many, one;
    many.Add(AsCandidates(points), process);
    one.Add(AsCandidates(points), process);
    Eigen::ArrayXd scores(60);
    for (double& score : scores) score = UniformUnit(rng);
    const std::vector<uint64_t> removed = many.KeepBest(scores, keep);
    for (uint64_t code : removed) one.Remove(code);  // From the last on: those to come are where they were.
    ASSERT_EQ(many.size(), keep);
    for (size_t i = 0; i < keep; ++i) {
      EXPECT_EQ(many.candidate(i).code, one.candidate(i).code);
      EXPECT_EQ(many.candidate(i).schedule, one.candidate(i).schedule);
      EXPECT_TRUE((many.candidate(i).point == one.candidate(i).point).all());
    }
    const Eigen::VectorXd weights = Eigen::VectorXd::LinSpaced(3, -1, 2);
    EXPECT_TRUE((many.Means(weights) == one.Means(weights)).all());
    EXPECT_TRUE((many.variances() == one.variances()).all());
  }
}

}  // namespace
}  // namespace mmtune
