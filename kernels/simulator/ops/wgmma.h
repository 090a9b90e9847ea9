// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma.mma_async, and the 64-bit descriptors of its operands in shared memory.
//
// Each warp of a warpgroup computes its own 16 rows of D when its lanes have arrived; the four warps do not wait for
// each other. The result is there at once; only the reads of shared memory are asynchronous: for a monitor they last
// until the wait that retires the operation's group. Arithmetic is that of mma.sync (warp_matrix.h).
//
// Descriptors (PTX ISA, "Matrix descriptor format" and "Strides"): a unit is 16 bytes, W the width of the swizzle.
//
//   layout           a unit is                   neighbours along k          neighbours along M or N
//   K-major, W = 0   one row, 16 bytes of k      leading offset              16 bytes in a group of 8, then stride
//   offset K-major          one row, 16 bytes of k      16 bytes                    W bytes in a group of 8, then
//   stride offset MN-major, W = 0  8 elements of M or N        16 bytes, then leading      stride offset
//                    at one k (16-bit elements)  offset after 8
//   MN-major         the same                    W bytes, then stride        16 bytes, then leading offset after W / 16
//                                                offset after 8
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/ops/warp_ops.h"

namespace mmtune::simt {

/// Applies the permutation of 16-byte units that tensor copies and tensor cores use: XORs bits 4, 4-5 or 4-6 of the
/// address, for a `width` of 32, 64 or 128 bytes, with the bits 3 above. A width of 0 changes nothing.
inline uint32_t Swizzle(uint32_t address, uint32_t width) {
  const uint32_t units = width < 32 ? 0 : width / 16 - 1;
  return address ^ (address >> 3 & units << 4);
}

struct MatrixDescriptor {
  uint32_t start = 0;  ///< All members are in bytes.
  uint32_t leading = 0;
  uint32_t stride = 0;
  uint32_t base_offset = 0;
  uint32_t swizzle = 0;  ///< 0, 32, 64 or 128 bytes.
};

inline constexpr uint32_t kMatrixUnitBytes = 16;
/// Addresses of shared memory in descriptors have 18 bits.
inline constexpr uint32_t kMatrixAddressMask = 0x3ffff;

inline MatrixDescriptor DecodeMatrixDescriptor(uint64_t bits) {
  constexpr uint32_t kSwizzles[] = {0, 128, 64, 32};
  auto field = [bits](int shift) { return static_cast<uint32_t>(bits >> shift & 0x3fff) << 4; };
  return {field(0), field(16), field(32), static_cast<uint32_t>(bits >> 49 & 7), kSwizzles[bits >> 62]};
}

/// Returns the offset in shared memory of the unit `unit` (along k) of row `row`, K-major.
inline uint32_t KMajorUnit(const MatrixDescriptor& d, uint32_t row, uint32_t unit) {
  const uint32_t offset = d.swizzle == 0 ? row % 8 * 16 + unit * d.leading : row % 8 * d.swizzle + unit * 16;
  return Swizzle(d.start + offset + row / 8 * d.stride, d.swizzle) & kMatrixAddressMask;
}

/// Returns the offset in shared memory of the unit `unit` (along M or N) at `k`, MN-major.
inline uint32_t MnMajorUnit(const MatrixDescriptor& d, uint32_t unit, uint32_t k) {
  if (d.swizzle == 0) return (d.start + unit * d.stride + k % 8 * 16 + k / 8 * d.leading) & kMatrixAddressMask;
  const uint32_t units = d.swizzle / 16;
  const uint32_t offset = unit % units * 16 + unit / units * d.leading + k % 8 * d.swizzle + k / 8 * d.stride;
  return Swizzle(d.start + offset, d.swizzle) & kMatrixAddressMask;
}

/// With a monitor: the operations of a warpgroup, which must be the same for its four warps.
class WgmmaSequence {
 public:
  /// Adds operation `index` of a warp with the words that all warps must agree on. False if another warp's differs.
  bool Agrees(size_t index, const WarpOp& op, const uint32_t* words, size_t count);

 private:
  struct Step {
    WarpOp op;
    std::vector<uint32_t> words;
  };
  std::vector<Step> steps_;
};

/// With a monitor: the pending reads of shared memory by one warp, in groups as they were committed.
class WgmmaGroups {
 public:
  void Fence() { fenced_ = true; }
  bool fenced() const { return fenced_; }
  /// Returns the number of operations before this one.
  size_t NextOperation() { return operations_++; }
  void AddRead(AsyncToken read) { open_.push_back(read); }
  void Commit();
  /// Counts a waiting lane of the warp; true for the last one.
  bool LastLaneArrives();
  /// Ends the reads of all committed groups but the last `groups`, for which `thread` has waited.
  void Retire(uint64_t groups, GpuThread& thread);

 private:
  bool fenced_ = false;
  size_t operations_ = 0;
  uint32_t waiting_lanes_ = 0;
  std::vector<AsyncToken> open_;
  std::deque<std::vector<AsyncToken>> committed_;
};

/// Executes a kWgmma operation.
void ExecuteWgmma(const WarpOp& op, const WarpCall& call);

}  // namespace mmtune::simt
