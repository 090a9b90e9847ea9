// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search space of a job: all valid schedules (kernel families with a value for each parameter) for a problem on a
// device. Search strategies count, enumerate, sample and mutate schedules through this class. Which schedules are valid
// is decided by each family's rules (proto/types/kernel_family.h); spaces can have billions of points, so nothing lists
// them in memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/kernel_family.h"
#include "search/space/family_space.h"
#include "search/space/rng.h"

namespace mmtune {

/// Returns the families of `known` that a job searches for this problem if it does not name any.
std::vector<const KernelFamily*> SearchedFamilies(const MatmulProblem& problem,
                                                  const std::vector<const KernelFamily*>& known);

/// The number of schedules of a space.
struct SpaceSize {
  int64_t schedules = 0;
  bool estimated = false;  ///< True if it was estimated from random draws.
  bool operator==(const SpaceSize&) const = default;
};

/// The valid schedules of some families. Immutable after Create() and thread-safe.
class SearchSpace {
 public:
  /// Makes a space. The families must outlive it. Returns InvalidArgument if no family has a valid schedule (the
  /// message has the rule that fails for each), or if two families have the same name. Returns Internal if a family
  /// breaks its contract.
  static absl::StatusOr<std::unique_ptr<SearchSpace>> Create(const MatmulProblem& problem, const DeviceInfo& device,
                                                             const std::vector<const KernelFamily*>& families);

  /// Returns the exact number of valid schedules. The first call counts, which may take long in a large space.
  int64_t Count() const;

  /// Returns Count() for a small space; otherwise an estimate with three digits, made in about 10 ms.
  SpaceSize Size() const;
  /// True if there are more than `count` schedules. Visits little more than `count` of them.
  bool HasMoreThan(int64_t count) const;

  /// Returns schedule `index` of Count(), in the order of Enumerate().
  Schedule At(int64_t index) const;

  /// Returns a schedule drawn uniformly from all families together.
  Schedule Sample(SearchRng& rng) const;

  /// Returns a valid schedule that differs from `schedule` in one parameter, or in a few if there is none that differs
  /// in one. Repeats this `times` times, each time from the last result. Returns `schedule` itself if its family has no
  /// other valid schedule, and Sample() if `schedule` is not in the space.
  Schedule Mutate(const Schedule& schedule, SearchRng& rng, int times = 1) const;

  /// Returns all valid schedules that differ from `schedule` in one parameter; none if it is not in the space.
  std::vector<Schedule> Neighbours(const Schedule& schedule) const;

  /// Returns a valid schedule that takes each parameter from `a` or `b` at random. Both must be of the same family.
  /// Returns nullopt if a bounded number of tries finds no valid one.
  std::optional<Schedule> Crossover(const Schedule& a, const Schedule& b, SearchRng& rng) const;

  /// True if the schedule is in the space.
  bool Contains(const Schedule& schedule) const;

  /// Returns the features of a schedule of the space, of which every schedule has the same number. If there are several
  /// families, the first features are a one-hot code of the schedule's family. Then follow the features of all
  /// families; those of other families are 0.
  std::vector<double> Features(const Schedule& schedule) const;
  /// Returns KernelFamily::Predict() for a schedule of the space; nullopt if its family predicts no time for it.
  std::optional<PredictedTime> Predict(const Schedule& schedule) const;
  /// Returns KernelFamily::PredictCompiled() for a schedule of the space; nullopt if its family predicts no time for
  /// it. `facts` are facts about its compiled code, such as its registers.
  std::optional<PredictedTime> PredictCompiled(const Schedule& schedule, const CodeFacts& facts) const;

  /// Returns the features of a schedule for another problem or device, in the layout of Features(). Returns nullopt if
  /// the space has no such family, or the schedule is not valid there.
  std::optional<std::vector<double>> FeaturesFor(const MatmulProblem& problem, const DeviceInfo& device,
                                                 const Schedule& schedule) const;
  /// Returns the predicted time of a schedule for another problem or device; nullopt if its family predicts no time for
  /// it. FeaturesFor() must have returned features for it.
  std::optional<PredictedTime> PredictFor(const MatmulProblem& problem, const DeviceInfo& device,
                                          const Schedule& schedule) const;

  /// Enumerates the valid schedules in a fixed order: family by family, the last parameter fastest. Not thread-safe.
  /// The space must outlive it.
  class Enumerator {
   public:
    virtual ~Enumerator() = default;
    /// Returns the next schedule, or nullopt at the end.
    virtual std::optional<Schedule> Next() = 0;
  };
  /// Starts an enumeration.
  std::unique_ptr<Enumerator> Enumerate() const;

 private:
  SearchSpace(const MatmulProblem& problem, const DeviceInfo& device) : problem_(problem), device_(device) {}

  /// Returns null if the space has no such family.
  const FamilySpace* Find(std::string_view family) const;
  /// Returns the family and the valid point of a schedule; a null family if the space does not contain it.
  std::pair<const FamilySpace*, GridPoint> Locate(const Schedule& schedule) const;
  /// Returns the features of a schedule that is valid for the problem on the device.
  std::vector<double> FeaturesOf(const MatmulProblem& problem, const DeviceInfo& device,
                                 const Schedule& schedule) const;
  /// Makes one random draw from all families, each point equally likely. Returns nullopt if the point is not valid.
  std::optional<Schedule> TryDraw(SearchRng& rng) const;
  /// True if so few draws are valid that enumeration is cheaper.
  bool IsSparse() const;

  MatmulProblem problem_;
  DeviceInfo device_;
  std::vector<std::unique_ptr<FamilySpace>> families_;  ///< None of them is empty.
  /// The same families as in families_, in the same order.
  std::vector<const KernelFamily*> describers_;
  std::vector<size_t> feature_counts_;  ///< The number of features of each family.
  mutable std::once_flag sparse_once_;
  mutable bool sparse_ = false;
  mutable std::atomic<int64_t> at_least_ = 0;          ///< A lower bound of Count().
  mutable std::atomic<bool> at_least_is_all_ = false;  ///< True if the bound is exact.
};

}  // namespace mmtune
