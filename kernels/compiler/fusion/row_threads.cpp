// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/row_threads.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include "proto/base/whole_numbers.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr int64_t kWarpSize = 32, kSmallBlock = 128, kLargeBlock = 256, kManyColumns = 2048;
/// A row of fewer elements is reduced by one thread, unless other operations share its kernel.
constexpr int64_t kLongRow = 64;
/// Two blocks for each multiprocessor of a large device.
constexpr int64_t kBlocksOfDevice = 256;
/// A second launch costs as much as a thread needs for about so many elements one after the other.
constexpr int64_t kSplitElements = 32;
/// The fewest elements of a thread in a part.
constexpr int64_t kPartElements = 8;
/// The most parts of a row whose length is known at run time only: with few elements most of them are empty.
constexpr int64_t kMaxPartsOfUnknown = 256;

}  // namespace

RowThreads::RowThreads(const RowSpace& space, int64_t parts) {
  int64_t columns = elementCount(space.columns), rows = elementCount(space.rows);
  if (parts > 1) rows *= parts;  // Only rows of known number have parts.
  bool isFewRows = !ShapedType::isDynamic(rows) && rows < kLargeBlock;
  if (space.columns.empty() || space.isAcross) {
    perRow = 1;
    perBlock = isFewRows ? RoundUp(rows, kWarpSize) : kLargeBlock;
    return;
  }
  if (ShapedType::isDynamic(columns) || columns > 4 * kWarpSize) {
    perBlock = perRow = columns >= kManyColumns ? 2 * kLargeBlock : kLargeBlock;
    return;
  }
  perRow = std::clamp<int64_t>(llvm::bit_ceil(static_cast<uint64_t>(columns)), 2, kWarpSize);
  perBlock = kSmallBlock;
  if (isFewRows) perBlock = std::min(RoundUp(rows * perRow, kWarpSize), perBlock);
}

bool RowThreads::isBlockWide() const { return perRow > kWarpSize; }

int64_t splitFactor(const RowSpace& space) {
  int64_t columns = elementCount(space.columns), rows = elementCount(space.rows);
  if (ShapedType::isDynamic(rows)) return 1;
  RowThreads threads(space);
  int64_t wanted = space.isAcross ? kBlocksOfDevice * kLargeBlock / rows : kBlocksOfDevice / rows;
  if (ShapedType::isDynamic(columns)) return std::clamp<int64_t>(wanted, 1, kMaxPartsOfUnknown);
  int64_t each = columns / threads.perRow;
  if (each < kSplitElements || (!space.isAcross && !threads.isBlockWide())) return 1;
  return std::max<int64_t>(std::min(wanted, each / kPartElements), 1);
}

bool isLongRow(const RowSpace& space) {
  int64_t columns = elementCount(space.columns);
  return !space.isAcross && (ShapedType::isDynamic(columns) || columns >= kLongRow);
}

int64_t elementCount(ArrayRef<LoopExtent> extents) {
  int64_t product = 1;
  for (const LoopExtent& extent : extents)
    if (ShapedType::isDynamic(extent.size) || llvm::MulOverflow(product, extent.size, product))
      return ShapedType::kDynamic;
  return product;
}

}  // namespace mmtune
