// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/proposal_set.h"

#include <functional>
#include <string>

#include "proto/base/split_mix64.h"

namespace mmtune {

ProposalSet::Key ProposalSet::KeyOf(const Schedule& schedule) {
  Key key = {0, ~uint64_t{0}};
  const auto add = [&key](uint64_t word) {
    for (uint64_t& half : key) half = SplitMix64::At(half ^ word, 0);
  };
  constexpr std::hash<std::string> kHash;
  add(kHash(schedule.family));
  for (const auto& [name, value] : schedule.params) {
    add(kHash(name));
    add(static_cast<uint64_t>(value));
  }
  return key;
}

std::vector<Schedule> TakeInitial(const std::vector<Schedule>& initial, const SearchSpace& space,
                                  ProposalSet& proposed) {
  std::vector<Schedule> taken;
  for (const Schedule& schedule : initial) {
    if (space.Contains(schedule) && proposed.Insert(schedule)) taken.push_back(schedule);
  }
  return taken;
}

}  // namespace mmtune
