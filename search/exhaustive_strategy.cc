// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/exhaustive_strategy.h"

#include <utility>

namespace mmtune {

ExhaustiveStrategy::ExhaustiveStrategy(const SearchSpace& space, const StrategyOptions& options)
    : initial_(TakeInitial(options.initial, space, initial_set_)), enumerator_(space.Enumerate()) {
  Advance();
}

void ExhaustiveStrategy::Advance() {
  do {
    next_ = enumerator_->Next();
  } while (next_ && initial_set_.Contains(*next_));
}

std::vector<Schedule> ExhaustiveStrategy::Propose(int n) {
  std::vector<Schedule> proposals = initial_.Propose(n);
  while (static_cast<int>(proposals.size()) < n && next_) {
    proposals.push_back(*std::move(next_));
    Advance();
  }
  return proposals;
}

}  // namespace mmtune
