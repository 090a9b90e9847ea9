// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evolutionary search: generations of schedules bred from the fastest ones.
//
// Generation g is bred from the outcomes of generations up to g - 2, so that workers always have schedules to measure
// and proposals do not depend on timing. A parent is the best of a few drawn from the elite, the fastest schedules so
// far. A child is a mutation of a parent, a crossover of two, or a fresh sample: sometimes, and whenever breeding
// repeats. When samples repeat, too, the rest of the space is enumerated.
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

/// The "evolutionary" strategy. Not thread-safe.
class EvolutionaryStrategy : public Strategy {
 public:
  EvolutionaryStrategy(const SearchSpace& space, const StrategyOptions& options);

  std::string_view name() const override { return "evolutionary"; }
  /// Returns schedules of the current generation, and breeds the next one as soon as MayBreed().
  std::vector<Schedule> Propose(int n) override;
  void Observe(const std::vector<Observation>& observations) override;
  /// Counts the space.
  bool Exhausted() const override;

 private:
  struct Member {
    Schedule schedule;
    std::string digest;
    double median_ns;
  };
  struct Generation {
    size_t bred = 0;
    size_t observed = 0;
    std::vector<Member> survivors;  // those that ran
  };

  // True when the generation before the last is observed entirely, or half of the last one is: a lost observation
  // delays the search but does not end it.
  bool MayBreed() const;
  // Fills the queue with the next generation; leaves it empty when the space is used up.
  void Breed();
  // The fastest of the first `generations` generations, fastest first; equal times by digest. A schedule that is not
  // among them never will be, and is forgotten.
  const std::vector<Member>& Elite(size_t generations);

  // Something not bred before, entered into bred_; nullopt when the space is used up.
  std::optional<Schedule> NewSchedule(const std::vector<Member>& elite, SearchRng& rng);
  Schedule Child(const std::vector<Member>& elite, SearchRng& rng) const;

  const SearchSpace& space_;
  const uint64_t seed_;
  const std::vector<Schedule> initial_;
  std::vector<Generation> generations_;
  std::vector<Member> elite_;
  std::unordered_map<std::string, size_t> waiting_;  // Digest of what was handed out and not observed: its generation.
  ProposalSet bred_;
  std::vector<Schedule> queue_;  // Bred; handed out up to queue_next_.
  size_t queue_next_ = 0;
  std::unique_ptr<SearchSpace::Enumerator> rest_;  // Once sampling repeats.
};

}  // namespace mmtune
