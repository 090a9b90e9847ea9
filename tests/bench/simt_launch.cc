// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the SIMT device costs beside the kernel: switching fibers, starting threads, barriers, launches; and a matmul.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "kernels/simulator/block/fiber.h"
#include "kernels/simulator/launch_pool.h"
#include "kernels/simulator/simt_device.h"

namespace mmtune::simt {
namespace {

struct PingPong {
  Fiber main, other;
};

void Pong(void* argument) {
  auto* game = static_cast<PingPong*>(argument);
  while (true) Fiber::Switch(&game->other, &game->main);
}

/// Two switches an iteration.
void BM_FiberSwitch(benchmark::State& state) {
  FiberStacks stacks;
  if (!stacks.Reserve(1).ok()) return state.SkipWithError("no stack");
  PingPong game;
  game.other.Prepare(stacks.Stack(0), &Pong, &game);
  for (auto _ : state) Fiber::Switch(&game.main, &game.other);
  state.SetItemsProcessed(2 * state.iterations());
}
BENCHMARK(BM_FiberSwitch);

void Empty(ThreadContext*, void**) {}

void TenBarriers(ThreadContext* thread, void**) {
  for (int i = 0; i < 10; ++i) mmtune_simt_barrier(thread, 0, 0, 0);
}

LaunchJob Job(KernelEntry entry, uint32_t blocks, uint32_t threads) {
  LaunchJob job;
  job.entry = entry;
  job.grid[0] = blocks;
  job.block[0] = threads;
  return job;
}

void RunJob(benchmark::State& state, int os_threads, const LaunchJob& job, int64_t items_per_launch) {
  LaunchPool pool(os_threads);
  for (auto _ : state) {
    if (pool.Run(job)) return state.SkipWithError("the launch failed");
  }
  state.SetItemsProcessed(state.iterations() * items_per_launch);
}

/// Arguments: OS threads, blocks, threads per block. Items: GPU threads.
void BM_EmptyLaunch(benchmark::State& state) {
  const auto blocks = static_cast<uint32_t>(state.range(1)), threads = static_cast<uint32_t>(state.range(2));
  RunJob(state, static_cast<int>(state.range(0)), Job(&Empty, blocks, threads), int64_t{blocks} * threads);
}
BENCHMARK(BM_EmptyLaunch)
    ->Args({1, 1, 1})
    ->Args({1, 1, 256})
    ->Args({1, 256, 256})
    ->Args({2, 2, 1})
    ->Args({2, 256, 256});

/// Argument: threads per block. Items: one thread passing one barrier.
void BM_Barrier(benchmark::State& state) {
  const auto threads = static_cast<uint32_t>(state.range(0));
  RunJob(state, 1, Job(&TenBarriers, 16, threads), int64_t{16} * threads * 10);
}
BENCHMARK(BM_Barrier)->Arg(32)->Arg(128)->Arg(256)->Arg(1024);

constexpr char kSchedule[] =
    "fma async=1 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=2 stream_k=1 tm=4 tn=4 unroll_k=16";

/// Arguments: extent, OS threads. The kernel of a 64x64x16 tile, 256 threads of 4x4 elements; memory stays on the
/// device.
/// The tensor map of a launch of a compiled model: the same one at each call, or, with 0, always another one.
void BM_TensorMapByValue(benchmark::State& state) {
  auto device = CreateSimtDevice("sm_90", 1).value();
  SetMgpuDevice(device.get());
  void* encode = nullptr;
  for (const auto& [name, address] : MgpuSymbols())
    if (name == "mgpuTensorMapEncodeTiled") encode = address;
  const int64_t numbers[] = {4096, 4096, 8192, 64, 128, kTensorMapBf16, 0, kSwizzle128, 2, 0};
  alignas(64) TensorMapBytes map;
  uint64_t matrix = 1 << 20;
  for (auto _ : state) {
    reinterpret_cast<void (*)(void*, void*, int64_t, const int64_t*)>(encode)(&map, reinterpret_cast<void*>(matrix), 2,
                                                                              numbers);
    benchmark::DoNotOptimize(map);
    if (state.range(0) == 0) matrix += 1 << 20;
  }
  if (absl::Status status = TakeMgpuError(); !status.ok()) state.SkipWithError(status.ToString().c_str());
  SetMgpuDevice(nullptr);
}
BENCHMARK(BM_TensorMapByValue)->ArgName("same")->Arg(1)->Arg(0);

void BM_Matmul(benchmark::State& state) {
  const int64_t extent = state.range(0);
  const MatmulProblem problem{extent, extent, extent};
  auto device = CreateSimtDevice("sm_80", static_cast<int>(state.range(1))).value();
  auto kernel = Compiler::Create().value()->Compile(problem, ParseSchedule(kSchedule).value(), {device->info(), true});
  if (!kernel.ok()) return state.SkipWithError(kernel.status().ToString().c_str());
  auto module = device->LoadModule(kernel->format, kernel->image).value();
  DevicePtr buffers[3];
  for (DevicePtr& buffer : buffers) {
    buffer = device->Allocate(extent * extent * 4).value();
    if (!device->Fill32(buffer, 0x3f800000, extent * extent).ok()) return state.SkipWithError("fill");
  }
  const PlanStep& step = kernel->plan.steps.front();
  const LaunchShape shape = ShapeOf(step);
  std::vector<void*> arguments;
  for (const PlanArgument& argument : step.arguments) arguments.push_back(&buffers[static_cast<int>(argument.buffer)]);
  DeviceKernel* function = module->GetKernel(step.kernel).value();
  for (auto _ : state) {
    absl::Status status = device->Launch(function, shape, arguments.data());
    if (!status.ok()) return state.SkipWithError(status.ToString().c_str());
  }
  state.counters["GFLOPS"] =
      benchmark::Counter(problem.Flops() * static_cast<double>(state.iterations()) / 1e9, benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Matmul)->ArgsProduct({{256, 1024}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace mmtune::simt

BENCHMARK_MAIN();
