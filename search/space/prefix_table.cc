// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/prefix_table.h"

#include <utility>

namespace mmtune {

PrefixTable::PrefixTable(const ScheduleGrid& grid, size_t most) : size_(grid.raw_size() == 0 ? 0 : 1) {
  GridPoint point(grid.axes().size());
  while (length_ < grid.bound_depth()) {
    const std::vector<int64_t>& values = grid.axes()[length_].values;
    std::vector<uint16_t> longer;
    uint64_t count = 0;
    for (uint64_t i = 0; i < size_; ++i) {
      Copy(i, grid, point);
      const auto prefix = positions_.begin() + static_cast<ptrdiff_t>(i * length_);
      for (size_t value = 0; value < values.size(); ++value) {
        point[length_] = values[value];
        if (!grid.HoldsAt(length_ + 1, point.data())) continue;
        if (++count > most) return;
        longer.insert(longer.end(), prefix, prefix + static_cast<ptrdiff_t>(length_));
        longer.push_back(static_cast<uint16_t>(value));
      }
    }
    positions_ = std::move(longer);
    size_ = count;
    ++length_;
  }
}

void PrefixTable::Copy(uint64_t index, const ScheduleGrid& grid, GridPoint& point) const {
  for (size_t i = 0; i < length_; ++i) point[i] = grid.axes()[i].values[positions_[index * length_ + i]];
}

}  // namespace mmtune
