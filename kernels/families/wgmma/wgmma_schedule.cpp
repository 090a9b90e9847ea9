// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/wgmma/wgmma_schedule.h"

#include <algorithm>
#include <numeric>

#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

/// The most rows of a tensor copy.
constexpr int64_t kMostCopyRows = 256;
/// The granularity of setmaxnreg.
constexpr int64_t kRegisterUnit = 8;
constexpr int64_t kRegistersOfMultiprocessor = 65536;

}  // namespace

WgmmaOperandTile::WgmmaOperandTile(bool rowsAreK, int64_t outer, int64_t bk, int64_t elementBytes, int64_t sharers)
    : rowsAreK(rowsAreK), elementBytes(elementBytes), sharers(sharers) {
  const int64_t along = rowsAreK ? outer : bk;
  slabs = CeilDiv(along, RowElements());
  slabRows = rowsAreK ? bk : outer;
  sliceRows = slabRows / sharers;
  copyRows = sliceRows / CeilDiv(sliceRows, kMostCopyRows);
}

int64_t WgmmaOperandTile::OffsetOfStep(int64_t step) const {
  const int64_t bytes = step * kInstructionBytes;
  // An instruction has 16 values of k of 16-bit elements, which are as many rows.
  if (rowsAreK) return bytes / elementBytes * kRowBytes;
  return bytes / kRowBytes * SlabBytes() + bytes % kRowBytes;
}

WgmmaTiling::WgmmaTiling(const MatmulProblem& problem, const WgmmaSchedule& s, RunTimeSizes sizes)
    : problem(problem),
      schedule(s),
      sizes(sizes),
      bm(64 * ConsumersOfTile() * s.mi),
      cluster(s.clusterM * s.clusterN),
      threads(kWarpgroup * (s.consumers + 1)),
      grid(problem, bm * s.clusterM, s.bn * s.clusterN, s.bk, s.splitK, s.groupM),
      a(problem.transpose_a, bm, s.bk, DataTypeBytes(problem.dtype), s.clusterN),
      b(!problem.transpose_b, s.bn, s.bk, DataTypeBytes(problem.dtype), s.clusterM),
      staging(s.epiColumns, DataTypeBytes(StoredType())),
      stepsK(s.bk * DataTypeBytes(problem.dtype) / WgmmaOperandTile::kInstructionBytes),
      storeC(std::gcd<int64_t>(problem.n, 2)) {
  grid.raster = s.raster;
  if (s.epiColumns == 0) return;
  storeC = std::gcd(problem.n, kWidestAccess / DataTypeBytes(StoredType()));
}

BlockGrid WgmmaTiling::GridOfBlocks() const {
  BlockGrid blocks = grid;
  blocks.bm = bm, blocks.bn = schedule.bn;
  blocks.gridM *= schedule.clusterM, blocks.gridN *= schedule.clusterN;
  return blocks;
}

int64_t WgmmaTiling::EntryRegisters() const {
  // With more than 248 registers ptxas would round up beyond the register file.
  constexpr int64_t kMost = 248;
  return std::min(kMost, kRegistersOfMultiprocessor / threads / kRegisterUnit * kRegisterUnit);
}

int64_t WgmmaTiling::ConsumerRegisters() const {
  if (!MovesRegisters()) return EntryRegisters();
  const int64_t left = kRegistersOfMultiprocessor / kWarpgroup - ProducerRegisters();
  return std::min<int64_t>(232, left / schedule.consumers / kRegisterUnit * kRegisterUnit);
}

int64_t WgmmaTiling::RegisterEstimate() const {
  return MovesRegisters() ? EntryRegisters() : std::min(Accumulators() + kOtherRegisters, EntryRegisters());
}

LoopCost WgmmaTiling::Cost() const {
  const WgmmaSchedule& s = schedule;
  // Instructions of a consumer's loop besides wgmma, and clocks from a full stage to the first product.
  constexpr double kLoopInstructions = 30, kBarrierClocks = 60, kUnhiddenClocks = 120;
  // How much longer tiles take that are stored directly, 16 bytes of a row at a time.
  constexpr double kHalfSectors = 1.2;
  // Clocks for which a block waits for each other block of its cluster.
  constexpr double kPartnerClocks = 10;
  // The part of a tile's start and store that a persistent block does not hide: its producer loads ahead.
  constexpr double kUnhiddenTile = 0.6;
  const auto warps = static_cast<double>(threads / 32), consumers = static_cast<double>(ConsumersOfTile());
  const auto elementBytes = static_cast<double>(DataTypeBytes(problem.dtype));
  const auto itemsPerBlock = static_cast<double>(CeilDiv(items(), clusters()));
  LoopCost cost;
  cost.tensorCores = cost.warpgroups = true;
  cost.steps = itemsPerBlock * static_cast<double>(grid.tilesPerSplit);
  cost.tiles = 1 + (itemsPerBlock - 1) * kUnhiddenTile + OrderedReductionTiles(problem, GridOfBlocks(), s.reduction);
  if (s.epiColumns == 0 && DataTypeBytes(problem.TypeOfC()) < 4) cost.tiles *= kHalfSectors;
  // On average over all warps, the producer's too, which multiply nothing.
  cost.multiplyAdds = static_cast<double>(bm * s.bn * s.bk) / warps;
  cost.instructions = (static_cast<double>(s.mi * stepsK) + kLoopInstructions) * consumers * 4 / warps;
  // Every instruction reads its 64 rows of A and all of B, each wavefront 128 bytes; copies write each stage once.
  const double read = consumers * static_cast<double>(s.mi * (64 + s.bn) * s.bk) * elementBytes;
  cost.wavefronts = (read + static_cast<double>(StageBytes())) / WgmmaOperandTile::kRowBytes;
  // Blocks of a cluster that share a tile each read a part of it from L2.
  cost.bytes = static_cast<double>(a.bytes() / a.sharers + b.bytes() / b.sharers);
  cost.prefetchDistance = static_cast<double>(s.stages - s.inFlight);
  cost.exposed =
      warps / 4 *
      ((s.inFlight > 0 ? kBarrierClocks : kUnhiddenClocks) + kPartnerClocks * static_cast<double>(cluster - 1));
  return cost;
}

ScheduleGeometry WgmmaTiling::Geometry() const {
  ScheduleGeometry geometry;
  geometry.tile = {bm, schedule.bn, schedule.bk};
  geometry.threads = threads;
  geometry.stages = schedule.stages;
  geometry.splitK = schedule.splitK;
  geometry.sharedK = grid.SharedK();
  geometry.clusterM = schedule.clusterM;
  geometry.clusterN = schedule.clusterN;
  geometry.groupM = schedule.raster == kAlongM ? 1 : schedule.groupM;
  geometry.groupN = schedule.raster == kAlongN ? 0 : schedule.groupM;
  geometry.blocks = blocks();
  geometry.sharedBytes = SharedBytes();
  geometry.registers = RegisterEstimate();
  geometry.bytesMoved =
      OperandBytesRead(problem, grid.gridM, grid.gridN) + BytesOfResult(problem, GridOfBlocks(), schedule.reduction);
  geometry.loop = Cost();
  geometry.reduction = CostOfReduction(problem, GridOfBlocks(), schedule.reduction, storeC);
  return geometry;
}

}  // namespace mmtune
