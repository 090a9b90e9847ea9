// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of a kernel family for those who have no compiler: search, server and worker.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// The predicted time of all kernels of a schedule, in seconds: good for comparing schedules, not for reports. The
/// units (multiply to dram) run at once; each has the time it would be busy if its work were spread evenly over the
/// device. `latency`, `tail` and `others` are added. kernels/perf_model/time_model.h has the formulas and their
/// sources.
struct PredictedTime {
  double total = 0;
  double multiply = 0;  ///< The arithmetic of the tiles, with padding.
  double issue = 0;     ///< Every instruction of the loop over k.
  double shared = 0;    ///< Wavefronts of shared memory.
  double l2 = 0;        ///< Bytes that blocks read through L2.
  double dram = 0;      ///< Bytes that reach device memory.
  double latency = 0;   ///< Latency of k steps and of blocks that no other work hides.
  double tail = 0;      ///< Idle time of waves that do not fill the multiprocessors.
  double others = 0;    ///< Launches, clearing, atomics, and the kernel that sums a workspace.
  double waves = 0;     ///< Not a time: blocks / blocks resident at once.
};

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

/// One rule of validity. `ready` is the number of leading parameters (in the order of KernelFamily::Parameters) that it
/// reads: enumeration evaluates a rule as soon as they are set, and so cuts whole subtrees.
struct ScheduleConstraint {
  std::string name;  ///< "warp-tile divides block-tile": the reason why a schedule is rejected.
  size_t ready = 0;
  /// `values[i]` is the value of parameter i; only the first `ready` may be read.
  std::function<bool(const int64_t* values)> holds;
};

/// A kind of kernel and the space of its schedules. Immutable and thread-safe.
class KernelFamily {
 public:
  virtual ~KernelFamily() = default;
  virtual std::string_view name() const = 0;
  /// Returns a number that changes whenever the code emitted for some schedule changes.
  virtual int version() const = 0;
  /// True if a job for this problem that names no families searches this one. False where it is sure to be slower than
  /// another.
  virtual bool SearchedByDefault(const MatmulProblem&) const { return true; }

  /// Returns the axes worth searching on a device for a problem, in the order in which constraints count them.
  virtual std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const = 0;
  /// Returns every rule, sorted by `ready`. Validate applies the same list.
  virtual std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const = 0;

  /// Returns InvalidArgument naming the broken rule, the missing or unknown parameter, or the value out of range.
  virtual absl::Status Validate(const MatmulProblem& problem, const Schedule& schedule,
                                const DeviceInfo& device) const = 0;

  /// Predicts the time of a valid schedule on a GPU such as `device`, which need not say how fast it is; for the SIMT
  /// device, on a GPU of its architecture. Nullopt where the family has no model, or the schedule is of another family.
  virtual std::optional<PredictedTime> Predict(const MatmulProblem&, const Schedule&, const DeviceInfo&) const {
    return std::nullopt;
  }

  /// Like Predict(), but uses the register count, spills and throughput found by compiling the main kernel.
  virtual std::optional<PredictedTime> PredictCompiled(const MatmulProblem& problem, const Schedule& schedule,
                                                       const DeviceInfo& device, const CodeFacts& /*facts*/) const {
    return Predict(problem, schedule, device);
  }

  /// Returns the features from which a search learns the speed of a valid schedule: finite numbers, as many and in the
  /// same order for every schedule of the family on one problem and device, close where schedules are alike. Schedules
  /// with equal features count as the same code.
  virtual std::vector<double> Features(const MatmulProblem&, const Schedule& schedule, const DeviceInfo&) const {
    return ParameterFeatures(schedule);
  }
};

}  // namespace mmtune
