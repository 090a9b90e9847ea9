// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The valid results of a job, in the order of the log's ranking. After the job, the fastest schedules (the finalists)
// are each timed side by side with one of them, the reference.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proto/types/ranked_record.h"

namespace mmtune {

/// Returns the schedule of `top`, which must not be empty, with which most of the other schedules of `top` were
/// compared. Returns the first one if there are no comparisons.
Schedule KnownReference(const std::vector<RankedRecord>& top);

/// Returns the records of a ranking as tables show them: each with the time by which it is ranked, so that the times of
/// a table ascend. A schedule that counts as exactly as fast as its reference (kAsFast) is shown with the time of the
/// reference.
std::vector<TuningRecord> AsShown(const std::vector<RankedRecord>& ranking);

/// Collects the schedules of a job that have a valid result. Not thread-safe.
class BestRecords {
 public:
  /// If `allow_unverified` is false, keeps only schedules that were verified before they were timed.
  explicit BestRecords(bool allow_unverified = false) : allow_unverified_(allow_unverified) {}

  bool allow_unverified() const { return allow_unverified_; }
  /// Keeps `record` if its outcome is ok.
  void Add(const TuningRecord& record);
  /// Sets the log's ranking, best first. It is preferred to a ranking of the added records, because the log may also
  /// have records that other jobs made of the same schedules.
  void SetRanking(std::vector<RankedRecord> ranking) { ranking_ = std::move(ranking); }
  /// Sets the schedule that the finalists are compared with.
  void SetReference(const Schedule& reference) { reference_ = reference; }
  const std::optional<Schedule>& reference() const { return reference_; }
  /// Returns the comparisons with the reference that determine the rank of a schedule.
  std::vector<Comparison> comparisons() const;

  /// Returns the added schedules, best first. Those that the log's ranking contains come first, in its order. The
  /// others follow, ranked by RankRecords().
  std::vector<RankedRecord> Ranked() const;
  /// Returns the first `limit` of Ranked(), with their own times and the comparisons that determine their ranks.
  std::vector<TuningRecord> Top(size_t limit) const;
  /// Returns the first `limit` of Ranked(), with the times that tables show.
  std::vector<TuningRecord> Shown(size_t limit) const;
  bool Holds(const Schedule& schedule) const { return records_.contains(schedule.Text()); }
  std::vector<Schedule> schedules() const;
  /// Returns the digest of the toolchain of the record added last; empty if there is none.
  const std::string& toolchain() const { return toolchain_; }
  size_t size() const { return records_.size(); }
  /// Returns how many of the schedules were verified before they were timed.
  size_t verified() const;
  /// Returns the number of schedules left out because none of their valid records is verified.
  size_t unverified_left_out() const;

 private:
  bool allow_unverified_;
  std::map<std::string, std::vector<TuningRecord>> records_;  ///< By schedule.
  std::vector<RankedRecord> ranking_;
  std::set<std::string> unverified_;
  std::optional<Schedule> reference_;
  std::string toolchain_;
};

}  // namespace mmtune
