// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/time_model.h"

#include <algorithm>
#include <cmath>

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/device_info.h"

namespace mmtune {
namespace {

/// A typical board of an architecture.
struct Board {
  int computeCapability;
  double multiprocessors, megahertz, gigabytesPerSecond, l2BytesPerClock, l2MiB;
  int64_t f32 = 0;  ///< Multiply-adds of a multiprocessor in a clock; 0: device_info.h says.
};
/// Those before sm_75 run no kernel of ours: they are for landscapes of others' (tune replay). Data sheets of K20, K80
/// (a half), GTX 750 Ti, Titan X, P100, GTX 1080 Ti, V100; f32 of the CUDA C++ Programming Guide, "Arithmetic
/// Instructions". Bytes of L2 a clock are a judgement: 2,048 as on those after them, half of that before sm_60.
constexpr Board kBoards[] = {
    {35, 13, 706, 208, 1024, 1.25, 192}, {37, 13, 875, 240, 1024, 1.5, 192}, {50, 5, 1085, 86, 1024, 2, 128},
    {52, 24, 1089, 336, 1024, 3, 128},   {60, 56, 1480, 732, 2048, 4, 64},   {61, 28, 1582, 484, 2048, 2.75, 128},
    {70, 80, 1530, 900, 2048, 6, 64},    {75, 40, 1590, 320, 2048, 4},       {80, 108, 1410, 1555, 5120, 40},
    {86, 84, 1740, 696, 2048, 6},        {89, 142, 2520, 864, 2048, 96},     {90, 132, 1980, 3350, 5120, 50},
    {100, 148, 1965, 8000, 5120, 126},   {120, 188, 2617, 1792, 2048, 128},
};

constexpr double kSchedulers = 4;
constexpr double kLaunchSeconds = 2e-6;
constexpr double kAtomicBytes = 16;
/// The part of L2 in which operands stay.
constexpr double kL2Share = 0.5;
constexpr int64_t kMaxResidentBlocks = 32;

const Board& BoardOf(const DeviceInfo& device) {
  const int capability = device.ComputeCapability();
  const Board* newest = &kBoards[0];
  for (const Board& board : kBoards)
    if (board.computeCapability <= capability) newest = &board;
  return *newest;
}

/// Units that run at once, and disturb one another.
double Together(double a, double b, double c = 0) {
  double most = std::max({a, b, c});
  if (most <= 0) return 0;
  auto fourth = [most](double x) { return x / most * (x / most) * (x / most) * (x / most); };
  return most * std::sqrt(std::sqrt(fourth(a) + fourth(b) + fourth(c)));
}

/// The clocks of one k step of a multiprocessor, unit by unit.
struct StepClocks {
  StepClocks(const MatmulProblem& problem, const ScheduleGeometry& geometry, const DeviceInfo& device,
             const DeviceRates& rates, int64_t blocks) {
    const LoopCost& loop = geometry.loop;
    int64_t rate = MultiplyAddsPerClock(problem, loop.tensorCores, device);
    auto resident = static_cast<double>(blocks);
    double warps = std::ceil(resident * static_cast<double>(geometry.warps()) / kSchedulers);
    issue = warps * loop.instructions;
    multiply = warps * kSchedulers * loop.multiplyAdds / static_cast<double>(std::max<int64_t>(rate, 1));
    shared = resident * loop.wavefronts * rates.wavefrontClocks;
    l2 = resident * loop.bytes * loop.perByte / rates.l2Bytes;
    wait = loop.ahead > 0 ? (kL2Latency + l2) / loop.ahead : 0;
    latency = loop.latency;
    first = std::min(loop.ahead * loop.tiles, loop.steps) * l2;
    const double alone = loop.instructions + loop.exposed, compute = std::max(issue, multiply);
    const double units = Together(compute, shared, l2) + loop.exposed / warps;
    together = std::max(Together(std::max(units, alone), wait), latency);
    inside = std::max(Together(compute, shared) + loop.exposed / warps, alone);
  }

