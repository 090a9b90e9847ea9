// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/runtime_lower_bound.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/perf_model/time_model.h"
#include "proto/types/device_info.h"

namespace mmtune {
namespace {

constexpr int64_t kSchedulers = 4;
constexpr int64_t kMaxResident = 32;
/// Units with fewer lanes than this are shared by the schedulers of a multiprocessor.
constexpr int64_t kLanesOfSchedulers = 64;

/// The blocks whose whole tile lies within the problem.
struct WholeBlocks {
  int64_t count = 0;
  double multiply_adds = 0;  ///< Multiply-adds of each of them.
  bool even_warps = true;    ///< Every warp of a block executes equally many.
};

WholeBlocks WholeBlocksOf(const MatmulProblem& problem, const ScheduleGeometry& geometry) {
  const BlockTile& tile = geometry.tile;
  const int64_t rows = std::min(tile.m, problem.m), columns = std::min(tile.n, problem.n);
  const auto area = static_cast<double>(rows) * static_cast<double>(columns);
  // Some warps of a tile that is larger than the matrix may be idle, and warps of a matrix-vector product may share k.
  const bool even = rows == tile.m && columns == tile.n && std::min(problem.m, problem.n) > 1;
  if (geometry.minStepsPerBlock > 0) {  // Stream-k divides the k steps of all tiles evenly where the tiles fit.
    const bool fits = problem.m % tile.m == 0 && problem.n % tile.n == 0 && problem.k % tile.k == 0;
    return {fits ? geometry.blocks : 0, area * static_cast<double>(geometry.sharedK), even};
  }
  const int64_t k = std::min(problem.k, geometry.sharedK > 0 ? geometry.sharedK : problem.k);
  const int64_t count = problem.batch * (problem.m / rows) * (problem.n / columns) * (problem.k / k);
  return {count, area * static_cast<double>(k), even};
}

/// Returns an upper bound of the blocks that are resident on a multiprocessor.
int64_t MaxResident(const DeviceInfo& device, const KernelResources& compiled, int64_t threads) {
  int64_t most = kMaxResident;
  const auto limit = [&most](int64_t all, int64_t each) {
    if (all > 0 && each > 0) most = std::min(most, std::max<int64_t>(all / each, 1));
  };
  limit(device.max_threads_per_multiprocessor, threads);
  limit(device.shared_bytes_per_multiprocessor, compiled.shared_bytes);
  limit(device.registers_per_multiprocessor, compiled.registers * threads);
  return most;
}

}  // namespace

RuntimeLowerBound RuntimeLowerBoundOf(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                      const DeviceInfo& device, const KernelResources& compiled) {
  // Split precision takes several instructions for a multiply-add, and the quotient is rounded down: one more is safe.
  const int64_t whole = MultiplyAddsPerClock(problem, geometry.loop.tensorCores, device);
  const int64_t rate = whole > 0 && problem.math != MathMode::kIeee ? whole + 1 : whole;
  const bool by_integers = !geometry.loop.tensorCores && problem.AccumulatorType() == DataType::kS32;
  if (PeakGflops(device, problem.dtype, problem.math) <= 0 || rate <= 0 || by_integers) return {};
  const double ns_per_clock = 1e6 / kMaxBoost / static_cast<double>(device.clock_khz);

  RuntimeLowerBound least;
  const double all = problem.Flops() / 2 / static_cast<double>(rate) / static_cast<double>(device.multiprocessors);
  least.ns = all * ns_per_clock;
  least.bound = "peak";
  least.why = "all multiply-adds at the peak rate";
  const WholeBlocks blocks = WholeBlocksOf(problem, geometry);
  if (blocks.count == 0) return least;

  // Only wgmma has persistent blocks, which may be fewer than tiles and multiprocessors.
  const int64_t at_work =
      geometry.loop.warpgroups ? std::min(device.multiprocessors, geometry.blocks) : device.multiprocessors;
  const int64_t busiest = CeilDiv(blocks.count, at_work);
  double clocks = static_cast<double>(busiest) * blocks.multiply_adds / static_cast<double>(rate);
  std::string bound = "blocks";
  std::string why = absl::StrCat(blocks.count, " whole blocks of ", geometry.labels.blockTile, " on ", at_work,
                                 " multiprocessors, ", busiest, " on the busiest");
  const int64_t threads = compiled.threads > 0 ? compiled.threads : geometry.threads;
  const int64_t warps = CeilDiv(threads, 32);
  const int64_t resident = MaxResident(device, compiled, threads);
  const int64_t rounds =
      std::max(CeilDiv(busiest * warps, kSchedulers), CeilDiv(busiest, resident) * CeilDiv(warps, kSchedulers));
  const double of_schedulers =
      static_cast<double>(rounds * kSchedulers) * blocks.multiply_adds / static_cast<double>(warps * rate);
  if (blocks.even_warps && rate >= kLanesOfSchedulers && of_schedulers > clocks) {
    clocks = of_schedulers;
    bound = "schedulers";
    absl::StrAppend(&why, ", whose warps leave schedulers idle: ", warps, " of a block, of which ",
                    std::min(busiest, resident), " are resident");
  }
  if (clocks * ns_per_clock > least.ns) least = {clocks * ns_per_clock, bound, why};
  return least;
}

}  // namespace mmtune
