// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/time_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "proto/types/device_info.h"

namespace mmtune {
namespace {

/// A typical board of an architecture.
struct Board {
  int computeCapability;
  double multiprocessors, megahertz, gigabytesPerSecond, l2BytesPerClock, l2MiB;
  int64_t f32 = 0;  ///< Multiply-adds per clock and multiprocessor; 0: those of device_info.h.
};
/// Boards before sm_75 run no kernel of mmtune; they are for landscapes of other tuners (tune replay). Sources:
/// README.md, and for these the data sheets of K20, K80 (a half), GTX 750 Ti, Titan X, P100, GTX 1080 Ti and V100, f32
/// by the CUDA C++ Programming Guide, "Arithmetic Instructions". Their L2 bytes per clock are a judgement: 2,048, half
/// of that before sm_60.
constexpr Board kBoards[] = {
    {35, 13, 706, 208, 1024, 1.25, 192}, {37, 13, 875, 240, 1024, 1.5, 192}, {50, 5, 1085, 86, 1024, 2, 128},
    {52, 24, 1089, 336, 1024, 3, 128},   {60, 56, 1480, 732, 2048, 4, 64},   {61, 28, 1582, 484, 2048, 2.75, 128},
    {70, 80, 1530, 900, 2048, 6, 64},    {75, 40, 1590, 320, 2048, 4},       {80, 108, 1410, 1555, 5120, 40},
    {86, 84, 1740, 696, 2048, 6},        {89, 142, 2520, 864, 2048, 96},     {90, 132, 1980, 3350, 5120, 50},
    {100, 148, 1965, 8000, 5120, 126},   {120, 188, 2617, 1792, 2048, 128},
};

constexpr double kSchedulers = 4;
/// The part of the dense peak that mma.sync reaches on sm_90.
constexpr double kMmaShareOfHopper = 0.64;
constexpr double kLaunchSeconds = 2e-6;
constexpr double kAtomicBytes = 16;
/// The part of L2 that keeps operands.
constexpr double kL2Share = 0.5;

const Board& BoardOf(const DeviceInfo& device) {
  const int capability = device.ComputeCapability();
  const Board* newest = &kBoards[0];
  for (const Board& board : kBoards)
    if (board.computeCapability <= capability) newest = &board;
  return *newest;
}

/// Combines the times of units that run at once and slow one another down where they are about as busy.
double Together(double a, double b, double c = 0) {
  double most = std::max({a, b, c});
  if (most <= 0) return 0;
  auto fourth = [most](double x) { return x / most * (x / most) * (x / most) * (x / most); };
  return most * std::sqrt(std::sqrt(fourth(a) + fourth(b) + fourth(c)));
}

/// The clocks of a multiprocessor for one k step of `blocks` resident blocks, unit by unit.
struct StepClocks {
  StepClocks(const MatmulProblem& problem, const ScheduleGeometry& geometry, const DeviceInfo& device,
             const DeviceRates& rates, int64_t blocks) {
    const LoopCost& loop = geometry.loop;
    int64_t rate = MultiplyAddsPerClock(problem, loop.tensorCores, device);
    auto resident = static_cast<double>(blocks);
    double warps = std::ceil(resident * static_cast<double>(geometry.warps()) / kSchedulers);
    issue = warps * loop.instructions;
    multiply = warps * kSchedulers * loop.multiplyAdds / static_cast<double>(std::max<int64_t>(rate, 1)) /
               ReachableShare(problem, loop, device);
    shared = resident * loop.wavefronts * rates.wavefrontClocks;
    l2 = resident * loop.bytes * loop.perByte / rates.l2Bytes;
    wait = loop.prefetchDistance > 0 ? (kL2Latency + l2) / loop.prefetchDistance : 0;
    latency = loop.latency;
    first = std::min(loop.prefetchDistance * loop.tiles, loop.steps) * l2;
    const double alone = loop.instructions + loop.exposed, compute = std::max(issue, multiply);
    const double units = Together(compute, shared, l2) + loop.exposed / warps;
    together = std::max(Together(std::max(units, alone), wait), latency);
    inside = std::max(Together(compute, shared) + loop.exposed / warps, alone);
  }

  /// Multiplies the time of the multiprocessor's own units, which L2 is not, by `times`.
  void Scale(double times) { together = std::max(Together(times * inside, l2, wait), latency); }

