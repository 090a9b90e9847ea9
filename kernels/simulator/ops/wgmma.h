// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma.mma_async (the tensor core operation of Hopper GPUs) in the simulator, and the 64-bit descriptors of its
// operands in shared memory.
//
// Each warp of a warpgroup computes its own 16 rows of D as soon as its lanes have arrived, and the result is complete
// at once. The four warps wait for one another only at wgmma.wait_group. Only the reads of shared memory count as
// asynchronous: for a monitor (the race detector) they last until the warp waits for the operation's group. The
// arithmetic is that of mma.sync (warp_matrix.h).
//
// A descriptor gives a start address, a leading offset, a stride offset, and a swizzle width W of 0 (none), 32, 64 or
// 128 bytes. It addresses units of 16 bytes (PTX ISA, "Matrix descriptor format" and "Strides"). The columns "next"
// have the distance to the next unit; "stride offset after 8" means that every 8 units are a stride offset apart:
//
//   layout            a unit holds                   next along k                   next along M or N
//   K-major, W = 0    16 bytes of k in one row       leading offset                 16 bytes; stride offset after 8
//   K-major, W > 0    16 bytes of k in one row       16 bytes                       W bytes; stride offset after 8
//   MN-major, W = 0   8 elements of M or N at one k  16 bytes; leading after 8      stride offset
//   MN-major, W > 0   8 elements of M or N at one k  W bytes; stride after 8        16 bytes; leading after W / 16
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/ops/warp_ops.h"

namespace mmtune::simt {

/// Applies the swizzle of tensor copies and tensor cores to an address: XORs bits 4, 4-5 or 4-6, for a `width` of 32,
/// 64 or 128 bytes, with the bits 3 positions above. A width of 0 changes nothing.
inline uint32_t Swizzle(uint32_t address, uint32_t width) {
  const uint32_t units = width < 32 ? 0 : width / 16 - 1;
  return address ^ (address >> 3 & units << 4);
}

/// A decoded descriptor. All members are in bytes, but for base_offset.
struct MatrixDescriptor {
  uint32_t start = 0;  ///< Address in shared memory.
  uint32_t leading = 0;
  uint32_t stride = 0;
  uint32_t base_offset = 0;
  uint32_t swizzle = 0;  ///< Width: 0, 32, 64 or 128.
};

/// The size of a unit.
inline constexpr uint32_t kMatrixUnitBytes = 16;
/// Masks the 18 bits of a shared memory address in a descriptor.
inline constexpr uint32_t kMatrixAddressMask = 0x3ffff;

/// Decodes a descriptor.
inline MatrixDescriptor DecodeMatrixDescriptor(uint64_t bits) {
  constexpr uint32_t kSwizzles[] = {0, 128, 64, 32};
  auto field = [bits](int shift) { return static_cast<uint32_t>(bits >> shift & 0x3fff) << 4; };
  return {field(0), field(16), field(32), static_cast<uint32_t>(bits >> 49 & 7), kSwizzles[bits >> 62]};
}

/// Returns the address in shared memory of unit number `unit` along k, in row `row` of a K-major operand.
inline uint32_t KMajorUnit(const MatrixDescriptor& d, uint32_t row, uint32_t unit) {
  const uint32_t offset = d.swizzle == 0 ? row % 8 * 16 + unit * d.leading : row % 8 * d.swizzle + unit * 16;
  return Swizzle(d.start + offset + row / 8 * d.stride, d.swizzle) & kMatrixAddressMask;
}

/// Returns the address in shared memory of unit number `unit` along M or N, at `k` of an MN-major operand.
inline uint32_t MnMajorUnit(const MatrixDescriptor& d, uint32_t unit, uint32_t k) {
  if (d.swizzle == 0) return (d.start + unit * d.stride + k % 8 * 16 + k / 8 * d.leading) & kMatrixAddressMask;
  const uint32_t units = d.swizzle / 16;
  const uint32_t offset = unit % units * 16 + unit / units * d.leading + k % 8 * d.swizzle + k / 8 * d.stride;
  return Swizzle(d.start + offset, d.swizzle) & kMatrixAddressMask;
}

/// Records the wgmma operations of a warpgroup, to check that its four warps execute the same ones. Used only with a
/// monitor.
class WgmmaSequence {
 public:
  /// Adds operation number `index` of a warp, with the operand words that must be the same in all warps. Returns false
  /// if another warp has executed another operation, or other words, with this number.
  bool Agrees(size_t index, const WarpOp& op, const uint32_t* words, size_t count);

 private:
  struct Step {
    WarpOp op;
    std::vector<uint32_t> words;
  };
  std::vector<Step> steps_;
};

/// The reads of shared memory by wgmma operations that one warp has not waited for, in groups (wgmma.commit_group).
/// Without a monitor there are none, because each read is complete at once; then this only counts the lanes that wait.
class WgmmaGroups {
 public:
  /// Records wgmma.fence.
  void Fence() { fenced_ = true; }
  bool fenced() const { return fenced_; }
  /// Counts an operation, and returns the number of operations before it.
  size_t NextOperation() { return operations_++; }
  /// Adds a read to the open group.
  void AddRead(AsyncToken read) { open_.push_back(read); }
  /// Closes the open group.
  void Commit();
  /// Counts a lane that arrives at wgmma.wait_group. Returns true for the last lane of the warp.
  bool LastLaneArrives();
  /// Ends the reads of all closed groups but the last `groups`, for which `thread` has waited.
  void Retire(uint64_t groups, GpuThread& thread);

 private:
  bool fenced_ = false;
  size_t operations_ = 0;
  uint32_t waiting_lanes_ = 0;
  std::vector<AsyncToken> open_;
  std::deque<std::vector<AsyncToken>> committed_;
};

/// Executes an operation of kind kWgmma.
void ExecuteWgmma(const WarpOp& op, const WarpCall& call);

}  // namespace mmtune::simt
