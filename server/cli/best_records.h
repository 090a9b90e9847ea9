// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fastest valid records seen, one per schedule.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proto/types/measurement.h"

namespace mmtune {

/// Which of two ok records of one schedule speaks for it: a proven one before others, then the faster.
bool SpeaksBefore(const TuningRecord& record, const TuningRecord& other);

/// Not thread-safe.
class BestRecords {
 public:
  /// Unless `allow_unproven`, only what was proven before it was timed.
  explicit BestRecords(bool allow_unproven = false) : allow_unproven_(allow_unproven) {}

  bool allow_unproven() const { return allow_unproven_; }
  /// Keeps `record` when it is ok and the fastest of its schedule so far, a proven one before others; keeps its
  /// comparison in any case.
  void Add(const TuningRecord& record);
  /// The schedule that others are compared with: its comparisons count.
  void SetRival(const Schedule& rival) { rival_ = rival; }
  const std::optional<Schedule>& rival() const { return rival_; }
  /// Whether the schedule has been compared with `rival`.
  bool Compared(const Schedule& schedule, const Schedule& rival) const;
  /// The schedule of `top` that most others of `top` have been compared with; the first where none has.
  Schedule KnownRival(const std::vector<TuningRecord>& top) const;
  /// Every comparison with the rival.
  std::vector<Comparison> comparisons() const;

  /// The `limit` fastest, fastest first. The time of a compared schedule is the rival's time multiplied by their ratio,
  /// which puts it on the scale of the others. Those tied with the rival and within 1 % of it count as equally fast:
  /// among these and the rival, the order is by steadier samples, then less shared memory, fewer registers, less time.
  /// Comparisons with another schedule than the rival are left out of the records returned.
  std::vector<TuningRecord> Top(size_t limit) const;
  /// As Top(), but with the times by which they are ranked.
  std::vector<TuningRecord> Shown(size_t limit) const;
  bool Holds(const Schedule& schedule) const { return by_schedule_.count(schedule.Text()) > 0; }
  size_t size() const { return by_schedule_.size(); }
  /// How many of them were proven before they were timed.
  size_t proven() const;
  /// Schedules with valid records, left out because none of these is proven.
  size_t unproven_left_out() const;

 private:
  /// The time of the rival's record; 0: there is none.
  double RivalNs() const;

  bool allow_unproven_;
  std::map<std::string, TuningRecord> by_schedule_;
  std::map<std::string, Comparison> comparisons_;  ///< The newest, by schedule.
  std::set<std::string> unproven_;
  std::optional<Schedule> rival_;
};

/// What a log's records of one problem, class of devices and regime rank: the proven ones or, where none is proven,
/// all. Comparisons count, with the rival that most of the fastest were compared with.
BestRecords RankRecords(const std::vector<TuningRecord>& records);

}  // namespace mmtune
