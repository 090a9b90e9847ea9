// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the search costs per proposal: counting, sampling, mutating and crossing schedules, and asking a strategy. Next
// to the half second a candidate takes to compile, each of them should be nothing.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "kernels/families/common/registry.h"
#include "search/strategies/strategy.h"
#include "tests/search/fake_family.h"
#include "tests/search/synthetic_landscape.h"

namespace mmtune {
namespace {

// By number, as google-benchmark passes its arguments.
const FakeFamily& Family(int64_t number, benchmark::State& state) {
  const FakeFamily* const families[] = {&TiledFamily(), &LandscapeFamily(), &RareFamily(), &HugeFamily()};
  const FakeFamily& family = *families[number];
  state.SetLabel(std::string(family.name()));
  return family;
}

void Count(benchmark::State& state) {
  const FakeFamily& family = Family(state.range(0), state);
  int64_t count = 0;
  for (auto _ : state) count = MakeSpace({&family})->Count();
  state.counters["schedules"] = static_cast<double>(count);
}
BENCHMARK(Count)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void Sample(benchmark::State& state) {
  auto space = MakeSpace({&Family(state.range(0), state)});
  space->Count();
  SearchRng rng(1);
  for (auto _ : state) benchmark::DoNotOptimize(space->Sample(rng));
}
BENCHMARK(Sample)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void Mutate(benchmark::State& state) {
  auto space = MakeSpace({&Family(state.range(0), state)});
  space->Count();
  SearchRng rng(1);
  Schedule schedule = space->Sample(rng);
  for (auto _ : state) schedule = space->Mutate(schedule, rng);
}
BENCHMARK(Mutate)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void Crossover(benchmark::State& state) {
  auto space = MakeSpace({&Family(state.range(0), state)});
  SearchRng rng(1);
  Schedule a = space->Sample(rng), b = space->Sample(rng);
  for (auto _ : state) benchmark::DoNotOptimize(space->Crossover(a, b, rng));
}
BENCHMARK(Crossover)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

// One proposal and its observation, over jobs of 256 trials.
void Propose(benchmark::State& state) {
  const std::string& name = StrategyNames()[static_cast<size_t>(state.range(0))];
  state.SetLabel(name);
  auto space = MakeSpace({&LandscapeFamily()});
  space->Count();
  for (auto _ : state) {
    auto strategy = CreateStrategy(name, *space, {7, {}});
    if (!strategy.ok()) std::abort();
    for (int trial = 0; trial < 256; ++trial) {
      for (const Schedule& schedule : (*strategy)->Propose(1)) {
        (*strategy)->Observe({{schedule, Outcome::kOk, static_cast<double>(1 + trial * 37 % 101)}});
      }
    }
  }
  state.SetItemsProcessed(state.iterations() * 256);
}
BENCHMARK(Propose)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

// One proposal of the model after so many trials, in a space of 10^9.
void ProposeOfModel(benchmark::State& state) {
  auto space = MakeSpace({&HugeFamily()});
  auto strategy = CreateStrategy("model", *space, {7, {}});
  if (!strategy.ok()) std::abort();
  int trial = 0;
  auto step = [&] {
    for (const Schedule& schedule : (*strategy)->Propose(1)) {
      (*strategy)->Observe({{schedule, Outcome::kOk, static_cast<double>(1 + trial++ * 37 % 101)}});
    }
  };
  while (trial < state.range(0)) step();
  for (auto _ : state) step();
}
// So many iterations that the cost of choosing the kernel anew is in the mean.
BENCHMARK(ProposeOfModel)->Arg(16)->Arg(64)->Arg(128)->Iterations(32)->Unit(benchmark::kMillisecond);
BENCHMARK(ProposeOfModel)->Arg(1000)->Iterations(150)->Unit(benchmark::kMillisecond);

// 17.8 million schedules of `fma`: 512x512x8192 f32 on an A100.
struct RealSpace {
  MatmulProblem problem = {512, 512, 8192};
  std::unique_ptr<SearchSpace> space;

  RealSpace() {
    DeviceInfo device = *ArchitectureLimits("sm_80");
    device.kind = DeviceKind::kCuda;
    device.multiprocessors = 108;
    device.clock_khz = 1410000;
    space = *SearchSpace::Create(problem, device, SearchedFamilies(problem, KernelFamilies()));
  }
};

void SizeOfReal(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(RealSpace().space->Size());
}
BENCHMARK(SizeOfReal)->Unit(benchmark::kMillisecond);

void SampleReal(benchmark::State& state) {
  const RealSpace real;
  SearchRng rng(1);
  for (auto _ : state) benchmark::DoNotOptimize(real.space->Sample(rng));
}
BENCHMARK(SampleReal)->Unit(benchmark::kMicrosecond);

// One proposal of the model, the mean of a job of so many trials.
void ProposeOfReal(benchmark::State& state) {
  const RealSpace real;
  auto strategy = CreateStrategy("model", *real.space, {7, {}});
  if (!strategy.ok()) std::abort();
  int trial = 0;
  for (auto _ : state) {
    for (const Schedule& schedule : (*strategy)->Propose(1)) {
      const double ns = 1e9 * real.space->Predict(schedule)->total * (1 + 0.003 * (trial++ * 37 % 101));
      (*strategy)->Observe({{schedule, Outcome::kOk, ns}});
    }
  }
}
BENCHMARK(ProposeOfReal)->Iterations(64)->Unit(benchmark::kMillisecond);
BENCHMARK(ProposeOfReal)->Iterations(128)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mmtune

BENCHMARK_MAIN();
