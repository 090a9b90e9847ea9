// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses a problem's schedule: its own from a tuning spec, the nearest problem's, or a default.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "kernels/families/common/matmul_layout.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/device_info.h"

namespace mmtune {

struct ScheduleChoice {
  enum class Source { kSpec, kNearest, kDefault };

  Schedule schedule;
  Source source = Source::kDefault;
  std::optional<MatmulProblem> nearest;  ///< The problem whose schedule it is, if kNearest.
  bool verified = true;                  ///< True if the spec says so (kSpec, kNearest).
  std::string codeDigest;                ///< The digest that the spec records, if kSpec.
  double expectedLoss = 0;               ///< Fraction of the speed, by ScheduleFit; 0 if kSpec.
  std::string fit;                       ///< Explains the loss.
  std::string rejected;                  ///< Why the problem's own entry is not used, if it has one.
};

/// Returns "spec", "nearest" or "default".
std::string_view sourceName(ScheduleChoice::Source source);

/// Chooses schedules for one target. Immutable, so thread-safe.
class ScheduleChooser {
 public:
  /// Uses the entries measured on the target's class of devices. If the target has no name, it is known by kind and
  /// architecture only: then uses the class with most entries among those (on a tie, the first ClassKey()), and its
  /// number of multiprocessors.
  ScheduleChooser(const TuningSpec& spec, DeviceInfo target, bool allowFallback = false);

  /// Returns the problem's own schedule, else the nearest valid one, else DefaultSchedule(); the README of this folder
  /// states the rule. The loss of a nearest schedule is relative to its fit on the problem it was measured with. With
  /// sizes at run time or a layout, no entry is the problem's own, and only schedules that support them count. Fails
  /// with FailedPrecondition, naming the broken rule, if ValidateSchedule() refuses all entries of the problem's own,
  /// unless `allowFallback`.
  absl::StatusOr<ScheduleChoice> choose(const MatmulProblem& problem, RunTimeSizes sizes = {},
                                        const MatmulLayout& layout = {}) const;

  const DeviceInfo& target() const { return device; }
  /// Returns the number of entries for the target.
  size_t entryCount() const { return entries.size(); }

 private:
  std::optional<ScheduleChoice> chooseNearest(const MatmulProblem& problem, RunTimeSizes sizes,
                                              const MatmulLayout& layout) const;

  DeviceInfo device;
  bool allowFallback;
  std::vector<TuningSpecEntry> entries;
};

}  // namespace mmtune
