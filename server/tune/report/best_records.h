// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a job found, in the order of the log's ranking.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proto/types/ranked_record.h"

namespace mmtune {

/// The schedule of `top` that most others of `top` have been compared with; the first where none has.
Schedule KnownRival(const std::vector<RankedRecord>& top);

/// The schedules of a job with a valid result. Not thread-safe.
class BestRecords {
 public:
  /// Unless `allow_unproven`, only what was proven before it was timed.
  explicit BestRecords(bool allow_unproven = false) : allow_unproven_(allow_unproven) {}

  bool allow_unproven() const { return allow_unproven_; }
  /// Keeps `record` when it is ok.
  void Add(const TuningRecord& record);
  /// Takes what the log ranks, best first: it knows more records of the job's schedules than the job has seen.
  void SetRanking(std::vector<RankedRecord> ranking) { ranking_ = std::move(ranking); }
  /// The schedule that the finalists are compared with.
  void SetRival(const Schedule& rival) { rival_ = rival; }
  const std::optional<Schedule>& rival() const { return rival_; }
  /// Every comparison with the rival that places a schedule.
  std::vector<Comparison> comparisons() const;

  /// The schedules added, best first: those in the log's ranking, then the others by RankRecords() of what was added.
  std::vector<RankedRecord> Ranked() const;
  /// The first `limit` of Ranked(), with their own times, and the comparisons that place them.
  std::vector<TuningRecord> Top(size_t limit) const;
  /// As Top(), but with the times by which they are ranked.
  std::vector<TuningRecord> Shown(size_t limit) const;
  bool Holds(const Schedule& schedule) const { return records_.contains(schedule.Text()); }
  std::vector<Schedule> schedules() const;
  /// The digest of the toolchain of the record added last; empty where there is none.
  const std::string& toolchain() const { return toolchain_; }
  size_t size() const { return records_.size(); }
  /// How many of them were proven before they were timed.
  size_t proven() const;
  /// Schedules with valid records, left out because none of these is proven.
  size_t unproven_left_out() const;

 private:
  bool allow_unproven_;
  std::map<std::string, std::vector<TuningRecord>> records_;  ///< By schedule.
  std::vector<RankedRecord> ranking_;
  std::set<std::string> unproven_;
  std::optional<Schedule> rival_;
  std::string toolchain_;
};

}  // namespace mmtune
