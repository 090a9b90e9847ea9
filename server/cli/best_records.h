// The fastest valid records seen, one per schedule.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proto/types/measurement.h"

namespace mmtune {

/// Not thread-safe.
class BestRecords {
 public:
  /// Keeps `record` when it is ok and the fastest of its schedule so far; a comparison it holds, in any case.
  void Add(const TuningRecord& record);
  /// The schedule that others are compared with: Top() puts it and those compared with it in the order of Ranked().
  void SetRival(const Schedule& rival) { rival_ = rival; }
  const std::optional<Schedule>& rival() const { return rival_; }
  /// Whether the schedule has been compared with `rival`.
  bool Compared(const Schedule& schedule, const Schedule& rival) const;
  /// Of `top`, the schedule that most others of it have been compared with; the first where none has.
  Schedule KnownRival(const std::vector<TuningRecord>& top) const;
  /// Every comparison with the rival.
  std::vector<Comparison> comparisons() const;

  /// The `limit` fastest, fastest first; ties in the order of the schedule's text. Of a comparison with another
  /// schedule than the rival the records say nothing.
  std::vector<TuningRecord> Top(size_t limit) const;
  bool Holds(const Schedule& schedule) const { return by_schedule_.count(schedule.Text()) > 0; }
  size_t size() const { return by_schedule_.size(); }
  /// How many of them were proven before they were timed.
  size_t proven() const;

 private:
  std::map<std::string, TuningRecord> by_schedule_;
  std::map<std::string, Comparison> comparisons_;  ///< The newest, by schedule.
  std::optional<Schedule> rival_;
};

/// By their time over the rival's. Those tied with it and within 1% of it are as fast as it is: among these and the
/// rival comes first what has the steadier samples, then less shared memory, fewer registers, less time. A record
/// without a comparison is the rival's.
std::vector<TuningRecord> Ranked(std::vector<TuningRecord> finalists);
/// As Ranked(), but the times are those of the comparisons: medians over the processes, with the smallest and largest.
std::vector<TuningRecord> WithComparedTimes(std::vector<TuningRecord> records);

}  // namespace mmtune
