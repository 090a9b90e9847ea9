// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets a strategy search a recorded landscape, with recorded times in place of a device's.
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

struct ReplayOptions {
  int trials = 256;
  int in_flight = 1;    ///< Proposals that are asked for, and then answered, together.
  double noise = 0;     ///< Each time is multiplied by 1 + noise * a normal deviate.
  double failures = 0;  ///< The share of schedules, drawn anew for each seed, that fail.
  /// Landscapes whose records a log would have (kRecords of each, drawn anew for each seed). CanTeach holds for each.
  std::vector<const Replay*> prior = {};
  static constexpr size_t kRecords = 512;
};

/// The result of one seed.
struct ReplayRun {
  /// After each trial: the landscape's best time divided by the recorded time of the schedule with the best observed
  /// time so far; 0 before one ran.
  std::vector<double> reached;
  double seconds = 0;  ///< Spent in the strategy.
};

/// The result of one strategy over all seeds.
struct ReplaySummary {
  std::vector<double> median;  ///< The median of ReplayRun::reached, by trial.
  std::vector<double> tenth;   ///< The 10th percentile.
  double milliseconds_a_proposal = 0;

  /// Returns the first trial, counted from 1, at which the median is at least `level`; 0: none.
  int64_t TrialsTo(double level) const;
};

/// Immutable after Create; thread-safe.
class Replay {
 public:
  /// Returns the errors of ValidateLandscape, MakeLandscapeFamilies and SearchSpace::Create. The landscape must outlive
  /// the result.
  static absl::StatusOr<std::unique_ptr<Replay>> Create(const Landscape& landscape);

  const SearchSpace& space() const { return *space_; }

  /// Returns InvalidArgument unless both have the same families, parameters and number of features.
  absl::Status CanTeach(const Replay& other) const;

  /// Runs one search. Returns InvalidArgument for an unknown strategy. Deterministic in seed and options.
  absl::StatusOr<ReplayRun> Run(const std::string& strategy, uint64_t seed, const ReplayOptions& options) const;
  /// Runs seeds 0 to `seeds` - 1.
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
