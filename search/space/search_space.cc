// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/search_space.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "search/space/family_space.h"

namespace mmtune {
namespace {

// Draws refused before a sample is found by its number instead, which needs the count but always succeeds: of points of
// which one in 20 is valid, it never comes to that.
constexpr int kDrawTries = 4096;
// Draws of which none is valid where they are not worth a try.
constexpr int kSparseTries = 256;
// HasMoreThan looks at so many more than it must, so that it seldom has to look again.
constexpr int64_t kLooksAhead = 4096;

// The first point of a walk; the family is not empty.
Schedule FirstOf(const FamilySpace& family) {
  PrefixWalker walker(family.grid());
  walker.Next();
  GridPoint point = walker.values();
  point.resize(family.grid().axes().size());
  family.grid().SetFreeAxes(0, point);
  return family.grid().ToSchedule(point);
}

class SpaceEnumerator : public SearchSpace::Enumerator {
 public:
  explicit SpaceEnumerator(const std::vector<std::unique_ptr<FamilySpace>>& families) : families_(families) {
    Enter(0);
  }

  std::optional<Schedule> Next() override {
    while (family_ < families_.size()) {
      const ScheduleGrid& grid = families_[family_]->grid();
      if (next_free_ == grid.free_size()) {
        next_free_ = 0;
        has_prefix_ = walker_->Next();
      }
      if (has_prefix_) {
        GridPoint point = walker_->values();
        point.resize(grid.axes().size());
        grid.SetFreeAxes(next_free_++, point);
        return grid.ToSchedule(point);
      }
      Enter(family_ + 1);
    }
    return std::nullopt;
  }

 private:
  void Enter(size_t family) {
    family_ = family;
    if (family == families_.size()) return;
    walker_ = std::make_unique<PrefixWalker>(families_[family]->grid());
    has_prefix_ = walker_->Next();
    next_free_ = 0;
  }

