// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A strategy searching a landscape: the recording answers instead of a device. The strategy cannot tell.
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
  /// Landscapes that a log holds records of: kRecords each, drawn anew for each seed. They CanTeach.
  std::vector<const Replay*> learnt = {};
  static constexpr size_t kRecords = 512;
};

/// What one seed came to.
struct ReplayRun {
  /// After each trial: the best time of the landscape over the recorded one of the schedule that looked best so far; 0
  /// before one ran.
  std::vector<double> reached;
  double seconds = 0;  ///< Spent in the strategy.
};

/// Of one strategy, over all seeds.
struct ReplaySummary {
  std::vector<double> median;  ///< Of `reached`, by trial.
  std::vector<double> tenth;   ///< The 10th percentile.
  double milliseconds_a_proposal = 0;

  /// The first trial, from 1, at which the median is `level` or more; 0: none.
  int64_t TrialsTo(double level) const;
};

/// Immutable after Create; thread-safe.
class Replay {
 public:
  /// InvalidArgument as ValidateLandscape, MakeLandscapeFamilies, SearchSpace::Create. The landscape must outlive it.
  static absl::StatusOr<std::unique_ptr<Replay>> Create(const Landscape& landscape);

  const SearchSpace& space() const { return *space_; }

  /// InvalidArgument unless its schedules have the families, parameters and features of `other`'s.
  absl::Status CanTeach(const Replay& other) const;

  /// InvalidArgument for an unknown strategy. The same seed and options give the same run.
  absl::StatusOr<ReplayRun> Run(const std::string& strategy, uint64_t seed, const ReplayOptions& options) const;
  /// Seeds 0 to `seeds` - 1.
  absl::StatusOr<ReplaySummary> Summarize(const std::string& strategy, int64_t seeds,
                                          const ReplayOptions& options) const;

 private:
  Replay() = default;

  const LandscapePoint& Find(const Schedule& schedule) const;
  /// Of some that ran.
  std::vector<PriorObservation> SampleObservations(SearchRng& rng, size_t count) const;

  const Landscape* landscape_ = nullptr;
  std::vector<std::unique_ptr<LandscapeFamily>> families_;
  std::unique_ptr<SearchSpace> space_;
  double best_ns_ = 0;
};

}  // namespace mmtune