  double issue, multiply, shared, l2, latency, together;
  double wait;    ///< For tiles from L2, which have `prefetchDistance` steps to arrive.
  double first;   ///< For the first tiles of a block.
  double inside;  ///< Within a multiprocessor, without reads from L2.
};

/// Returns the rows and columns of the rectangle of tiles that a wave of blocks computes: groups of rows, traversed
/// column by column, or groups of columns, traversed row by row. A curve through squares larger than a wave keeps to
/// smaller squares of them.
std::pair<double, double> TilesOfWave(const ScheduleGeometry& geometry, double wave, double gridM, double gridN) {
  const auto traverse = [wave](double group, double across, double along) {
    double high = std::min(group, across);
    const double wide = std::min(along, std::ceil(wave / high));
    high = std::min(across, std::max(high, std::ceil(wave / wide)));
    return std::pair(high, wide);
  };
  auto rows = static_cast<double>(geometry.groupM * geometry.clusterM);
  if (geometry.groupN == 0) return traverse(rows, gridM, gridN);
  if (geometry.groupM > 1) return traverse(std::min(rows, std::ceil(std::sqrt(wave))), gridM, gridN);
  const auto [high, wide] = traverse(static_cast<double>(geometry.groupN * geometry.clusterN), gridN, gridM);
  return {wide, high};
}

/// Returns the bytes of A and B of the whole batch.
double OperandBytes(const MatmulProblem& problem) {
  return static_cast<double>(DataTypeBytes(problem.dtype)) *
         static_cast<double>(problem.ElementsA() + problem.ElementsB());
}

/// Returns the bytes that device memory delivers or takes: the operands once, or, where a matrix does not fit L2, the
/// rows and columns of every wave of blocks; and C once.
double BytesFromMemory(const MatmulProblem& problem, const ScheduleGeometry& geometry, const DeviceRates& rates,
                       double resident) {
  auto bytes = static_cast<double>(DataTypeBytes(problem.dtype));
  const double once = OperandBytes(problem);
  const double perByte = geometry.loop.perByte;
  auto result = static_cast<double>(DataTypeBytes(problem.TypeOfC()) * problem.ElementsC());
  if (once / static_cast<double>(problem.batch) <= kL2Share * rates.l2Capacity) return perByte * once + result;
  auto gridM = static_cast<double>(CeilDiv(problem.m, geometry.tile.m));
  auto gridN = static_cast<double>(CeilDiv(problem.n, geometry.tile.n));
  double wave = std::min(rates.multiprocessors * resident / static_cast<double>(geometry.splitK), gridM * gridN);
  wave = std::max(wave, 1.0);
  const auto [rows, columns] = TilesOfWave(geometry, wave, gridM, gridN);
  double waves = gridM * gridN / wave;
  double perWave = rows * static_cast<double>(geometry.tile.m) + columns * static_cast<double>(geometry.tile.n);
  double read = waves * perWave * static_cast<double>(problem.k) * bytes * static_cast<double>(problem.batch);
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

double ReachableShare(const MatmulProblem& problem, const LoopCost& loop, const DeviceInfo& device) {
  // f64 has no wgmma.
  const bool isSlower = device.ComputeCapability() == 90 && loop.tensorCores && problem.dtype != DataType::kF64;
  return isSlower && !loop.warpgroups ? kMmaShareOfHopper : 1;
}

bool OperandsFitL2(const MatmulProblem& problem, const DeviceInfo& device) {
  return OperandBytes(problem) / static_cast<double>(problem.batch) <= kL2Share * RatesOf(device).l2Capacity;
}

double ClusterMultiprocessors(const DeviceInfo& device, int64_t blocks) {
  const double multiprocessors = RatesOf(device).multiprocessors;
  const int64_t known = blocks == 2 ? device.active_clusters_of_2 : blocks == 4 ? device.active_clusters_of_4 : 0;
  const auto cluster = static_cast<double>(blocks);
  // Workers report the number, and the SIMT device runs all blocks of a cluster on one thread of the host.
  if (device.kind == DeviceKind::kCuda && known > 0)
    return std::max(cluster, std::min(static_cast<double>(known) * cluster, multiprocessors));
  const double whole = blocks > 2 ? multiprocessors * 10 / 11 : multiprocessors;
  return std::max(cluster, std::floor(whole / cluster) * cluster);
}

DeviceRates RatesOf(const DeviceInfo& device) {
  const Board& board = BoardOf(device);
  DeviceRates rates;
  rates.multiprocessors =
      device.multiprocessors > 0 ? static_cast<double>(device.multiprocessors) : board.multiprocessors;
  // The clock of the SIMT device is the host's.
  bool knowsClock = device.kind == DeviceKind::kCuda && device.clock_khz > 0;
  rates.clocksPerSecond = knowsClock ? 1e3 * static_cast<double>(device.clock_khz) : 1e6 * board.megahertz;
  // A device with fewer multiprocessors than the board has the same share of its bandwidth.
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
  // A row that does not begin at a sector extends into one more.
  const auto sectors = static_cast<double>(apart % kSector == 0 ? row : row + kSector);
  const double perLine = std::max(1.0, kLine / static_cast<double>(row));
  return static_cast<double>(rows) * sectors * std::sqrt(perLine);
}

PredictedTime PredictTime(const MatmulProblem& problem, const ScheduleGeometry& geometry, const DeviceInfo& device) {
  DeviceRates rates = RatesOf(device);
  const LoopCost& loop = geometry.loop;
  // `most` blocks run on the busiest multiprocessor.
  auto blocks = static_cast<double>(geometry.blocks);
  const double multiprocessors = ClusterMultiprocessors(device, geometry.clusterM * geometry.clusterN);
  double most = std::ceil(blocks / multiprocessors);
  auto resident = static_cast<int64_t>(std::min(most, static_cast<double>(ResidentBlocks(geometry, device))));
  auto steps = [&](int64_t count) { return StepClocks(problem, geometry, device, rates, count); };
  StepClocks full = steps(resident);
  const double share = ReachableShare(problem, loop, device);
  // The machine code tells a fraction of what the device's data sheet promises.
  const double times =
      loop.peakFraction > 0 ? full.multiply * share / std::min(loop.peakFraction, share) / full.inside : 0;
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
  time.waves = blocks / multiprocessors / static_cast<double>(resident);
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
  // The second kernel reads from L2 what the first one wrote, if it fits.
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
