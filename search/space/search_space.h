// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedules of some families for a problem on a device: counted exactly, enumerated lazily, sampled uniformly,
// mutated validly. Validity is the family's one rule (proto/types/kernel_family.h).
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

/// Returns the families of `known` that are searched by default for the problem. A device can tune the problem if one
/// of them has a valid schedule (SearchSpace::Create).
std::vector<const KernelFamily*> SearchedFamilies(const MatmulProblem& problem,
                                                  const std::vector<const KernelFamily*>& known);

/// The number of schedules of a space.
struct SpaceSize {
  int64_t schedules = 0;
  bool estimated = false;  ///< Estimated by draws, not counted.
  bool operator==(const SpaceSize&) const = default;
};

/// The valid schedules of some families. Immutable after Create; thread-safe.
class SearchSpace {
 public:
  /// Returns InvalidArgument if no family has a valid schedule, with the rule of each that fails, or two families have
  /// one name; Internal if a family breaks its contract. The families must outlive the space.
  static absl::StatusOr<std::unique_ptr<SearchSpace>> Create(const MatmulProblem& problem, const DeviceInfo& device,
                                                             const std::vector<const KernelFamily*>& families);

  /// Returns the exact number of valid schedules, counted on the first call.
  int64_t Count() const;

  /// Returns Count(), or if that exceeds FamilySpace::kCounted an estimate of three digits, made in some 10 ms.
  SpaceSize Size() const;
  /// True if Count() > `count`. Visits little more than `count` schedules.
  bool HasMoreThan(int64_t count) const;

  /// Returns schedule `index` of Count(), in the order of Enumerate.
  Schedule At(int64_t index) const;

  /// Draws uniformly from the valid schedules of all families together.
  Schedule Sample(SearchRng& rng) const;

  /// Returns a valid schedule that differs in one parameter, or in a few where one is not possible; `schedule` itself
  /// if the family has no other. Repeats this `times` times. Returns a Sample for a schedule outside of the space.
  Schedule Mutate(const Schedule& schedule, SearchRng& rng, int times = 1) const;

  /// Returns all valid schedules that differ in one parameter; none for a schedule outside of the space.
  std::vector<Schedule> Neighbours(const Schedule& schedule) const;

  /// Takes each parameter from one of the parents (of the same family), again until the result is valid; nullopt after
  /// a bounded number of tries.
  std::optional<Schedule> Crossover(const Schedule& a, const Schedule& b, SearchRng& rng) const;

  bool Contains(const Schedule& schedule) const;

  /// Returns the features of a schedule of the space: with several families, a one-hot code of its family; then the
  /// features of every family (KernelFamily::Features), 0 for the other ones. The number is the same for all schedules.
  std::vector<double> Features(const Schedule& schedule) const;
  /// Returns KernelFamily::Predict of a schedule of the space.
  std::optional<PredictedTime> Predict(const Schedule& schedule) const;
  /// Returns KernelFamily::PredictCompiled of a schedule of the space.
  std::optional<PredictedTime> PredictCompiled(const Schedule& schedule, const CodeFacts& facts) const;

  /// Returns the features, laid out as Features() lays them out, of a schedule for another problem or device. Nullopt
  /// if the space lacks its family, or the schedule is not valid there.
  std::optional<std::vector<double>> FeaturesElsewhere(const MatmulProblem& problem, const DeviceInfo& device,
                                                       const Schedule& schedule) const;
  /// Returns the predicted time of a schedule for which FeaturesElsewhere() has features.
  std::optional<PredictedTime> PredictElsewhere(const MatmulProblem& problem, const DeviceInfo& device,
                                                const Schedule& schedule) const;

  /// A lazy walk over the valid schedules in a fixed order: family by family, the last parameter fastest. Not
  /// thread-safe. The space must outlive it.
  class Enumerator {
   public:
    virtual ~Enumerator() = default;
    /// Returns the next schedule; nullopt at the end.
    virtual std::optional<Schedule> Next() = 0;
  };
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
  /// Draws once from the families' draws laid end to end, so that every point is equally likely; nullopt if not valid.
  std::optional<Schedule> TryDraw(SearchRng& rng) const;
  /// True if so few draws are valid that enumerating is cheaper.
  bool IsSparse() const;

  MatmulProblem problem_;
  DeviceInfo device_;
  std::vector<std::unique_ptr<FamilySpace>> families_;  ///< None of them is empty.
  std::vector<const KernelFamily*> describers_;         ///< The same families.
  std::vector<size_t> feature_counts_;                  ///< The number of features of each family.
  mutable std::once_flag sparse_once_;
  mutable bool sparse_ = false;
  mutable std::atomic<int64_t> at_least_ = 0;          ///< A lower bound of Count().
  mutable std::atomic<bool> at_least_is_all_ = false;  ///< The bound is exact.
};

}  // namespace mmtune
