// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the schedule for a matmul of a model: the problem's own entry in the tuning spec, the entry of the most
// similar problem, or a default. README.md of this folder states the rule. No MLIR is needed here.
//
//   problem 1000x512x512, spec has 1024x512x512   ->  kNearest, with an expected loss of 2% of the speed
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/registry.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// A schedule, and where it comes from.
struct ScheduleChoice {
  enum class Source { kSpec, kNearest, kDefault };

  Schedule schedule;
  Source source = Source::kDefault;
  std::optional<MatmulProblem> nearest;  ///< For kNearest, the problem that was tuned.
  bool verified = true;                  ///< True if the spec says that the schedule was verified.
  std::string codeDigest;                ///< For kSpec, the code digest in the spec.
  double expectedLoss = 0;               ///< Expected loss as a fraction of the speed, by ScheduleFit; 0 for kSpec.
  std::string fit;                       ///< Explains the loss.
  /// The families that support the problem and that the chooser does not use, with the reason; empty if there are none.
  std::string leftOut;
  std::string rejected;  ///< Why the problem's own entry is not used; empty if it has none.
};

/// A line of a dispatch table: the schedule that is used for these numbers of rows of C.
struct DispatchLine {
  RowRange rows;
  ScheduleChoice choice;
};

/// Returns "spec", "nearest" or "default".
std::string_view sourceName(ScheduleChoice::Source source);

/// Chooses schedules for one target. Immutable, so thread-safe.
class ScheduleChooser {
 public:
  /// Uses the entries that were measured on devices of the target's class (DeviceInfo::ClassKey()). A target without a
  /// name is known by kind and architecture only. Then the class with the most entries of that kind and architecture is
  /// used, on a tie the first by key, and its number of multiprocessors. Schedules are those of `families`; where one
  /// is missing, code for the target must run on newer devices, too (PortableFamilies()).
  ScheduleChooser(const TuningSpec& spec, DeviceInfo target, bool allowFallback = false,
                  std::vector<const FamilyBase*> families = AllFamilies());

  /// Returns the problem's own schedule, else the nearest valid one, else DefaultSchedule(). With run-time sizes or a
  /// layout, no entry counts as the problem's own, and only schedules that support them are considered. Returns
  /// FailedPrecondition, naming the broken rule, if all entries of the problem's own are invalid and there is no
  /// `allowFallback`.
  absl::StatusOr<ScheduleChoice> choose(const MatmulProblem& problem, RunTimeSizes sizes = {},
                                        const MatmulLayout& layout = {}) const;

  /// Returns the dispatch table that the spec has for a problem with rows at run time, by rows; empty if it has none.
  /// Lines of one schedule that follow each other are one. Each also stands for the rows between it and the one before,
  /// the first for fewer rows, and the last for more, where they are valid for these; else a line with what choose()
  /// returns does. Returns FailedPrecondition, naming the broken rule, if a schedule is not valid for all of its rows
  /// and there is no `allowFallback`; with it, the table counts as absent.
  absl::StatusOr<std::vector<DispatchLine>> chooseByRows(const MatmulProblem& problem, RunTimeSizes sizes) const;

  /// Returns the target, with the values taken from the spec.
  const DeviceInfo& target() const { return device; }
  /// Returns the number of entries for the target.
  size_t entryCount() const { return entries.size(); }

 private:
  absl::StatusOr<ScheduleChoice> chooseAmong(const MatmulProblem& problem, RunTimeSizes sizes,
                                             const MatmulLayout& layout) const;
  std::optional<ScheduleChoice> chooseNearest(const MatmulProblem& problem, RunTimeSizes sizes,
                                              const MatmulLayout& layout) const;

  std::string leftOut(const MatmulProblem& problem) const;
  bool uses(const Schedule& schedule) const;

  DeviceInfo device;
  bool allowFallback;
  std::vector<const FamilyBase*> families;
  std::vector<TuningSpecEntry> entries;
};

}  // namespace mmtune
