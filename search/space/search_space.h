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

/// Those of `known` that a search of the problem looks at where nobody says which. A problem is tuned on a device where
/// one of them has a valid schedule for it: SearchSpace::Create says so, or why not.
std::vector<const KernelFamily*> SearchedFamilies(const MatmulProblem& problem,
                                                  const std::vector<const KernelFamily*>& known);

/// How many schedules a space has.
struct SpaceSize {
  int64_t schedules = 0;
  bool estimated = false;  ///< Not all were counted.
  bool operator==(const SpaceSize&) const = default;
};

/// Immutable after Create; thread-safe.
class SearchSpace {
 public:
  /// InvalidArgument when no family has a valid schedule, with the rule of each, or two have one name; Internal when a
  /// family breaks its contract. The families must outlive the space.
  static absl::StatusOr<std::unique_ptr<SearchSpace>> Create(const MatmulProblem& problem, const DeviceInfo& device,
                                                             const std::vector<const KernelFamily*>& families);

  /// The exact number of valid schedules. Counted on the first call, without visiting each one where the constraints
  /// allow.
  int64_t Count() const;

  /// Count(), but where it is more than FamilySpace::kCounted an estimate of three digits, made in some 10 ms.
  SpaceSize Size() const;
  /// Whether Count() is greater. Looks at few more schedules than so many.
  bool HasMoreThan(int64_t count) const;

  /// Schedule number `index` of Count(), in the order of Enumerate.
  Schedule At(int64_t index) const;

  /// Uniform over the valid schedules of all families together.
  Schedule Sample(SearchRng& rng) const;

  /// A valid schedule differing from `schedule` in one parameter where possible, else in a few; `schedule` itself only
  /// when the space holds nothing else of the family. So many times over. A schedule the space does not contain gives a
  /// Sample.
  Schedule Mutate(const Schedule& schedule, SearchRng& rng, int times = 1) const;

  /// All valid schedules that differ from `schedule` in one parameter; none of one that the space does not contain.
  std::vector<Schedule> Neighbours(const Schedule& schedule) const;

  /// Each parameter from one of the parents (of the same family), repaired by resampling until valid; nullopt when that
  /// does not succeed in a bounded number of tries.
  std::optional<Schedule> Crossover(const Schedule& a, const Schedule& b, SearchRng& rng) const;

  bool Contains(const Schedule& schedule) const;

  /// Of a schedule of the space: where there are several families, a number for each, 1 for its own; then those of
  /// every family (KernelFamily::Features), 0 for another's. As many for every schedule.
  std::vector<double> Features(const Schedule& schedule) const;
  /// KernelFamily::Predict of a schedule of the space.
  std::optional<PredictedTime> Predict(const Schedule& schedule) const;
  /// KernelFamily::PredictCompiled of one.
  std::optional<PredictedTime> PredictCompiled(const Schedule& schedule, const CodeFacts& facts) const;

  /// Features(), of a schedule for another problem or on another device: number i means the same as here. Nullopt where
  /// the space has no such family, or the schedule is not valid there.
  std::optional<std::vector<double>> FeaturesElsewhere(const MatmulProblem& problem, const DeviceInfo& device,
                                                       const Schedule& schedule) const;
  /// Predict(), of a schedule that has such features.
  std::optional<PredictedTime> PredictElsewhere(const MatmulProblem& problem, const DeviceInfo& device,
                                                const Schedule& schedule) const;

  /// A lazy walk over the valid schedules in a fixed order, family by family, the last parameter fastest. Not
  /// thread-safe. The space must outlive it.
  class Enumerator {
   public:
    virtual ~Enumerator() = default;
    /// nullopt at the end.
    virtual std::optional<Schedule> Next() = 0;
  };
  std::unique_ptr<Enumerator> Enumerate() const;

 private:
  SearchSpace(const MatmulProblem& problem, const DeviceInfo& device) : problem_(problem), device_(device) {}

  /// Null when the space has no such family.
  const FamilySpace* Find(std::string_view family) const;
  /// The family and the valid point of a schedule; a null family when the space does not contain it.
  std::pair<const FamilySpace*, GridPoint> Locate(const Schedule& schedule) const;
  /// Of a schedule that is valid for the problem on the device.
  std::vector<double> FeaturesOf(const MatmulProblem& problem, const DeviceInfo& device,
                                 const Schedule& schedule) const;
  /// One draw of those of all families laid end to end, so that every point of every family is equally likely; nullopt
  /// when it is not valid.
  std::optional<Schedule> TryDraw(SearchRng& rng) const;
  /// Whether draws are not worth a try.
  bool IsSparse() const;

  MatmulProblem problem_;
  DeviceInfo device_;
  std::vector<std::unique_ptr<FamilySpace>> families_;  ///< None of them is empty.
  std::vector<const KernelFamily*> describers_;         ///< The same families.
  std::vector<size_t> feature_counts_;                  ///< Of each of them.
  mutable std::once_flag sparse_once_;
  mutable bool sparse_ = false;
  mutable std::atomic<int64_t> at_least_ = 0;          ///< So many there are,
  mutable std::atomic<bool> at_least_is_all_ = false;  ///< and no more.
};

}  // namespace mmtune
