// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schedule a problem gets: its own from a tuning spec, the nearest problem's, or a default.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "kernels/families/common/matmul_layout.h"
#include "proto/types/device_info.h"
#include "proto/json/tuning_spec.h"

namespace mmtune {

struct ScheduleChoice {
  enum class Source { kSpec, kNearest, kDefault };

  Schedule schedule;
  Source source = Source::kDefault;
  std::optional<MatmulProblem> nearest;  ///< Of kNearest: whose schedule it is.
  bool proven = true;                    ///< Of kSpec, kNearest: what the spec says of it.
  std::string codeDigest;                ///< Of kSpec: what the spec promises.
  double expectedLoss = 0;               ///< Part of the speed, by ScheduleFit; 0 of kSpec.
  std::string fit;                       ///< What the loss comes from, for people.
  std::string rejected;                  ///< Why the problem's own entry is not used, if it has one.
};

/// "spec", "nearest", "default".
std::string_view sourceName(ScheduleChoice::Source source);

/// Chooses for one target. Immutable; thread-safe.
class ScheduleChooser {
 public:
  /// Entries serve the target when they were measured on its class of devices. A target without a
  /// name is known by kind and architecture only: then those of one class with the same kind and
  /// architecture serve it, of the class with most entries (on a tie, the first ClassKey()), and
  /// the target gets that class's multiprocessors.
  ScheduleChooser(const TuningSpec& spec, DeviceInfo target, bool allowFallback = false);

  /// The problem's own entry; else, of the entries whose schedule is valid for the problem, the
  /// nearest (where a family is made for such problems, of its schedules alone): first those that agree in most of
  /// types, math mode, transpositions and having a batch, then by the sum of |log2| of the ratios of m, n, k and batch,
  /// then those with the same epilogue; else DefaultSchedule(). Nearest entries that ValidateSchedule refuses are
  /// passed over; when it refuses every entry of the problem's own, that is FailedPrecondition, which names the rule,
  /// unless another may stand in (`allowFallback`). The loss of a nearest schedule is relative to
  /// its fit on the problem it was measured with.
  /// With sizes at run time no entry is the problem's own, and the nearest is one whose schedule can have them: by the
  /// other sizes first, then by these against the representative ones.
  /// With a layout the same, of schedules that can have it.
  absl::StatusOr<ScheduleChoice> choose(const MatmulProblem& problem, RunTimeSizes sizes = {},
                                        const MatmulLayout& layout = {}) const;

  const DeviceInfo& target() const { return device; }
  /// Entries that serve the target.
  size_t entryCount() const { return entries.size(); }

 private:
  std::optional<ScheduleChoice> chooseNearest(const MatmulProblem& problem, RunTimeSizes sizes,
                                              const MatmulLayout& layout) const;

  DeviceInfo device;
  bool allowFallback;
  std::vector<TuningSpecEntry> entries;
};

}  // namespace mmtune
