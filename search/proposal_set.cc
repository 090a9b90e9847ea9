// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/proposal_set.h"

#include <charconv>
#include <string>

namespace mmtune {

ProposalSet::Key ProposalSet::KeyOf(const Schedule& schedule) {
  constexpr size_t kDigits = 16;
  const std::string digest = schedule.Digest();
  Key key{};
  for (size_t i = 0; i < key.size(); ++i) {
    const char* digits = digest.data() + i * kDigits;
    std::from_chars(digits, digits + kDigits, key[i], 16);
  }
  return key;
}

std::vector<Schedule> TakeInitial(const std::vector<Schedule>& initial, const SearchSpace& space,
                                  ProposalSet& proposed) {
  std::vector<Schedule> taken;
  for (const Schedule& schedule : initial) {
    if (space.Contains(schedule) && proposed.Insert(space.Whole(schedule))) taken.push_back(schedule);
  }
  return taken;
}

}  // namespace mmtune
