// What every family of this folder shares: one list of parameter domains, and a Validate() that
// applies it together with the family's constraints.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/compiled_kernel.h"
#include "proto/types/kernel_family.h"

namespace mmtune {

/// The smallest and largest value a parameter may have at all. The axes of a search are narrower.
struct ParameterDomain {
  const char *name;
  int64_t low;
  int64_t high;
};

/// Immutable and thread-safe, as KernelFamily asks.
class SpaceFamily : public KernelFamily {
public:
  absl::Status Validate(const MatmulProblem &problem, const Schedule &schedule,
                        const DeviceInfo &device) const override;

  /// The memsets and launches of a valid schedule.
  virtual LaunchPlan makeLaunchPlan(const MatmulProblem &problem,
                                    const Schedule &schedule) const = 0;

protected:
  /// Every parameter, in the order in which constraints count them.
  virtual const std::vector<ParameterDomain> &domains() const = 0;
};

/// Coordinates of rows, columns and k steps are 32-bit in kernels; offsets from a block's base are
/// formed from them in 64 bits.
inline constexpr int64_t kMaxCoordinate = (int64_t{1} << 31) - 1;

/// The largest x and z extent of a CUDA grid. The matrices of a batch follow one another along x.
inline constexpr int64_t kMaxGridX = (int64_t{1} << 31) - 1;
inline constexpr int64_t kMaxGridZ = 65535;

inline int64_t ceilDiv(int64_t value, int64_t by) { return (value + by - 1) / by; }
inline int64_t roundUp(int64_t value, int64_t to) { return ceilDiv(value, to) * to; }

/// The smallest power of two not below `value`.
int64_t nextPowerOfTwo(int64_t value);

/// The widest vector of floats (1, 2 or 4) of which both extents are multiples.
inline int64_t vectorWidth(int64_t a, int64_t b = 4) {
  return std::gcd(std::gcd(a, b), int64_t{4});
}

/// Those of `candidates` within [low, high]; `low` itself when there are none.
std::vector<int64_t> axisWithin(std::initializer_list<int64_t> candidates, int64_t low,
                                int64_t high);

/// Adds what the epilogue reads to the arguments of the kernel that applies it.
void addEpilogueArguments(const MatmulProblem &problem, PlanStep &step);

/// Registers a thread may have when `blocks` blocks of `threads` threads are to be resident at
/// once. Source: CUDA C++ Programming Guide; a warp's registers are allocated 256 at a time.
int64_t registerLimit(const DeviceInfo &device, int64_t threads, int64_t blocks);

} // namespace mmtune
