// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/schedule_geometry.h"

#include <algorithm>
#include <cmath>

#include "kernels/perf_model/time_model.h"
#include "proto/types/schedule.h"

namespace mmtune {
namespace {

constexpr int64_t kMaxResidentBlocks = 32;

/// Shared memory that the driver reserves for each resident block.
constexpr int64_t kReservedSharedBytes = 1024;

/// Differences of shared memory below this do not matter to a search.
constexpr double kLittleSharedMemory = 1024;

double Log(int64_t count) { return LogFeature(static_cast<double>(count)); }

/// Returns the logarithm of a value that is never 0, such as a ratio.
double LogRatio(double ratio) { return std::log2(std::max(ratio, 1e-12)); }

}  // namespace

int64_t RegisterLimit(const DeviceInfo& device, int64_t threads, int64_t blocks) {
  const int64_t warps = CeilDiv(threads, 32) * blocks;
  const int64_t per_thread = device.registers_per_multiprocessor / (warps * 32);
  return std::min(kMaxThreadRegisters, per_thread / 8 * 8);
}

int64_t ResidentBlocks(const ScheduleGeometry& geometry, const DeviceInfo& device) {
  int64_t blocks = std::min(kMaxResidentBlocks, device.max_threads_per_multiprocessor / (geometry.warps() * 32));
  if (device.shared_bytes_per_multiprocessor > 0 && geometry.sharedBytes > 0)
    blocks = std::min(blocks, device.shared_bytes_per_multiprocessor / (geometry.sharedBytes + kReservedSharedBytes));
  while (blocks > std::max<int64_t>(geometry.minBlocks, 1) &&
         geometry.registers > RegisterLimit(device, geometry.threads, blocks))
    --blocks;
  return std::max<int64_t>(blocks, 1);
}

ScheduleGeometry WithCompiledResources(ScheduleGeometry geometry, const KernelResources& compiled) {
  if (compiled.threads <= 0) return geometry;
  geometry.threads = compiled.threads;
  geometry.sharedBytes = compiled.shared_bytes;
  if (compiled.registers >= 0) geometry.registers = compiled.registers;
  if (compiled.spill_bytes > 0) {
    // An access of a warp, 4 bytes a lane, is one wavefront of 128 bytes.
    const double accesses = static_cast<double>(compiled.spill_bytes) / 4;
    geometry.loop.instructions += accesses;
    geometry.loop.wavefronts += accesses * static_cast<double>(geometry.warps());
  }
  return geometry;
}

ScheduleGeometry WithCodeFacts(const ScheduleGeometry& geometry, const CodeFacts& facts) {
  ScheduleGeometry compiled = WithCompiledResources(geometry, facts.resources);
  if (facts.predicted_peak_fraction > 0) compiled.loop.peakFraction = facts.predicted_peak_fraction;
  return compiled;
}

std::vector<double> GeometryFeatures(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                     const DeviceInfo& device) {
  const LoopCost& loop = geometry.loop;
  const PredictedTime time = PredictTime(problem, geometry, device);
  auto resident = static_cast<double>(ResidentBlocks(geometry, device));
  double warps = resident * static_cast<double>(geometry.warps());
  double mostWarps = std::max(1.0, static_cast<double>(device.max_threads_per_multiprocessor) / 32);
  double ofBlock = std::max(1.0, loop.multiplyAdds * static_cast<double>(geometry.warps()));
  auto elements = static_cast<double>(geometry.tile.m * geometry.tile.n) / static_cast<double>(geometry.threads);
  return {
      Log(geometry.threads),
      LogRatio(elements),
      Log(geometry.registers),
      LogRatio(kLittleSharedMemory + static_cast<double>(geometry.sharedBytes)),
      resident,
      std::min(1.0, warps / mostWarps),
      static_cast<double>(std::max<int64_t>(geometry.registers - kMaxThreadRegisters, 0)),
      LogRatio(time.waves),
      time.waves > 0 ? std::ceil(time.waves) / time.waves : 1,
      LogRatio(loop.instructions * static_cast<double>(geometry.warps()) / ofBlock),
      LogRatio(loop.wavefronts / ofBlock),
      LogRatio(loop.bytes / ofBlock),
      LogRatio(time.total),
  };
}

}  // namespace mmtune
