// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/evolutionary_strategy.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace mmtune {
namespace {

// Small generations and a strong preference for the fastest: a job has some 64 trials. On the synthetic landscape of
// tests/search their neighbours do as well within a few percent; twice the generation or the elite does worse.
constexpr size_t kGeneration = 8;
constexpr size_t kElite = 8;
constexpr int kTournament = 4;
constexpr double kFreshShare = 0.1;
constexpr double kCrossShare = 0.4;
constexpr int kBreedTries = 16;
constexpr int kSampleTries = 64;

}  // namespace

EvolutionaryStrategy::EvolutionaryStrategy(const SearchSpace& space, const StrategyOptions& options)
    : space_(space), seed_(options.seed), initial_(options.initial) {}

std::vector<Schedule> EvolutionaryStrategy::Propose(int n) {
  std::vector<Schedule> proposals;
  while (static_cast<int>(proposals.size()) < n) {
    if (queue_next_ == queue_.size()) {
      if (!MayBreed()) break;
      Breed();
      if (queue_.empty()) break;
    }
    Schedule& next = queue_[queue_next_++];
    waiting_.emplace(next.Digest(), generations_.size() - 1);
    proposals.push_back(std::move(next));
  }
  return proposals;
}

void EvolutionaryStrategy::Observe(const std::vector<Observation>& observations) {
  for (const Observation& observation : observations) {
    auto it = waiting_.find(observation.schedule.Digest());
    if (it == waiting_.end()) continue;
    Generation& generation = generations_[it->second];
    ++generation.observed;
    if (observation.Timed()) {
      generation.survivors.push_back({observation.schedule, it->first, observation.median_ns});
    }
    waiting_.erase(it);
  }
}

bool EvolutionaryStrategy::Exhausted() const {
  return queue_next_ == queue_.size() && !space_.HasMoreThan(static_cast<int64_t>(bred_.size()));
}

bool EvolutionaryStrategy::MayBreed() const {
  if (generations_.size() < 2) return true;
  const Generation& last = generations_.back();
  const Generation& before = generations_[generations_.size() - 2];
  return before.observed == before.bred || 2 * last.observed >= last.bred;
}

void EvolutionaryStrategy::Breed() {
  const size_t number = generations_.size();
  SearchRng rng = MakeStream(seed_, number);
  queue_.clear();
  queue_next_ = 0;
  if (number == 0) queue_ = TakeInitial(initial_, space_, bred_);
  const std::vector<Member>& elite = Elite(number > 0 ? number - 1 : 0);
  while (queue_.size() < kGeneration) {
    std::optional<Schedule> schedule = NewSchedule(elite, rng);
    if (!schedule) break;
    queue_.push_back(*std::move(schedule));
  }
  if (!queue_.empty()) generations_.push_back({.bred = queue_.size(), .observed = 0, .survivors = {}});
}

const std::vector<EvolutionaryStrategy::Member>& EvolutionaryStrategy::Elite(size_t generations) {
  for (size_t i = 0; i < generations; ++i) {
    std::vector<Member> survivors = std::exchange(generations_[i].survivors, {});
    std::move(survivors.begin(), survivors.end(), std::back_inserter(elite_));
  }
  std::sort(elite_.begin(), elite_.end(), [](const Member& a, const Member& b) {
    return std::tie(a.median_ns, a.digest) < std::tie(b.median_ns, b.digest);
  });
  if (elite_.size() > kElite) elite_.erase(elite_.begin() + kElite, elite_.end());
  return elite_;
}

std::optional<Schedule> EvolutionaryStrategy::NewSchedule(const std::vector<Member>& elite, SearchRng& rng) {
  for (int i = 0; i < kBreedTries && !elite.empty(); ++i) {
    Schedule child = Child(elite, rng);
    if (bred_.Insert(child)) return child;
  }
  for (int i = 0; i < kSampleTries; ++i) {
    Schedule sample = space_.Sample(rng);
    if (bred_.Insert(sample)) return sample;
  }
  if (!rest_) rest_ = space_.Enumerate();
  while (std::optional<Schedule> next = rest_->Next()) {
    if (bred_.Insert(*next)) return next;
  }
  return std::nullopt;
}

Schedule EvolutionaryStrategy::Child(const std::vector<Member>& elite, SearchRng& rng) const {
  const double kind = UniformUnit(rng);
  if (kind < kFreshShare) return space_.Sample(rng);
  auto parent = [&elite, &rng]() -> const Schedule& {
    size_t best = elite.size() - 1;
    for (int i = 0; i < kTournament; ++i) best = std::min<size_t>(best, UniformBelow(rng, elite.size()));
    return elite[best].schedule;
  };
  const Schedule& first = parent();
  if (kind < kFreshShare + kCrossShare) {
    if (std::optional<Schedule> child = space_.Crossover(first, parent(), rng)) return *std::move(child);
  }
  return space_.Mutate(first, rng);
}

}  // namespace mmtune
