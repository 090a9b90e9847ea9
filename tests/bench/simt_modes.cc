// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the modes of the SIMT device cost: a matmul of 64x64x16 tiles, 256 threads of 4x4 elements, written by hand as
// the compiler would make it, with and without the calls of race detection.
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/launch_pool.h"
#include "kernels/simulator/memory/device_memory.h"
#include "kernels/simulator/race_detector/race_monitor.h"

namespace mmtune::simt {
namespace {

constexpr Site kSites[] = {{"unknown", "unknown", 0}, {"load", "global", 0},  {"store", "shared", 0},
                           {"load", "shared", 0},     {"store", "global", 0}, {nullptr, nullptr, 0}};
constexpr uint32_t kTile = 64, kTileK = 16;

struct alignas(16) Vector {
  float lanes[4];
};

template <bool kChecks, typename T>
T Load(ThreadContext* t, const T* address, uint32_t site) {
  if (kChecks) mmtune_simt_access(t, address, sizeof(T), AccessKind::kRead, site);
  return *address;
}

template <bool kChecks, typename T>
void Store(ThreadContext* t, T* address, const T& value, uint32_t site) {
  if (kChecks) mmtune_simt_access(t, address, sizeof(T), AccessKind::kWrite, site);
  *address = value;
}

/// C = A B, row-major squares. A's tile lies transposed in shared memory: every multiply-add's operands are vectors.
template <bool kChecks>
void Matmul(ThreadContext* t, void** arguments) {
  const float *a, *b;
  float* c;
  uint32_t extent;
  std::memcpy(&a, arguments[0], sizeof(a));
  std::memcpy(&b, arguments[1], sizeof(b));
  std::memcpy(&c, arguments[2], sizeof(c));
  std::memcpy(&extent, arguments[3], sizeof(extent));
  auto* tile_a = reinterpret_cast<float*>(t->shared);
  float* tile_b = tile_a + kTile * kTileK;
  const uint32_t tid = t->linear_tid, row = tid / 16 * 4, column = tid % 16 * 4;
  const size_t row0 = t->ctaid[1] * kTile, column0 = t->ctaid[0] * kTile;
  float sum[4][4] = {};
  for (uint32_t k = 0; k < extent; k += kTileK) {
    const auto from_a =
        Load<kChecks>(t, reinterpret_cast<const Vector*>(&a[(row0 + tid / 4) * extent + k + tid % 4 * 4]), 1);
    for (uint32_t i = 0; i < 4; ++i)
      Store<kChecks>(t, &tile_a[(tid % 4 * 4 + i) * kTile + tid / 4], from_a.lanes[i], 2);
    const auto from_b =
        Load<kChecks>(t, reinterpret_cast<const Vector*>(&b[(k + tid / 16) * extent + column0 + column]), 1);
    Store<kChecks>(t, reinterpret_cast<Vector*>(&tile_b[tid / 16 * kTile + column]), from_b, 2);
    mmtune_simt_barrier(t, 0, 0, 0);
    for (uint32_t step = 0; step < kTileK; ++step) {
      const auto x = Load<kChecks>(t, reinterpret_cast<const Vector*>(&tile_a[step * kTile + row]), 3);
      const auto y = Load<kChecks>(t, reinterpret_cast<const Vector*>(&tile_b[step * kTile + column]), 3);
      for (uint32_t i = 0; i < 4; ++i)
        for (uint32_t j = 0; j < 4; ++j) sum[i][j] += x.lanes[i] * y.lanes[j];
    }
    mmtune_simt_barrier(t, 0, 0, 0);
  }
  for (uint32_t i = 0; i < 4; ++i) {
    const Vector out = {{sum[i][0], sum[i][1], sum[i][2], sum[i][3]}};
    Store<kChecks>(t, reinterpret_cast<Vector*>(&c[(row0 + row + i) * extent + column0 + column]), out, 4);
  }
}

enum Mode { kFast, kFuzzing, kCheck, kCheckAndFuzzing };

/// Arguments: extent, Mode. The accesses counter says how many the monitor saw, a second.
void BM_Matmul(benchmark::State& state) {
  auto extent = static_cast<uint32_t>(state.range(0));
  const int64_t mode = state.range(1);
  const bool checks = mode == kCheck || mode == kCheckAndFuzzing;
  DeviceMemory memory(PhysicalMemoryBytes());
  DevicePtr buffers[3];
  for (DevicePtr& buffer : buffers) buffer = memory.Allocate(size_t{extent} * extent * 4).value();
  void* arguments[] = {&buffers[0], &buffers[1], &buffers[2], &extent};
  LaunchJob job;
  job.entry = checks ? &Matmul<true> : &Matmul<false>;
  job.grid[0] = job.grid[1] = extent / kTile;
  job.block[0] = 256;
  job.dynamic_shared_bytes = 2 * kTile * kTileK * 4;
  job.arguments = arguments;
  if (mode == kFuzzing || mode == kCheckAndFuzzing) job.fuzzing_seed = 1;
  CheckedLaunch launch;
  launch.kernel = "matmul";
  launch.job = &job;
  launch.memory = &memory;
  launch.tables.sites = kSites;
  LaunchPool pool(1);
  for (auto _ : state) {
    std::unique_ptr<RaceMonitor> monitor;
    if (checks) monitor = RaceMonitor::Create(launch).value();
    job.monitor = monitor.get();
    if (pool.Run(job) || (checks && !monitor->TakeFindings().empty())) return state.SkipWithError("the launch failed");
  }
  if (!checks) return;
  const double per_thread = extent / kTileK * (6.0 + 1 + 2 * kTileK) + 4;
  state.counters["accesses"] = benchmark::Counter(
      per_thread * extent * extent / 16 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Matmul)
    ->ArgsProduct({{256, 512}, {kFast, kFuzzing, kCheck, kCheckAndFuzzing}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mmtune::simt

BENCHMARK_MAIN();
