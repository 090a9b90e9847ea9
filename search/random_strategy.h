// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules drawn uniformly without replacement.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "search/list_strategy.h"
#include "search/proposal_set.h"
#include "search/rng.h"
#include "search/strategy.h"

namespace mmtune {

/// A shuffle of the numbers of all schedules, of which only the part drawn so far exists: every draw costs the same, to
/// the last. Counts the space at the first proposal.
class RandomStrategy : public Strategy {
 public:
  RandomStrategy(const SearchSpace& space, const StrategyOptions& options);

  std::string_view name() const override { return "random"; }
  std::vector<Schedule> Propose(int n) override;
  void Observe(const std::vector<Observation>&) override {}
  bool Exhausted() const override { return proposed_ == space_.Count(); }

 private:
  int64_t DrawIndex();

  const SearchSpace& space_;
  SearchRng rng_;
  ProposalSet initial_set_;
  ListStrategy initial_;
  int64_t proposed_ = 0;
  int64_t drawn_ = 0;                             // The shuffle's first `drawn_` places are settled.
  std::unordered_map<int64_t, int64_t> shuffle_;  // Of the other places, those that do not hold their own number.
};

}  // namespace mmtune
