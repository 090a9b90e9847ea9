// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The valid results of a job, in the order of the log's ranking.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proto/types/ranked_record.h"

namespace mmtune {

/// Returns the schedule of `top` that most others of `top` were compared with; the first if there are no comparisons.
Schedule KnownReference(const std::vector<RankedRecord>& top);

/// Returns the records of a ranking as tables show them, with the times that give them their places: the table is in
/// the order of the times in it. A schedule that counts as fast as its reference (kAsFast) has the reference's time.
std::vector<TuningRecord> AsShown(const std::vector<RankedRecord>& ranking);

/// The schedules of a job with a valid result. Not thread-safe.
class BestRecords {
 public:
  /// Unless `allow_unverified`, keeps only schedules that were verified before they were timed.
  explicit BestRecords(bool allow_unverified = false) : allow_unverified_(allow_unverified) {}

  bool allow_unverified() const { return allow_unverified_; }
  /// Keeps `record` if it is ok.
  void Add(const TuningRecord& record);
  /// Sets the ranking of the log, best first: it has more records of the job's schedules than the job has seen.
  void SetRanking(std::vector<RankedRecord> ranking) { ranking_ = std::move(ranking); }
  /// Sets the schedule that the finalists are compared with.
  void SetReference(const Schedule& reference) { reference_ = reference; }
  const std::optional<Schedule>& reference() const { return reference_; }
  /// Returns every comparison with the reference that ranks a schedule.
  std::vector<Comparison> comparisons() const;

  /// Returns the schedules added, best first: those in the log's ranking, then the others by RankRecords().
  std::vector<RankedRecord> Ranked() const;
  /// Returns the first `limit` of Ranked(), with their own times and the comparisons that rank them.
  std::vector<TuningRecord> Top(size_t limit) const;
  /// Returns the first `limit` of Ranked(), with the times that tables show.
  std::vector<TuningRecord> Shown(size_t limit) const;
  bool Holds(const Schedule& schedule) const { return records_.contains(schedule.Text()); }
  std::vector<Schedule> schedules() const;
  /// Returns the digest of the toolchain of the record added last; empty if there is none.
  const std::string& toolchain() const { return toolchain_; }
  size_t size() const { return records_.size(); }
  /// Returns how many of them were verified before they were timed.
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
