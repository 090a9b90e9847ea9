// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a search strategy against a landscape, the recorded times of all schedules of a search space, and reports how
// fast it approaches the best schedule (a kernel family with its parameters, such as tile sizes). `tune replay` uses it
// to compare strategies without a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "search/cost_model/prior_observations.h"
#include "search/replay/landscape.h"
#include "search/space/rng.h"
#include "search/space/search_space.h"

namespace mmtune {

class Replay;

/// The settings of a simulated search.
struct ReplayOptions {
  int trials = 256;     ///< The number of schedules that the search measures.
  int in_flight = 1;    ///< The number of schedules that are proposed before the first of them has a result.
  double noise = 0;     ///< Measurement noise: each time is multiplied by 1 + noise * a normal deviate. 0: none.
  double failures = 0;  ///< The fraction of schedules that fail, chosen at random by the seed; 0: none.
  /// Other landscapes from which the search learns (transfer learning), kRecords schedules of each. CheckCompatible()
  /// must hold for each.
  std::vector<const Replay*> prior = {};
  static constexpr size_t kRecords = 512;
};

/// The result of one search.
struct ReplayRun {
  /// After each trial: (best time of the landscape) / (recorded time of the schedule that looks best so far), so 1 is
  /// perfect. 0 until a schedule has a time.
  std::vector<double> reached;
  double seconds = 0;  ///< CPU and waiting time spent inside the strategy.
};

/// The result of one strategy over all seeds.
struct ReplaySummary {
  std::vector<double> median;  ///< The median of ReplayRun::reached after each trial.
  std::vector<double> tenth;   ///< The 10th percentile of ReplayRun::reached after each trial.
  /// The mean time that the strategy takes for each trial.
  double milliseconds_a_proposal = 0;

  /// Returns the number of trials after which the median is at least `level` (0.95: within 5 % of the best). 0 if it
  /// never is.
  int64_t TrialsTo(double level) const;
};

/// A landscape ready to be searched. Immutable after Create() and thread-safe.
class Replay {
 public:
  /// Prepares a landscape, which must outlive the object. Returns the errors of ValidateLandscape(),
  /// MakeLandscapeFamilies() and SearchSpace::Create().
  static absl::StatusOr<std::unique_ptr<Replay>> Create(const Landscape& landscape);

  const SearchSpace& space() const { return *space_; }

  /// Returns InvalidArgument unless both landscapes have the same families, parameters and number of features, so that
  /// records of this one can be prior observations of `other`.
  absl::Status CheckCompatible(const Replay& other) const;

  /// Runs one search. Returns InvalidArgument for an unknown strategy. The result depends only on seed and options.
  absl::StatusOr<ReplayRun> Run(const std::string& strategy, uint64_t seed, const ReplayOptions& options) const;
  /// Runs searches with the seeds 0 to `seeds` - 1. Returns the errors of Run().
  absl::StatusOr<ReplaySummary> Summarize(const std::string& strategy, int64_t seeds,
                                          const ReplayOptions& options) const;

 private:
  Replay() = default;

  const LandscapePoint& Find(const Schedule& schedule) const;
  /// Returns observations of up to `count` schedules that ran, drawn by `rng`.
  std::vector<PriorObservation> SampleObservations(SearchRng& rng, size_t count) const;

  const Landscape* landscape_ = nullptr;
  std::vector<std::unique_ptr<LandscapeFamily>> families_;
  std::unique_ptr<SearchSpace> space_;
  double best_ns_ = 0;
};

}  // namespace mmtune
