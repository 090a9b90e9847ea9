// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the schedule for a matmul of a model: the problem's own entry in the tuning spec (a file with the best
// schedules of tuned problems), the entry of the most similar problem, or a default. README.md of this folder states
// the rule. This code does not depend on MLIR.
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
  bool verified = true;                  ///< False if the spec says that the schedule was not verified.
  std::string codeDigest;                ///< For kSpec, the code digest in the spec, which may be empty.
  double expectedLoss = 0;               ///< Fraction of the speed lost, estimated by EstimateFit(); 0 for kSpec.
  std::string fit;                       ///< Explains the expected loss (ScheduleFit::Text()).
  /// Names the kernel families (kernels/families) that support the problem but are not used by the chooser, with the
  /// reason; empty if there are none.
  std::string leftOut;
  std::string rejected;  ///< Why the problem's own entry is not used; empty if it has none, or if the entry is used.
};

/// A line of a dispatch table: the schedule that is used if the number of rows of C is in the range `rows`.
struct DispatchLine {
  RowRange rows;
  ScheduleChoice choice;
};

/// Returns "spec", "nearest" or "default".
std::string_view sourceName(ScheduleChoice::Source source);

/// Chooses schedules for one target. Immutable, so thread-safe.
class ScheduleChooser {
 public:
  /// Uses the entries of `spec` that were measured on devices of the target's class (DeviceInfo::ClassKey()). The class
  /// of a target without a name is not known. For such a target, the class with the most entries for its kind and
  /// architecture is used (on a tie, the class with the smallest key), and the number of multiprocessors is taken from
  /// it. If the entries of a problem are invalid, choosing its schedule is an error, or with `allowFallback` another
  /// schedule is chosen. Only schedules of `families` are chosen. If the code must also run on newer devices, pass
  /// PortableFamilies().
  ScheduleChooser(const TuningSpec& spec, DeviceInfo target, bool allowFallback = false,
                  std::vector<const FamilyBase*> families = AllFamilies());

  /// Returns the schedule of the problem's own entry. If there is none, returns the valid schedule of the most similar
  /// problem, or else DefaultSchedule(). With run-time sizes or a layout (strides of the operands; matmul_layout.h), no
  /// entry counts as the problem's own, and only schedules that support these sizes or this layout are considered.
  /// Returns FailedPrecondition, naming the broken rule, if the problem's own entries are all invalid and
  /// `allowFallback` is false. With `allowFallback`, invalid entries count as none.
  absl::StatusOr<ScheduleChoice> choose(const MatmulProblem& problem, RunTimeSizes sizes = {},
                                        const MatmulLayout& layout = {}) const;

  /// Returns the spec's dispatch table for a problem whose number of rows is known at run time only, in the order of
  /// rows. The table is empty if the spec has none. It has no gaps:
  /// - Adjacent lines with the same schedule are merged into one.
  /// - A line begins where the line before it ends, even if the range in the spec begins later.
  /// - The first line is also used for fewer rows and the last line for more rows, if its schedule is valid for them.
  ///   Otherwise a line with the result of choose() is added for these rows.
  ///
  /// If a schedule is not valid for all rows of its line, returns FailedPrecondition, naming the broken rule, or an
  /// empty table if `allowFallback` is true.
  absl::StatusOr<std::vector<DispatchLine>> chooseByRows(const MatmulProblem& problem, RunTimeSizes sizes) const;

  /// Returns the target, with the number of multiprocessors from the spec if the target had none.
  const DeviceInfo& target() const { return device; }
  /// Returns the number of entries that the chooser uses.
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
