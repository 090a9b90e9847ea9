// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base class of all kernel families, and helpers that they share. The class extends KernelFamily, the interface for
// searches, by what only code in kernels/ and above uses: the geometry of a schedule (its tiles, blocks, threads and
// memory), its launch plan (memsets and kernel launches), default schedules, and shapes for verification. It implements
// validation, prediction and features from a family's rules and geometry. This header does not need MLIR.
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

/// The smallest and largest valid value of a parameter. A search tries only some of the values between them.
struct ParameterDomain {
  const char* name;
  int64_t low;
  int64_t high;
};

/// Alternatives in order of preference: the first valid one is used.
template <typename T>
using ByPreference = std::vector<T>;

/// One step of the ladder, a sequence of schedules from naive to tuned that `tune ladder` shows for teaching.
struct LadderRung {
  std::string name;  ///< "shared-memory".
  ByPreference<Schedule> schedules;
};

/// A kernel family without its emitter: from parameters to launch plan. Immutable and thread-safe.
class FamilyBase : public KernelFamily {
 public:
  // KernelFamily (proto/types/kernel_family.h) documents the overrides.
  absl::Status Validate(const MatmulProblem& problem, const Schedule& schedule,
                        const DeviceInfo& device) const override;

  /// Returns the geometry of a schedule for the problem. The schedule need not be valid. Returns InvalidArgument, as
  /// Validate() does, if a parameter is missing, unknown or out of range.
  absl::StatusOr<ScheduleGeometry> Describe(const MatmulProblem& problem, const Schedule& schedule) const;

  std::optional<PredictedTime> Predict(const MatmulProblem& problem, const Schedule& schedule,
                                       const DeviceInfo& device) const override;

  std::optional<PredictedTime> PredictCompiled(const MatmulProblem& problem, const Schedule& schedule,
                                               const DeviceInfo& device, const CodeFacts& facts) const override;

  /// Returns the parameters, in the order of their names, then GeometryFeatures(); empty if Describe() fails.
  std::vector<double> Features(const MatmulProblem& problem, const Schedule& schedule,
                               const DeviceInfo& device) const override;

  /// True if the family is specialised for problems of this kind, such as gemv for matrix-vector products. Its default
  /// schedules are then preferred to those of other families.
  virtual bool IsSpecializedFor(const MatmulProblem&) const { return false; }

  /// Returns the architecture for which the family's code is generated to run on the device: by default the device's
  /// own. A family that needs architecture-specific features returns the name with a suffix, such as "sm_90a" for a
  /// device of sm_90; such code runs on that architecture only.
  virtual std::string Architecture(const DeviceInfo& device) const { return device.arch; }

  /// True if a schedule counts as failed, and is not measured, when the assembler warns about its code
  /// (CompiledKernel::warnings) or spills registers. By default such a schedule is measured like any other.
  virtual bool FailsOnAssemblerWarnings() const { return false; }

  /// Returns the schedule whose code is verified in place of a valid `schedule`; by default the schedule itself. A
  /// family of persistent kernels, whose grid is a parameter, returns a schedule with the same code and so few blocks
  /// that each computes several tiles of a small problem.
  virtual Schedule VerificationSchedule(const MatmulProblem&, const Schedule& schedule) const { return schedule; }

  /// Returns the memsets and launches of a valid schedule.
  virtual LaunchPlan MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const = 0;

  /// Returns the family's steps (rungs) in the ladder of `tune ladder`, slowest first.
  virtual std::vector<LadderRung> ladder(const MatmulProblem& problem) const = 0;

  /// Returns lists of alternatives for the default schedule of a problem. Only the first valid schedule of each list is
  /// considered.
  virtual std::vector<ByPreference<Schedule>> DefaultSchedules(const MatmulProblem& problem,
                                                               const DeviceInfo& device) const = 0;

  /// Returns the schedules that a search measures first, after the default one; by default none. A family whose space
  /// is so large that random samples miss the few schedules that formulas or libraries find fast returns those.
  virtual std::vector<Schedule> FirstSchedules(const MatmulProblem&, const DeviceInfo&) const { return {}; }

  /// Returns small variants of `problem` at which a schedule with this geometry is verified. The first valid variant of
  /// each list is used. The default is TiledVerificationShapes().
  virtual std::vector<ByPreference<MatmulProblem>> VerificationShapes(const MatmulProblem& problem,
                                                                      const ScheduleGeometry& geometry) const;

  /// Returns the reason why the kernels of a valid schedule do not support such run-time sizes, or an empty string if
  /// they do. By default they do not.
  virtual std::string WhyRunTimeSizesUnsupported(const MatmulProblem& problem, const Schedule& schedule,
                                                 RunTimeSizes sizes) const;

  /// Returns the schedule changed so that no blocks share a tile; by default the schedule itself.
  virtual Schedule WithWholeTiles(const Schedule& schedule) const { return schedule; }

 protected:
  /// Returns the domain of every parameter, in the order of Parameters().
  virtual const std::vector<ParameterDomain>& domains() const = 0;
  /// Returns the geometry of a schedule whose parameters are complete and within their domains.
  virtual ScheduleGeometry DescribeValid(const MatmulProblem& problem, const Schedule& schedule) const = 0;

 private:
  /// Returns the values of a schedule in the order of domains(), or the error of Validate().
  absl::StatusOr<std::vector<int64_t>> ReadValues(const Schedule& schedule) const;
};

/// The largest index of a row, column or k step, which kernels keep in 32 bits. Offsets have 64 bits.
inline constexpr int64_t kMaxCoordinate = (int64_t{1} << 31) - 1;

/// The largest x size of a CUDA grid. The blocks of a batch's matrices follow each other along x.
inline constexpr int64_t kMaxGridX = (int64_t{1} << 31) - 1;

/// The bytes of the widest access to global memory.
inline constexpr int64_t kWidestAccess = 16;

/// True if C has one row or one column, so that the matmul is a matrix-vector product.
inline bool IsMatrixVector(const MatmulProblem& problem) { return problem.m == 1 || problem.n == 1; }

/// Returns the multiprocessors of the device, or 128 if it does not report them.
inline int64_t MultiprocessorsOf(const DeviceInfo& device) {
  constexpr int64_t kAssumed = 128;
  return device.multiprocessors > 0 ? device.multiprocessors : kAssumed;
}

/// Returns the smallest power of two that is at least `value`.
int64_t NextPowerOfTwo(int64_t value);

/// Returns the number of elements of the widest vector that divides both extents: 1, 2 or 4, or for elements of 8 bytes
/// 1 or 2.
inline int64_t VectorWidth(int64_t a, int64_t b = 4, int64_t elementBytes = 4) {
  return std::gcd(std::gcd(a, b), std::min<int64_t>(4, kWidestAccess / elementBytes));
}

/// Returns the values of a parameter for a search to try: `candidates` within [low, high], or only `low` if there are
/// none.
std::vector<int64_t> AxisWithin(std::initializer_list<int64_t> candidates, int64_t low, int64_t high);

/// Returns the bytes of A, B and the epilogue's operands that all blocks together read if a matrix of C has gridM x
/// gridN tiles.
double OperandBytesRead(const MatmulProblem& problem, int64_t gridM, int64_t gridN);

/// Adds the epilogue's operands to the arguments of the kernel that applies it.
void AddEpilogueArguments(const MatmulProblem& problem, PlanStep& step);

}  // namespace mmtune