  /// All that a multiprocessor does by itself takes `times` as long.
  void Scale(double times) { together = std::max(Together(times * inside, l2, wait), latency); }

  double issue, multiply, shared, l2, latency, together;
  double wait;    ///< For what comes from L2, as there are only so many steps for it to come.
  double first;   ///< For the tiles that a block begins with.
  double inside;  ///< Of a multiprocessor, without what is read from L2.
};

/// Bytes of one operand that device memory gives: all of it for every wave of blocks that meets its rows or columns.
double BytesFromMemory(const MatmulProblem& problem, const ScheduleGeometry& geometry, const DeviceRates& rates,
                       double resident) {
  auto bytes = static_cast<double>(DataTypeBytes(problem.dtype));
  auto once = bytes * static_cast<double>(problem.ElementsA() + problem.ElementsB());
  const double perByte = geometry.loop.perByte;
  auto result = static_cast<double>(DataTypeBytes(problem.TypeOfC()) * problem.ElementsC());
  double perMatrix = once / static_cast<double>(problem.batch);
  if (perMatrix <= kL2Share * rates.l2Capacity) return perByte * once + result;
  auto gridM = static_cast<double>(CeilDiv(problem.m, geometry.tile.m));
  auto gridN = static_cast<double>(CeilDiv(problem.n, geometry.tile.n));
  double wave = std::min(rates.multiprocessors * resident / static_cast<double>(geometry.splitK), gridM * gridN);
  wave = std::max(wave, 1.0);
  // A wave is a rectangle of tiles: groups of group_m rows, walked column by column, or row by row.
  double rows = std::min(static_cast<double>(geometry.groupM), gridM);
  double columns = std::min(gridN, std::ceil(wave / rows));
  rows = std::min(gridM, std::max(rows, std::ceil(wave / columns)));
  double waves = gridM * gridN / wave;
  double ofWave = rows * static_cast<double>(geometry.tile.m) + columns * static_cast<double>(geometry.tile.n);
  double read = waves * ofWave * static_cast<double>(problem.k) * bytes * static_cast<double>(problem.batch);
  return perByte * std::max(read, once) + result;
}

}  // namespace

int64_t MultiplyAddsPerClock(const MatmulProblem& problem, bool tensorCores, const DeviceInfo& device) {
  int capability = device.ComputeCapability();
  if (const int64_t f32 = BoardOf(device).f32; f32 > 0 && !tensorCores && problem.AccumulatorType() == DataType::kF32)
    return f32;
  return tensorCores ? MultiplyAddsPerCycle(capability, problem.dtype, problem.math)
                     : MultiplyAddsPerCycle(capability, problem.AccumulatorType());
}

DeviceRates RatesOf(const DeviceInfo& device) {
  const Board& board = BoardOf(device);
  DeviceRates rates;
  rates.multiprocessors =
      device.multiprocessors > 0 ? static_cast<double>(device.multiprocessors) : board.multiprocessors;
  // Its highest clock says nothing of the SIMT device's architecture.
  bool knowsClock = device.kind == DeviceKind::kCuda && device.clock_khz > 0;
  rates.clocksPerSecond = knowsClock ? 1e3 * static_cast<double>(device.clock_khz) : 1e6 * board.megahertz;
  // A part of a board has its part of the bandwidth.
  rates.wavefrontClocks = device.ComputeCapability() == 75 ? 2 : 1;
  rates.l2Bytes = board.l2BytesPerClock / board.multiprocessors;
  rates.dramBytesPerSecond = 1e9 * board.gigabytesPerSecond / board.multiprocessors * rates.multiprocessors;
  bool knowsL2 = device.kind == DeviceKind::kCuda && device.l2_bytes > 0;
  rates.l2Capacity = knowsL2 ? static_cast<double>(device.l2_bytes)
                             : 1048576 * board.l2MiB / board.multiprocessors * rates.multiprocessors;
  return rates;
}

double BytesMovedForRows(int64_t rows, int64_t row, int64_t apart) {
  constexpr int64_t kSector = 32;
  constexpr double kLine = 128;
  // A row that begins within a sector ends within another one.
  const auto sectors = static_cast<double>(apart % kSector == 0 ? row : row + kSector);
  const double ofLine = std::max(1.0, kLine / static_cast<double>(row));
  return static_cast<double>(rows) * sectors * std::sqrt(ofLine);
}

int64_t ResidentBlocks(const ScheduleGeometry& geometry, const DeviceInfo& device) {
  int64_t blocks = std::min(kMaxResidentBlocks, device.max_threads_per_multiprocessor / (geometry.warps() * 32));
  if (device.shared_bytes_per_multiprocessor > 0 && geometry.sharedBytes > 0)
    // Each resident block costs 1 KiB beside its own.
    blocks = std::min(blocks, device.shared_bytes_per_multiprocessor / (geometry.sharedBytes + 1024));
  while (blocks > std::max<int64_t>(geometry.minBlocks, 1) &&
         geometry.registers > RegisterLimit(device, geometry.threads, blocks))
    --blocks;
  return std::max<int64_t>(blocks, 1);
}

PredictedTime PredictTime(const MatmulProblem& problem, const ScheduleGeometry& geometry, const DeviceInfo& device) {
  DeviceRates rates = RatesOf(device);
  const LoopCost& loop = geometry.loop;
  // Of the busiest multiprocessor.
  auto blocks = static_cast<double>(geometry.blocks);
  double most = std::ceil(blocks / rates.multiprocessors);
  auto resident = static_cast<int64_t>(std::min(most, static_cast<double>(ResidentBlocks(geometry, device))));
  auto steps = [&](int64_t count) { return StepClocks(problem, geometry, device, rates, count); };
  StepClocks full = steps(resident);
  const double times = loop.share > 0 ? full.multiply / loop.share / full.inside : 0;
  if (times > 0) full.Scale(times);
  double ends = kBlockClocks * loop.tiles;
  double round = loop.steps * full.together + full.first + ends;
  double rounds = std::floor(most / static_cast<double>(resident));
  auto rest = static_cast<int64_t>(most - rounds * static_cast<double>(resident));
  double clocks = rounds * round;
  if (rest > 0) {
    StepClocks last = steps(rest);
    if (times > 0) last.Scale(times);
    clocks += loop.steps * last.together + last.first + ends;
  }

  PredictedTime time;
  time.waves = blocks / rates.multiprocessors / static_cast<double>(resident);
  auto seconds = [&](double clocksOfRound) { return clocksOfRound * time.waves / rates.clocksPerSecond; };
  double busy = std::max({full.issue, full.multiply, full.shared, full.l2});
  time.multiply = seconds(loop.steps * full.multiply);
  time.issue = seconds(loop.steps * full.issue);
  time.shared = seconds(loop.steps * full.shared);
  time.l2 = seconds(loop.steps * full.l2);
  time.latency = seconds(std::max(0.0, round - loop.steps * busy));
  time.tail = std::max(0.0, clocks / rates.clocksPerSecond - seconds(round));
  time.dram = BytesFromMemory(problem, geometry, rates, static_cast<double>(resident)) / rates.dramBytesPerSecond;

  const ReductionCost& reduction = geometry.reduction;
  double l2BytesPerSecond = rates.l2Bytes * rates.multiprocessors * rates.clocksPerSecond;
  // What the one kernel writes the other one finds in L2, if it fits.
  double rate = reduction.bytes <= kL2Share * rates.l2Capacity ? l2BytesPerSecond : rates.dramBytesPerSecond;
  double atOnce = HasVectorAtomics(device.ComputeCapability())
                      ? std::min(reduction.neighbors, static_cast<double>(kMostFloatsOfAtomic))
                      : 1;
  time.others = kLaunchSeconds * static_cast<double>(1 + reduction.kernels) + reduction.bytes / rate +
                kAtomicBytes * reduction.atomics / atOnce / l2BytesPerSecond;
  time.total = Together(clocks / rates.clocksPerSecond, time.dram) + time.others;
  return time;
}

}  // namespace mmtune
