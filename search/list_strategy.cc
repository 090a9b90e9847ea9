// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/list_strategy.h"

#include "search/proposal_set.h"

namespace mmtune {

ListStrategy::ListStrategy(const std::vector<Schedule>& schedules) {
  ProposalSet seen;
  for (const Schedule& schedule : schedules) {
    if (seen.Insert(schedule)) schedules_.push_back(schedule);
  }
}

std::vector<Schedule> ListStrategy::Propose(int n) {
  std::vector<Schedule> proposals;
  for (int i = 0; i < n && next_ < schedules_.size(); ++i) proposals.push_back(schedules_[next_++]);
  return proposals;
}

}  // namespace mmtune
