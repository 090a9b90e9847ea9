// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What search, server and worker know of a kernel family without a compiler.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "proto/types/code_facts.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/predicted_time.h"
#include "proto/types/schedule.h"
#include "proto/types/schedule_features.h"

namespace mmtune {

/// One axis of a family's space, values in ascending order.
struct ScheduleParameter {
  std::string name;
  std::vector<int64_t> values;

  /// Returns the parameter's value in a schedule; nullopt where the schedule does not name it.
  std::optional<int64_t> ValueIn(const Schedule& schedule) const {
    const auto named = schedule.params.find(name);
    return named == schedule.params.end() ? std::nullopt : std::optional(named->second);
  }
};

/// One rule of validity. `ready` is how many leading parameters (in the order of KernelFamily::Parameters) it reads:
/// enumeration evaluates a rule as soon as they are set and so cuts whole subtrees.
struct ScheduleConstraint {
  std::string name;  ///< "warp-tile divides block-tile"; the reason a schedule is rejected.
  size_t ready = 0;
  /// `values[i]` is the value of parameter i; only the first `ready` may be read.
  std::function<bool(const int64_t* values)> holds;
};

/// Immutable and thread-safe.
class KernelFamily {
 public:
  virtual ~KernelFamily() = default;
  virtual std::string_view name() const = 0;
  /// Changes whenever the code emitted for some schedule changes.
  virtual int version() const = 0;
  /// Whether a job for this problem that names no families searches it: not where it is sure to be slower than another.
  virtual bool SearchedByDefault(const MatmulProblem&) const { return true; }

  /// The axes worth searching on a device for a problem, in the order the constraints count.
  virtual std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const = 0;
  /// Every rule, sorted by `ready`. The one statement of validity: Validate applies the same list.
  virtual std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const = 0;

  /// InvalidArgument naming the rule broken, the parameter missing or unknown, or the value out of range.
  virtual absl::Status Validate(const MatmulProblem& problem, const Schedule& schedule,
                                const DeviceInfo& device) const = 0;

  /// What a valid schedule should take on a GPU such as `device`, which need not say how fast it is; of the SIMT device
  /// one of its architecture. Nullopt where the family has no model, or the schedule is none of its own.
  virtual std::optional<PredictedTime> Predict(const MatmulProblem&, const Schedule&, const DeviceInfo&) const {
    return std::nullopt;
  }

  /// Predict(), of one of whose multiplying kernel compiling has told `facts`.
  virtual std::optional<PredictedTime> PredictCompiled(const MatmulProblem& problem, const Schedule& schedule,
                                                       const DeviceInfo& device, const CodeFacts& /*facts*/) const {
    return Predict(problem, schedule, device);
  }

  /// What a search learns the speed of a valid schedule from: finite numbers, as many and in the same order for every
  /// schedule of the family on one problem and device, close where schedules are alike. Schedules with equal features
  /// are taken for the same code.
  virtual std::vector<double> Features(const MatmulProblem&, const Schedule& schedule, const DeviceInfo&) const {
    return ParameterFeatures(schedule);
  }
};

}  // namespace mmtune
