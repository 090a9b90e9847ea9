#include "search/proposal_set.h"

namespace mmtune {

std::vector<Schedule> TakeInitial(const std::vector<Schedule>& initial, const SearchSpace& space,
                                  ProposalSet& proposed) {
  std::vector<Schedule> taken;
  for (const Schedule& schedule : initial) {
    if (space.Contains(schedule) && proposed.Insert(schedule)) taken.push_back(schedule);
  }
  return taken;
}

}  // namespace mmtune
