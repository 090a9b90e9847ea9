// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strategy "evolutionary": each generation of schedules (kernel families with parameters) is derived from the
// fastest schedules of earlier ones.
//
// Generation g is made from the results of the generations up to g - 2. So workers always have schedules to measure,
// and the proposals do not depend on the order in which results arrive. A parent is the best of a few schedules drawn
// from the elite (the fastest so far). A child is a mutation of one parent, a crossover of two, or a random sample. If
// children and samples only repeat known schedules, the rest of the space is enumerated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/space/proposal_set.h"
#include "search/space/rng.h"
#include "search/strategies/strategy.h"

namespace mmtune {

/// The strategy. `space` must outlive it. Not thread-safe.
class EvolutionaryStrategy : public Strategy {
 public:
  EvolutionaryStrategy(const SearchSpace& space, const StrategyOptions& options);

  std::string_view name() const override { return "evolutionary"; }
  /// Returns schedules of the current generation; makes the next one when MayBreed() is true.
  std::vector<Schedule> Propose(int n) override;
  void Observe(const std::vector<Observation>& observations) override;
  /// True if every schedule of the space was proposed. May take long, because it visits valid schedules until it has
  /// seen more than were proposed.
  bool Exhausted() const override;

 private:
  /// A schedule that ran.
  struct Member {
    Schedule schedule;
    std::string digest;
    double median_ns;
  };
  /// The counts of a generation, and the schedules of it that ran.
  struct Generation {
    size_t bred = 0;      ///< The number of its schedules.
    size_t observed = 0;  ///< The number of its schedules with a result.
    std::vector<Member> survivors;
  };

  /// True if all results of the generation before the last have arrived, or half of those of the last one. So a lost
  /// result delays the search, but does not end it.
  bool MayBreed() const;
  /// Fills the queue with the next generation; leaves it empty if no schedule is left.
  void Breed();
  /// Returns the fastest schedules of the first `generations` generations, fastest first; equal times are ordered by
  /// digest. Schedules that are not among them are dropped.
  const std::vector<Member>& Elite(size_t generations);

  /// Returns a schedule that is not in bred_ and adds it; nullopt if none is left.
  std::optional<Schedule> NewSchedule(const std::vector<Member>& elite, SearchRng& rng);
  /// Returns a mutation or crossover of parents from the elite, or a random sample.
  Schedule Child(const std::vector<Member>& elite, SearchRng& rng) const;

  const SearchSpace& space_;
  const uint64_t seed_;
  const std::vector<Schedule> initial_;
  std::vector<Generation> generations_;
  std::vector<Member> elite_;
  std::unordered_map<std::string, size_t> waiting_;  ///< Proposed schedules without a result: digest to generation.
  ProposalSet bred_;
  std::vector<Schedule> queue_;  ///< The current generation; proposed up to queue_next_.
  size_t queue_next_ = 0;
  std::unique_ptr<SearchSpace::Enumerator> rest_;  ///< Set once samples repeat.
};

}  // namespace mmtune
