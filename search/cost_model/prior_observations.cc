// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/prior_observations.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "search/cost_model/gaussian_process.h"
#include "search/cost_model/portable_math.h"

namespace mmtune {
namespace {

constexpr size_t kMaxObservations = 256;
/// The prior variance of the mean of a source, in units of that of residuals.
constexpr double kSourceLevel = 1;

double LogResidual(const TimedSchedule& timed, const std::optional<PredictedTime>& predicted) {
  return Settled(std::log(timed.time_ns)) - (predicted ? Settled(std::log(predicted->total)) : 0);
}

bool AllFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

std::vector<TimedSchedule> EvenlySpaced(const std::vector<TimedSchedule>& timed, size_t most) {
  const size_t count = std::min(timed.size(), most);
  std::vector<TimedSchedule> some;
  for (size_t i = 0; i < count; ++i) some.push_back(timed[i * timed.size() / count]);
  return some;
}

std::vector<PriorObservation> ObservationsOf(const SearchSpace& space, const std::vector<TimedSchedule>& measured) {
  std::vector<PriorObservation> observations;
  double sum = 0;
  for (const TimedSchedule& timed : measured) {
    observations.push_back({space.Features(timed.schedule), LogResidual(timed, space.Predict(timed.schedule))});
    sum += observations.back().residual;
  }
  for (PriorObservation& observation : observations) {
    observation.residual -= sum / static_cast<double>(observations.size());
  }
  return observations;
}

std::vector<std::optional<PriorObservation>> ObservationsFrom(const SearchSpace& space, const MatmulProblem& problem,
                                                              const DeviceInfo& device,
                                                              const std::vector<TimedSchedule>& measured) {
  std::vector<std::optional<PriorObservation>> observations(measured.size());
  double sum = 0, count = 0;
  for (size_t i = 0; i < measured.size(); ++i) {
    const Schedule& schedule = measured[i].schedule;
    std::optional<std::vector<double>> features = space.FeaturesFor(problem, device, schedule);
    if (!features) continue;
    const double residual = LogResidual(measured[i], space.PredictFor(problem, device, schedule));
    observations[i] = PriorObservation{*std::move(features), residual};
    sum += residual;
    ++count;
  }
  for (std::optional<PriorObservation>& observation : observations) {
    if (observation) observation->residual -= sum / count;
  }
  return observations;
}

std::optional<PriorModel> PriorModel::Fit(const std::vector<PriorObservation>& observations, size_t feature_count,
                                          size_t least, size_t most) {
  std::vector<const PriorObservation*> usable;
  for (const PriorObservation& observation : observations) {
    if (observation.features.size() == feature_count && AllFinite(observation.features) &&
        std::isfinite(observation.residual) && observation.weight > 0) {
      usable.push_back(&observation);
    }
  }
  if (usable.size() < std::max(least, size_t{1})) return std::nullopt;

  const size_t count = std::min(usable.size(), most);
  const auto columns = static_cast<Eigen::Index>(count);
  std::vector<std::vector<double>> sample;
  std::vector<size_t> sources;
  Eigen::VectorXd values(columns), noise(columns);
  for (size_t i = 0; i < count; ++i) {
    const PriorObservation& observation = *usable[i * usable.size() / count];
    sample.push_back(observation.features);
    sources.push_back(observation.source);
    values[static_cast<Eigen::Index>(i)] = observation.residual;
    noise[static_cast<Eigen::Index>(i)] = 1 / observation.weight;
  }
  PriorModel model;
  model.scale_ = FeatureScale(sample);
  model.points_ = Points(model.scale_.ToPoint(sample[0]).size(), columns);
  for (Eigen::Index i = 0; i < columns; ++i) {
    model.points_.col(i) = model.scale_.ToPoint(sample[static_cast<size_t>(i)]);
  }
  model.norms_ = SquaredNorms(model.points_);
  model.mean_ = values.sum() / static_cast<double>(count);
  values.array() -= model.mean_;
  model.kernel_ = MostLikelyKernel(model.points_, values);
  Eigen::MatrixXd covariances(columns, columns);
  for (Eigen::Index i = 0; i < columns; ++i) {
    covariances.row(i) = Covariances(model.kernel_, model.points_.col(i), model.points_).matrix().transpose();
  }
  covariances.diagonal() += model.kernel_.noise * noise;
  if (std::ranges::adjacent_find(sources, std::ranges::not_equal_to()) != sources.end()) {
    for (Eigen::Index i = 0; i < columns; ++i) {
      for (Eigen::Index j = 0; j < columns; ++j) {
        if (sources[static_cast<size_t>(i)] == sources[static_cast<size_t>(j)]) covariances(i, j) += kSourceLevel;
      }
    }
  }
  model.weights_ = Eigen::LLT<Eigen::MatrixXd>(covariances).solve(values);
  if (!model.weights_.allFinite() || !std::isfinite(model.mean_)) return std::nullopt;
  return model;
}

double PriorModel::Predict(const std::vector<double>& features) const {
  const Eigen::ArrayXd point = scale_.ToPoint(features);
  const Eigen::ArrayXd distances = SquaredDistances(point, points_);
  return mean_ + Covariances(kernel_, distances, point.square().sum(), norms_).matrix().dot(weights_);
}

std::vector<double> PredictResiduals(const std::vector<PriorObservation>& observations,
                                     const std::vector<std::vector<double>>& features) {
  if (features.empty()) return {};
  const std::optional<PriorModel> model =
      PriorModel::Fit(observations, features.front().size(), kMinPriorObservations, kMaxObservations);
  if (!model) return {};
  std::vector<double> predicted;
  for (const std::vector<double>& row : features) predicted.push_back(model->Predict(row));
  return AllFinite(predicted) ? predicted : std::vector<double>();
}

}  // namespace mmtune
