// What has been proposed, by digest: the reason no strategy proposes a schedule twice.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "proto/types/schedule.h"
#include "search/search_space.h"

namespace mmtune {

/// Not thread-safe.
class ProposalSet {
 public:
  /// False when it was there.
  bool Insert(const Schedule& schedule) { return digests_.insert(schedule.Digest()).second; }
  /// Costs a digest only when there is something to compare with.
  bool Contains(const Schedule& schedule) const { return !digests_.empty() && digests_.contains(schedule.Digest()); }
  size_t size() const { return digests_.size(); }

 private:
  std::unordered_set<std::string> digests_;
};

/// Those of `initial` that `space` contains, each once, in their order; entered into `proposed`.
std::vector<Schedule> TakeInitial(const std::vector<Schedule>& initial, const SearchSpace& space,
                                  ProposalSet& proposed);

}  // namespace mmtune
