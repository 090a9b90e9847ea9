// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every family of this folder says of itself, and shares: one list of parameter domains, and a
// Validate() that applies it together with the family's constraints.
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

/// The smallest and largest value a parameter may have at all. The axes of a search are narrower.
struct ParameterDomain {
  const char* name;
  int64_t low;
  int64_t high;
};

/// In order of preference: the first that is valid counts.
template <typename T>
using ByPreference = std::vector<T>;

/// One rung of the teaching ladder.
struct LadderRung {
  std::string name;  ///< "shared-memory".
  ByPreference<Schedule> schedules;
};

/// Immutable and thread-safe, as KernelFamily asks.
class SpaceFamily : public KernelFamily {
 public:
  absl::Status Validate(const MatmulProblem& problem, const Schedule& schedule,
                        const DeviceInfo& device) const override;

  /// What the schedule makes of the problem. It need not be valid; InvalidArgument, as Validate,
  /// where a parameter is missing, unknown or out of range.
  absl::StatusOr<ScheduleGeometry> Describe(const MatmulProblem& problem, const Schedule& schedule) const;

  std::optional<PredictedTime> Predict(const MatmulProblem& problem, const Schedule& schedule,
                                       const DeviceInfo& device) const override;

  std::optional<PredictedTime> PredictCompiled(const MatmulProblem& problem, const Schedule& schedule,
                                               const DeviceInfo& device, const CodeFacts& facts) const override;

  /// The parameters, in the order of their names, and GeometryFeatures(). Empty for
  /// what Describe() refuses.
  std::vector<double> Features(const MatmulProblem& problem, const Schedule& schedule,
                               const DeviceInfo& device) const override;

  /// Whether it exists for problems of this kind: then its defaults come before those of other families.
  virtual bool IsMadeFor(const MatmulProblem&) const { return false; }

  /// The memsets and launches of a valid schedule.
  virtual LaunchPlan MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const = 0;

  /// Its rungs, slowest first.
  virtual std::vector<LadderRung> ladder(const MatmulProblem& problem) const = 0;

  /// Schedules for a problem that nobody tuned: of each list the first valid one is considered.
  virtual std::vector<ByPreference<Schedule>> DefaultSchedules(const MatmulProblem& problem,
                                                               const DeviceInfo& device) const = 0;

  /// Small problems of the kind of `problem` at which a schedule with this geometry is proven: of
  /// each list the first that its rules take. Unless a family says otherwise, those of
  /// TiledVerificationShapes().
  virtual std::vector<ByPreference<MatmulProblem>> VerificationShapes(const MatmulProblem& problem,
                                                               const ScheduleGeometry& geometry) const;

  /// Why the kernels of a valid schedule cannot have such sizes at run time; empty when they can. Unless a family says
  /// otherwise, they cannot.
  virtual std::string WhyNotAtRunTime(const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes) const;

  /// The schedule with every tile a block's own: `schedule` itself, unless the family has splits of k.
  virtual Schedule WithWholeTiles(const Schedule& schedule) const { return schedule; }

 protected:
  /// Every parameter, in the order of Parameters(), in which constraints count them.
  virtual const std::vector<ParameterDomain>& domains() const = 0;
  /// Describe() of a schedule whose parameters are complete and within their domains.
  virtual ScheduleGeometry DescribeValid(const MatmulProblem& problem, const Schedule& schedule) const = 0;

 private:
  /// The values of a schedule, in the order of the domains.
  absl::StatusOr<std::vector<int64_t>> ReadValues(const Schedule& schedule) const;
};

/// Coordinates of rows, columns and k steps are 32-bit in kernels; offsets from a block's base are
/// formed from them in 64 bits.
inline constexpr int64_t kMaxCoordinate = (int64_t{1} << 31) - 1;

/// The largest x extent of a CUDA grid. The matrices of a batch follow one another along x.
inline constexpr int64_t kMaxGridX = (int64_t{1} << 31) - 1;

/// Bytes of the widest access to global memory.
inline constexpr int64_t kWidestAccess = 16;

/// Whether C has one row or one column: the product is that of a matrix and a vector.
inline bool IsMatrixVector(const MatmulProblem& problem) { return problem.m == 1 || problem.n == 1; }

/// Stands in where a device does not say how many multiprocessors it has.
inline constexpr int64_t kAssumedMultiprocessors = 128;

/// The smallest power of two not below `value`.
int64_t NextPowerOfTwo(int64_t value);

/// The widest vector (1, 2 or 4 elements, or of 8 bytes 1 or 2) of which both extents are multiples.
inline int64_t VectorWidth(int64_t a, int64_t b = 4, int64_t elementBytes = 4) {
  return std::gcd(std::gcd(a, b), std::min<int64_t>(4, kWidestAccess / elementBytes));
}

/// Those of `candidates` within [low, high]; `low` itself when there are none.
std::vector<int64_t> AxisWithin(std::initializer_list<int64_t> candidates, int64_t low, int64_t high);

/// Bytes of A and B that blocks read when a matrix of C has gridM x gridN tiles, and of what its
/// epilogue reads. C itself is not counted.
double OperandBytesRead(const MatmulProblem& problem, int64_t gridM, int64_t gridN);

/// Adds what the epilogue reads to the arguments of the kernel that applies it.
void AddEpilogueArguments(const MatmulProblem& problem, PlanStep& step);

}  // namespace mmtune