  const std::vector<std::unique_ptr<FamilySpace>>& families_;
  size_t family_ = 0;
  std::unique_ptr<PrefixWalker> walker_;
  bool has_prefix_ = false;
  uint64_t next_free_ = 0;  // within the walker's prefix
};

}  // namespace

const FamilySpace* SearchSpace::Find(std::string_view family) const {
  for (const auto& space : families_) {
    if (space->grid().family() == family) return space.get();
  }
  return nullptr;
}

std::pair<const FamilySpace*, GridPoint> SearchSpace::Locate(const Schedule& schedule) const {
  const FamilySpace* family = Find(schedule.family);
  if (family == nullptr) return {};
  std::optional<GridPoint> point = family->grid().Locate(schedule);
  if (!point || !family->grid().Holds(*point)) return {};
  return {family, *std::move(point)};
}

std::optional<Schedule> SearchSpace::TryDraw(SearchRng& rng) const {
  uint64_t all = 0;
  for (const auto& family : families_) all += family->draw_size();
  uint64_t at = UniformBelow(rng, all);
  for (const auto& family : families_) {
    if (at >= family->draw_size()) {
      at -= family->draw_size();
      continue;
    }
    std::optional<GridPoint> point = family->TryDraw(at, rng);
    if (!point) return std::nullopt;
    return family->grid().ToSchedule(*point);
  }
  return std::nullopt;
}

bool SearchSpace::IsSparse() const {
  std::call_once(sparse_once_, [this] {
    SearchRng rng(0);
    sparse_ = true;
    for (int i = 0; i < kSparseTries && sparse_; ++i) sparse_ = !TryDraw(rng);
  });
  return sparse_;
}

std::vector<const KernelFamily*> SearchedFamilies(const MatmulProblem& problem,
                                                  const std::vector<const KernelFamily*>& known) {
  std::vector<const KernelFamily*> searched;
  for (const KernelFamily* family : known) {
    if (family->SearchedByDefault(problem)) searched.push_back(family);
  }
  return searched;
}

absl::StatusOr<std::unique_ptr<SearchSpace>> SearchSpace::Create(const MatmulProblem& problem, const DeviceInfo& device,
                                                                 const std::vector<const KernelFamily*>& families) {
  std::unique_ptr<SearchSpace> all(new SearchSpace(problem, device));
  std::string refusals;
  for (const KernelFamily* family : families) {
    if (all->Find(family->name()) != nullptr) {
      return InvalidArgument(absl::StrCat("kernel family '", ToAbsl(family->name()), "' is given twice"));
    }
    ASSIGN_OR_RETURN(ScheduleGrid grid, ScheduleGrid::Create(problem, device, *family));
    auto space = std::make_unique<FamilySpace>(std::move(grid));
    if (space->IsEmpty()) {
      absl::StrAppend(&refusals, "; ", ToAbsl(family->name()), ": ", space->grid().WhyEmpty());
      continue;
    }
    all->feature_counts_.push_back(family->Features(problem, FirstOf(*space), device).size());
    all->families_.push_back(std::move(space));
    all->describers_.push_back(family);
  }
  if (all->families_.empty()) {
    return InvalidArgument(absl::StrCat("no kernel family has a valid schedule for ", problem.Text(), " on ",
                                        device.arch, refusals.empty() ? ": no family was given" : refusals));
  }
  return all;
}

int64_t SearchSpace::Count() const {
  int64_t count = 0;
  for (const auto& family : families_) count += family->Count();
  return count;
}

SpaceSize SearchSpace::Size() const {
  int64_t size = 0;
  for (const auto& family : families_) size += family->Size();
  if (size <= FamilySpace::kCounted) return {size, false};
  int64_t unit = 1;
  while (size / unit >= 1000) unit *= 10;
  return {(size + unit / 2) / unit * unit, true};
}

bool SearchSpace::HasMoreThan(int64_t count) const {
  const bool is_all = at_least_is_all_;  // before the number that it speaks of
  if (count < at_least_) return true;
  if (is_all) return false;
  int64_t seen = 0;
  for (const auto& family : families_) {
    const auto each = static_cast<int64_t>(family->grid().free_size());
    for (PrefixWalker walker(family->grid()); seen <= count + kLooksAhead && walker.Next();) seen += each;
  }
  at_least_ = seen;
  at_least_is_all_ = seen <= count + kLooksAhead;
  return seen > count;
}

Schedule SearchSpace::At(int64_t index) const {
  size_t family = 0;
  for (; index >= families_[family]->Count(); ++family) index -= families_[family]->Count();
  return families_[family]->grid().ToSchedule(families_[family]->At(index));
}

Schedule SearchSpace::Sample(SearchRng& rng) const {
  for (int i = 0; i < kDrawTries && !IsSparse(); ++i) {
    if (std::optional<Schedule> schedule = TryDraw(rng)) return *std::move(schedule);
  }
  return At(static_cast<int64_t>(UniformBelow(rng, static_cast<uint64_t>(Count()))));
}

Schedule SearchSpace::Mutate(const Schedule& schedule, SearchRng& rng, int times) const {
  auto [family, point] = Locate(schedule);
  if (family == nullptr) return Sample(rng);
  for (int i = 0; i < times; ++i) point = MutatePoint(*family, point, rng);
  return family->grid().ToSchedule(point);
}

std::vector<Schedule> SearchSpace::Neighbours(const Schedule& schedule) const {
  std::vector<Schedule> neighbours;
  auto [family, point] = Locate(schedule);
  if (family == nullptr) return neighbours;
  for (const GridPoint& neighbour : NeighboursOf(family->grid(), point)) {
    neighbours.push_back(family->grid().ToSchedule(neighbour));
  }
  return neighbours;
}

std::optional<Schedule> SearchSpace::Crossover(const Schedule& a, const Schedule& b, SearchRng& rng) const {
  auto [family_a, point_a] = Locate(a);
  auto [family_b, point_b] = Locate(b);
  if (family_a == nullptr || family_a != family_b) return std::nullopt;
  std::optional<GridPoint> child = CrossPoints(family_a->grid(), point_a, point_b, rng);
  if (!child) return std::nullopt;
  return family_a->grid().ToSchedule(*child);
}

bool SearchSpace::Contains(const Schedule& schedule) const { return Locate(schedule).first != nullptr; }

std::vector<double> SearchSpace::Features(const Schedule& schedule) const {
  return FeaturesOf(problem_, device_, schedule);
}

std::vector<double> SearchSpace::FeaturesOf(const MatmulProblem& problem, const DeviceInfo& device,
                                            const Schedule& schedule) const {
  std::vector<double> features(families_.size() > 1 ? families_.size() : 0);
  for (size_t i = 0; i < families_.size(); ++i) {
    if (families_[i]->grid().family() != schedule.family) {
      features.resize(features.size() + feature_counts_[i]);
      continue;
    }
    if (families_.size() > 1) features[i] = 1;
    const std::vector<double> own = describers_[i]->Features(problem, schedule, device);
    features.insert(features.end(), own.begin(), own.end());
  }
  return features;
}

std::optional<PredictedTime> SearchSpace::Predict(const Schedule& schedule) const {
  return PredictFor(problem_, device_, schedule);
}

std::optional<PredictedTime> SearchSpace::PredictCompiled(const Schedule& schedule, const CodeFacts& facts) const {
  for (const KernelFamily* family : describers_) {
    if (family->name() == schedule.family) return family->PredictCompiled(problem_, schedule, device_, facts);
  }
  return std::nullopt;
}

std::optional<std::vector<double>> SearchSpace::FeaturesFor(const MatmulProblem& problem, const DeviceInfo& device,
                                                            const Schedule& schedule) const {
  size_t count = families_.size() > 1 ? families_.size() : 0;
  bool valid = false;
  for (size_t i = 0; i < families_.size(); ++i) {
    count += feature_counts_[i];
    if (describers_[i]->name() == schedule.family) valid = describers_[i]->Validate(problem, schedule, device).ok();
  }
  if (!valid) return std::nullopt;
  std::vector<double> features = FeaturesOf(problem, device, schedule);
  if (features.size() != count) return std::nullopt;
  return features;
}

std::optional<PredictedTime> SearchSpace::PredictFor(const MatmulProblem& problem, const DeviceInfo& device,
                                                     const Schedule& schedule) const {
  for (const KernelFamily* family : describers_) {
    if (family->name() == schedule.family) return family->Predict(problem, schedule, device);
  }
  return std::nullopt;
}

std::unique_ptr<SearchSpace::Enumerator> SearchSpace::Enumerate() const {
  return std::make_unique<SpaceEnumerator>(families_);
}

}  // namespace mmtune
