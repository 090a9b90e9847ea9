// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The valid beginnings of a grid's points, all of one length. Of a grid of which one point in thousands is valid, one
// in ten may be of those that begin so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/space/schedule_grid.h"

namespace mmtune {

/// Immutable; thread-safe.
class PrefixTable {
 public:
  /// Of the greatest length up to which there are no more than `most` of any; of the bound axes at most.
  PrefixTable(const ScheduleGrid& grid, size_t most);

  size_t length() const { return length_; }
  /// So many there are; in lexicographic order.
  uint64_t size() const { return size_; }
  /// Writes number `index` to the first length() values.
  void Copy(uint64_t index, const ScheduleGrid& grid, GridPoint& point) const;

 private:
  size_t length_ = 0;
  uint64_t size_ = 0;
  std::vector<uint16_t> positions_;  ///< One after another, an index into the values of an axis each.
};

}  // namespace mmtune
