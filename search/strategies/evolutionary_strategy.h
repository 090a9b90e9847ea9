// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generations of schedules bred from the fastest seen.
//
// Generation g is bred from what was observed of the generations up to g-2: while workers measure one generation the
// next is already there to hand out, and what is proposed depends on the seed and on what was observed, never on when.
//
// A parent is the best of a few drawn from the elite, the fastest schedules observed; a schedule that failed is never a
// parent. A child is the mutation of a parent, the cross of two, or a fresh sample: now and then, and whenever breeding
// gives only what was proposed before. When samples repeat, too, the space is nearly used up and the rest is proposed
// in the order of enumeration.
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

class EvolutionaryStrategy : public Strategy {
 public:
  EvolutionaryStrategy(const SearchSpace& space, const StrategyOptions& options);

  std::string_view name() const override { return "evolutionary"; }
  /// Hands out generations that may be bred; see MayBreed for what it waits for.
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
