// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/prefix_walker.h"

#include <utility>

namespace mmtune {

PrefixWalker::PrefixWalker(const ScheduleGrid& grid)
    : grid_(grid), position_(grid.bound_depth()), values_(grid.bound_depth()) {
  if (grid.raw_size() == 0) state_ = State::kEnd;
}

PrefixWalker::PrefixWalker(const ScheduleGrid& grid, Position position)
    : grid_(grid), position_(std::move(position)), values_(grid.bound_depth()), state_(State::kAt) {
  for (size_t i = 0; i < position_.size(); ++i) values_[i] = grid.axes()[i].values[position_[i]];
}

bool PrefixWalker::Next() {
  if (state_ == State::kEnd) return false;
  const bool first = state_ == State::kBefore;
  bool found = false;
  if (position_.empty()) {
    found = first;  // Without a rule there is one prefix, the empty one.
  } else if (first) {
    found = Search(0);
  } else {
    ++position_.back();
    found = Search(position_.size() - 1);
  }
  state_ = found ? State::kAt : State::kEnd;
  return found;
}

bool PrefixWalker::Search(size_t depth) {
  for (;;) {
    const std::vector<int64_t>& values = grid_.axes()[depth].values;
    if (position_[depth] == values.size()) {
      if (depth == 0) return false;
      ++position_[--depth];
      continue;
    }
    values_[depth] = values[position_[depth]];
    if (!grid_.HoldsAt(depth + 1, values_.data())) {
      ++position_[depth];
      continue;
    }
    if (++depth == position_.size()) return true;
    position_[depth] = 0;
  }
}

}  // namespace mmtune
