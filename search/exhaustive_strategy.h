// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every schedule of the space, in the order of enumeration.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "search/list_strategy.h"
#include "search/proposal_set.h"
#include "search/strategy.h"

namespace mmtune {

/// Memory does not grow with the space.
class ExhaustiveStrategy : public Strategy {
 public:
  ExhaustiveStrategy(const SearchSpace& space, const StrategyOptions& options);

  std::string_view name() const override { return "exhaustive"; }
  std::vector<Schedule> Propose(int n) override;
  void Observe(const std::vector<Observation>&) override {}
  bool Exhausted() const override { return initial_.Exhausted() && !next_.has_value(); }

 private:
  // Looks one ahead, past the initial ones, so that Exhausted need not count the space.
  void Advance();

  ProposalSet initial_set_;
  ListStrategy initial_;
  std::unique_ptr<SearchSpace::Enumerator> enumerator_;
  std::optional<Schedule> next_;
};

}  // namespace mmtune
