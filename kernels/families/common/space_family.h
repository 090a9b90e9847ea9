// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of a kernel family within this folder, and what families share: parameter domains, and Validate(),
// which applies them and the family's rules.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/base/whole_numbers.h"
#include "proto/types/kernel_family.h"

namespace mmtune {

/// The smallest and largest valid value of a parameter. The axes of a search are narrower.
struct ParameterDomain {
  const char* name;
  int64_t low;
  int64_t high;
};

/// Alternatives in order of preference: the first valid one counts.
template <typename T>
using ByPreference = std::vector<T>;

/// One rung of the teaching ladder.
struct LadderRung {
  std::string name;  ///< "shared-memory".
  ByPreference<Schedule> schedules;
};

/// A kernel family, from parameters to launch plan, without a compiler. Immutable and thread-safe.
class SpaceFamily : public KernelFamily {
 public:
  absl::Status Validate(const MatmulProblem& problem, const Schedule& schedule,
                        const DeviceInfo& device) const override;

  /// Returns the geometry that the schedule has for the problem. It need not be valid; InvalidArgument, as by
  /// Validate(), where a parameter is missing, unknown or out of range.
  absl::StatusOr<ScheduleGeometry> Describe(const MatmulProblem& problem, const Schedule& schedule) const;

  std::optional<PredictedTime> Predict(const MatmulProblem& problem, const Schedule& schedule,
                                       const DeviceInfo& device) const override;

  std::optional<PredictedTime> PredictCompiled(const MatmulProblem& problem, const Schedule& schedule,
                                               const DeviceInfo& device, const CodeFacts& facts) const override;

  /// Returns the parameters, in the order of their names, and GeometryFeatures(); empty where Describe() fails.
  std::vector<double> Features(const MatmulProblem& problem, const Schedule& schedule,
                               const DeviceInfo& device) const override;

  /// True if the family is specialised for such problems: then its defaults come before those of other families.
  virtual bool IsMadeFor(const MatmulProblem&) const { return false; }

  /// Returns the memsets and launches of a valid schedule.
  virtual LaunchPlan MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const = 0;

  /// Returns its rungs of the teaching ladder, slowest first.
  virtual std::vector<LadderRung> ladder(const MatmulProblem& problem) const = 0;

  /// Returns schedules for a problem that was not tuned: the first valid one of each list is considered.
  virtual std::vector<ByPreference<Schedule>> DefaultSchedules(const MatmulProblem& problem,
                                                               const DeviceInfo& device) const = 0;

  /// Returns small problems like `problem` at which a schedule with this geometry is verified: the first valid one of
  /// each list. By default TiledVerificationShapes().
  virtual std::vector<ByPreference<MatmulProblem>> VerificationShapes(const MatmulProblem& problem,
                                                                      const ScheduleGeometry& geometry) const;

  /// Says why the kernels of a valid schedule cannot have such sizes at run time; empty where they can. By default they
  /// cannot.
  virtual std::string WhyNotAtRunTime(const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes) const;

  /// Returns the schedule without blocks that share tiles: `schedule` itself, unless the family has splits of k.
  virtual Schedule WithWholeTiles(const Schedule& schedule) const { return schedule; }

 protected:
  /// Returns the domain of every parameter, in the order of Parameters(), in which rules read them.
  virtual const std::vector<ParameterDomain>& domains() const = 0;
  /// Describes a schedule whose parameters are complete and within their domains.
  virtual ScheduleGeometry DescribeValid(const MatmulProblem& problem, const Schedule& schedule) const = 0;

 private:
  /// Returns the values of a schedule in the order of the domains, or the error of Validate().
  absl::StatusOr<std::vector<int64_t>> ReadValues(const Schedule& schedule) const;
};

/// The largest coordinate of rows, columns and k steps, which are 32-bit in kernels; offsets are 64-bit.
inline constexpr int64_t kMaxCoordinate = (int64_t{1} << 31) - 1;

/// The largest x extent of a CUDA grid. The matrices of a batch follow one another along x.
inline constexpr int64_t kMaxGridX = (int64_t{1} << 31) - 1;

/// Bytes of the widest access to global memory.
inline constexpr int64_t kWidestAccess = 16;

/// True if C has one row or one column, as the result of a matrix-vector product.
inline bool IsMatrixVector(const MatmulProblem& problem) { return problem.m == 1 || problem.n == 1; }

/// Returns the multiprocessors of the device; 128 where it does not say how many it has.
inline int64_t MultiprocessorsOf(const DeviceInfo& device) {
  constexpr int64_t kAssumed = 128;
  return device.multiprocessors > 0 ? device.multiprocessors : kAssumed;
}

/// Returns the smallest power of two that is not below `value`.
int64_t NextPowerOfTwo(int64_t value);

/// Returns the widest vector (1, 2 or 4 elements; of 8 bytes 1 or 2) that divides both extents.
inline int64_t VectorWidth(int64_t a, int64_t b = 4, int64_t elementBytes = 4) {
  return std::gcd(std::gcd(a, b), std::min<int64_t>(4, kWidestAccess / elementBytes));
}

/// Returns the candidates within [low, high]; `low` itself where there are none.
std::vector<int64_t> AxisWithin(std::initializer_list<int64_t> candidates, int64_t low, int64_t high);

/// Returns the bytes of A and B that blocks read if a matrix of C has gridM x gridN tiles, and those that its epilogue
/// reads, without C.
double OperandBytesRead(const MatmulProblem& problem, int64_t gridM, int64_t gridN);

/// Adds the operands of the epilogue to the arguments of the kernel that applies it.
void AddEpilogueArguments(const MatmulProblem& problem, PlanStep& step);

}  // namespace mmtune
