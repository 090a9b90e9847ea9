// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/random_strategy.h"

#include <utility>

namespace mmtune {

RandomStrategy::RandomStrategy(const SearchSpace& space, const StrategyOptions& options)
    : space_(space), rng_(options.seed), initial_(TakeInitial(options.initial, space, initial_set_)) {}

int64_t RandomStrategy::DrawIndex() {
  auto holds = [this](int64_t place) {
    auto it = shuffle_.find(place);
    return it == shuffle_.end() ? place : it->second;
  };
  const int64_t place =
      drawn_ + static_cast<int64_t>(UniformBelow(rng_, static_cast<uint64_t>(space_.Count() - drawn_)));
  const int64_t index = holds(place);
  if (place != drawn_) shuffle_[place] = holds(drawn_);
  shuffle_.erase(drawn_++);
  return index;
}

std::vector<Schedule> RandomStrategy::Propose(int n) {
  std::vector<Schedule> proposals = initial_.Propose(n);
  while (static_cast<int>(proposals.size()) < n && drawn_ < space_.Count()) {
    Schedule schedule = space_.At(DrawIndex());
    if (!initial_set_.Contains(schedule)) proposals.push_back(std::move(schedule));
  }
  proposed_ += static_cast<int64_t>(proposals.size());
  return proposals;
}

}  // namespace mmtune
