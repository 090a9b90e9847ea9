// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A strategy that proposes what it is given.
#pragma once

#include <vector>

#include "search/strategy.h"

namespace mmtune {

/// The lists are short: they come from a person or a log.
class ListStrategy : public Strategy {
 public:
  explicit ListStrategy(const std::vector<Schedule>& schedules);

  std::string_view name() const override { return "list"; }
  std::vector<Schedule> Propose(int n) override;
  void Observe(const std::vector<Observation>&) override {}
  bool Exhausted() const override { return next_ == schedules_.size(); }

 private:
  std::vector<Schedule> schedules_;  // each once
  size_t next_ = 0;
};

}  // namespace mmtune
