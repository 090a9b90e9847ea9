// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/strategy.h"

#include <optional>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/status.h"
#include "search/space/proposal_set.h"
#include "search/space/rng.h"
#include "search/strategies/evolutionary_strategy.h"
#include "search/strategies/model_strategy.h"

namespace mmtune {
namespace {

/// Proposes the given schedules, each once. The lists are short: they come from a person or a log.
class ListStrategy : public Strategy {
 public:
  explicit ListStrategy(const std::vector<Schedule>& schedules) {
    ProposalSet seen;
    for (const Schedule& schedule : schedules) {
      if (seen.Insert(schedule)) schedules_.push_back(schedule);
    }
  }

  std::string_view name() const override { return "list"; }
  std::vector<Schedule> Propose(int n) override {
    std::vector<Schedule> proposals;
    for (int i = 0; i < n && next_ < schedules_.size(); ++i) proposals.push_back(schedules_[next_++]);
    return proposals;
  }
  void Observe(const std::vector<Observation>&) override {}
  bool Exhausted() const override { return next_ == schedules_.size(); }

 private:
  std::vector<Schedule> schedules_;
  size_t next_ = 0;
};

/// Proposes every schedule of the space in the order of enumeration. Memory does not grow with the space.
class ExhaustiveStrategy : public Strategy {
 public:
  ExhaustiveStrategy(const SearchSpace& space, const StrategyOptions& options)
      : initial_(TakeInitial(options.initial, space, initial_set_)), enumerator_(space.Enumerate()) {
    Advance();
  }

  std::string_view name() const override { return kExhaustive; }
  std::vector<Schedule> Propose(int n) override {
    std::vector<Schedule> proposals = initial_.Propose(n);
    while (static_cast<int>(proposals.size()) < n && next_) {
      proposals.push_back(*std::move(next_));
      Advance();
    }
    return proposals;
  }
  void Observe(const std::vector<Observation>&) override {}
  bool Exhausted() const override { return initial_.Exhausted() && !next_.has_value(); }

 private:
  /// Looks one ahead, past the initial ones, so that Exhausted need not count the space.
  void Advance() {
    do {
      next_ = enumerator_->Next();
    } while (next_ && initial_set_.Contains(*next_));
  }

  ProposalSet initial_set_;
  ListStrategy initial_;
  std::unique_ptr<SearchSpace::Enumerator> enumerator_;
  std::optional<Schedule> next_;
};

/// Draws schedules uniformly without replacement by a lazy shuffle of all schedule numbers, of which only the drawn
/// part is stored. Every draw costs the same. Counts the space at the first proposal.
class RandomStrategy : public Strategy {
 public:
  RandomStrategy(const SearchSpace& space, const StrategyOptions& options)
      : space_(space), rng_(options.seed), initial_(TakeInitial(options.initial, space, initial_set_)) {}

  std::string_view name() const override { return "random"; }
  std::vector<Schedule> Propose(int n) override {
    std::vector<Schedule> proposals = initial_.Propose(n);
    while (static_cast<int>(proposals.size()) < n && drawn_ < space_.Count()) {
      Schedule schedule = space_.At(DrawIndex());
      if (!initial_set_.Contains(schedule)) proposals.push_back(std::move(schedule));
    }
    proposed_ += static_cast<int64_t>(proposals.size());
    return proposals;
  }
  void Observe(const std::vector<Observation>&) override {}
  bool Exhausted() const override { return proposed_ == space_.Count(); }

 private:
  int64_t DrawIndex() {
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

  const SearchSpace& space_;
  SearchRng rng_;
  ProposalSet initial_set_;
  ListStrategy initial_;
  int64_t proposed_ = 0;
  int64_t drawn_ = 0;                             ///< The number of positions of the shuffle that are final.
  std::unordered_map<int64_t, int64_t> shuffle_;  ///< The positions behind them that do not hold their own number.
};

}  // namespace

const std::vector<std::string>& StrategyNames() {
  static const auto* names = new std::vector<std::string>{std::string(kExhaustive), "random", "evolutionary", "model"};
  return *names;
}

bool PredictsGain(std::string_view name) { return name == "model"; }

bool UsesPriorObservations(std::string_view name) { return name == "model"; }

absl::StatusOr<std::unique_ptr<Strategy>> CreateStrategy(std::string_view name, const SearchSpace& space,
                                                         const StrategyOptions& options) {
  if (name == kExhaustive) return std::make_unique<ExhaustiveStrategy>(space, options);
  if (name == "random") return std::make_unique<RandomStrategy>(space, options);
  if (name == "evolutionary") return std::make_unique<EvolutionaryStrategy>(space, options);
  if (name == "model") return std::make_unique<ModelStrategy>(space, options);
  return InvalidArgument(
      absl::StrCat("unknown strategy '", ToAbsl(name), "'; known: ", absl::StrJoin(StrategyNames(), ", ")));
}

std::unique_ptr<Strategy> CreateListStrategy(const std::vector<Schedule>& schedules) {
  return std::make_unique<ListStrategy>(schedules);
}

}  // namespace mmtune
