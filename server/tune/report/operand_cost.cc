// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/operand_cost.h"

#include <algorithm>
#include <array>

namespace mmtune {
namespace {

constexpr int64_t kLanes = 32;
constexpr int64_t kLineFloats = 32;

/// Vectors of a row have their begin where a vector may begin.
int64_t WholeVectors(int64_t floats, int64_t vector) { return CeilDiv(floats, vector) * vector; }

LaneOffsets ReadOffsets(const BlockOperand& operand) {
  LaneOffsets offsets = operand.parts;
  for (int64_t& offset : offsets) offset *= WholeVectors(operand.per_thread, operand.vector);
  return offsets;
}

/// Lines that the parts of a warp's request to global memory touch.
int64_t LineRequests(const LaneOffsets& offsets, int64_t vector) {
  int64_t requests = 0;
  for (auto first = offsets.begin(); first != offsets.end(); first += kLanes / vector) {
    std::array<int64_t, kLanes> lines{};
    const auto end = std::transform(first, first + kLanes / vector, lines.begin(),
                                    [](int64_t offset) { return offset / kLineFloats; });
    std::sort(lines.begin(), end);
    requests += std::unique(lines.begin(), end) - lines.begin();
  }
  return requests;
}

/// Of a warp that stores one vector of each lane's piece.
double CopyWavefronts(const BlockOperand& operand, int64_t block_k, int64_t threads) {
  if (operand.copy_threads == 0) return static_cast<double>(operand.vector);
  const int64_t piece = WholeVectors(CeilDiv(operand.width, operand.copy_threads), operand.vector);
  // A thread has several rows, one after another.
  const int64_t rows = CeilDiv(block_k, std::max<int64_t>(threads / operand.copy_threads, 1));
  const int64_t row_floats = WholeVectors(operand.width, operand.vector);
  LaneOffsets offsets{};
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    const int64_t row = lane / operand.copy_threads * rows;
    offsets[static_cast<size_t>(lane)] = row * row_floats + lane % operand.copy_threads * piece;
  }
  return static_cast<double>(SharedWavefronts(offsets, operand.vector, /*merges=*/false));
}

}  // namespace

void AddOperand(const BlockOperand& operand, const ScheduleGeometry& geometry, LoopCost& cost) {
  const auto steps = static_cast<double>(geometry.tile.k), warps = static_cast<double>(geometry.warps());
  const auto vector = static_cast<double>(operand.vector);
  const double loads = steps * static_cast<double>(operand.per_thread) / vector;
  const LaneOffsets offsets = ReadOffsets(operand);
  const int64_t wavefronts = operand.shared ? SharedWavefronts(offsets, operand.vector, /*merges=*/true)
                                            : LineRequests(offsets, operand.vector);
  cost.instructions += loads;
  cost.wavefronts += warps * loads * static_cast<double>(wavefronts);
  cost.bytes += 4 * steps * static_cast<double>(operand.width);
  if (!operand.shared) return;
  const double stores = steps * static_cast<double>(operand.width) / vector / static_cast<double>(kLanes);
  cost.instructions += 2 * stores / warps;
  cost.wavefronts += stores * CopyWavefronts(operand, geometry.tile.k, geometry.threads);
}

}  // namespace mmtune
