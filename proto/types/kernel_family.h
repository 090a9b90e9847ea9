// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of a kernel family, as search, server and worker see it.
//
// A kernel family is one way to write a matmul kernel (for example "fma", a tiled kernel for CUDA cores) with integer
// parameters such as tile sizes. It defines which parameter values are valid for a problem on a device, and can predict
// the time of a schedule (the family with a value for each parameter). The families are in kernels/families. The code
// that emits kernels is not part of this interface, so that its users need not link a compiler.
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

/// The predicted time of all kernels of a schedule, in seconds. It is good for comparing schedules with one another,
/// not as an absolute time.
///
/// The first five parts (multiply to dram) overlap: each is the time for which that unit is busy if work is spread
/// evenly. The parts latency, tail and others are added to them. kernels/perf_model/README.md has the formulas and
/// their sources.
struct PredictedTime {
  double total = 0;
  double multiply = 0;  ///< Multiply-adds of all tiles, padding included.
  double issue = 0;     ///< Instruction issue of the main loop.
  double shared = 0;    ///< Wavefronts of shared memory.
  double l2 = 0;        ///< Bytes that blocks read through L2.
  double dram = 0;      ///< Bytes that reach device memory.
  double latency = 0;   ///< Latency of loop iterations and of blocks that no other work hides.
  double tail = 0;      ///< Idle multiprocessors in the last wave of blocks.
  double others = 0;    ///< Kernel launches, clearing of C, atomics, and the kernel that sums split-k partial results.
  double waves = 0;     ///< Not a time: number of blocks / blocks that are resident at once.
};

/// One parameter of a family, and the values that a search tries, ascending: "bm" with 32, 64, 128.
struct ScheduleParameter {
  std::string name;
  std::vector<int64_t> values;

  /// Returns the parameter's value in a schedule, or nullopt if the schedule does not name it.
  std::optional<int64_t> ValueIn(const Schedule& schedule) const {
    const auto named = schedule.params.find(name);
    return named == schedule.params.end() ? std::nullopt : std::optional(named->second);
  }
};

/// A rule that valid schedules obey. `ready` tells how many parameters the rule reads: the first `ready` in the order
/// of KernelFamily::Parameters(). Enumeration evaluates a rule as soon as these parameters have values. If the rule
/// fails, it skips all schedules that begin with these values.
struct ScheduleConstraint {
  std::string name;  ///< The rule in words, for errors: "warp-tile divides block-tile".
  size_t ready = 0;  ///< The number of leading parameters that the rule reads.
  /// Returns true if the rule holds. `values[i]` is the value of parameter i; only the first `ready` may be read.
  std::function<bool(const int64_t* values)> holds;
};

/// A kernel family. Immutable and thread-safe.
class KernelFamily {
 public:
  virtual ~KernelFamily() = default;
  /// Returns the name by which schedules refer to the family: "fma".
  virtual std::string_view name() const = 0;
  /// Returns the version of the emitted code. It is raised whenever the code of any schedule changes, so that old
  /// measurements are not mixed with new ones.
  virtual int version() const = 0;
  /// True if a job for this problem that does not name families searches this one. False if another family is known to
  /// be faster.
  virtual bool SearchedByDefault(const MatmulProblem&) const { return true; }

  /// Returns the parameters worth searching for a problem on a device. Constraints refer to parameters by their index
  /// in this list.
  virtual std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const = 0;
  /// Returns all rules that valid schedules obey, sorted by `ready`. Validate() applies the same rules.
  virtual std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const = 0;

  /// Returns OK for a valid schedule. Else returns InvalidArgument naming the broken rule, the missing or unknown
  /// parameter, or the value out of range.
  virtual absl::Status Validate(const MatmulProblem& problem, const Schedule& schedule,
                                const DeviceInfo& device) const = 0;

  /// Predicts the time of a valid schedule on a GPU of the device's class. For the SIMT device, predicts it for a GPU
  /// of the same architecture. Returns nullopt if the family has no model, or the schedule belongs to another family.
  virtual std::optional<PredictedTime> Predict(const MatmulProblem&, const Schedule&, const DeviceInfo&) const {
    return std::nullopt;
  }

  /// Like Predict(), but uses the register count, spills and throughput found by compiling the main kernel.
  virtual std::optional<PredictedTime> PredictCompiled(const MatmulProblem& problem, const Schedule& schedule,
                                                       const DeviceInfo& device, const CodeFacts& /*facts*/) const {
    return Predict(problem, schedule, device);
  }

  /// Returns the features of a valid schedule from which a search learns its speed. They are finite, in the same order
  /// and number for every schedule of the family, and close for schedules that are alike. Schedules with equal features
  /// count as the same code.
  virtual std::vector<double> Features(const MatmulProblem&, const Schedule& schedule, const DeviceInfo&) const {
    return ParameterFeatures(schedule);
  }
};

}  // namespace mmtune
