// The fastest valid records seen, one per schedule.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "proto/types/measurement.h"

namespace mmtune {

/// Not thread-safe.
class BestRecords {
 public:
  /// Keeps `record` when it is ok and the fastest of its schedule so far.
  void Add(const TuningRecord& record);
  /// The `limit` fastest, fastest first; ties in the order of the schedule's text.
  std::vector<TuningRecord> Top(size_t limit) const;
  bool Holds(const Schedule& schedule) const { return by_schedule_.count(schedule.Text()) > 0; }
  size_t size() const { return by_schedule_.size(); }
  /// How many of them were proven before they were timed.
  size_t proven() const;

 private:
  std::map<std::string, TuningRecord> by_schedule_;
};

}  // namespace mmtune
