// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/schedule_geometry.h"

#include <algorithm>
#include <cmath>

#include "kernels/perf_model/time_model.h"
#include "proto/types/schedule.h"

namespace mmtune {
namespace {

/// Shared memory up to about this much makes no difference.
constexpr double kLittleSharedMemory = 1024;

double Log(int64_t count) { return LogFeature(static_cast<double>(count)); }

/// A logarithm of what is never 0, such as a ratio.
double LogRatio(double ratio) { return std::log2(std::max(ratio, 1e-12)); }

}  // namespace

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
