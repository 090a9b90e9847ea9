// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks the measured schedules of one problem. A schedule is a kernel family with its parameters, such as tile sizes.
// Every reader of a tuning log follows this rule.
//
// A schedule may have been measured several times: its own time is the median of its records (the slower of the two
// middle ones), never the fastest. If the log also holds a comparison, where the schedule and another one (its
// reference) were timed alternately, that is more precise. Then its time is the reference's time multiplied by the
// measured ratio.
//
// db/ranking.h applies the rule to a log without reading all of it. deploy/python/mmtune/log.py has the same rule in
// Python.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proto/types/measurement.h"

namespace mmtune {

/// A schedule whose comparison is a tie, and whose ratio is within this of 1, counts as exactly as fast as its
/// reference.
inline constexpr double kAsFast = 0.01;
/// True if a schedule is tied with its reference and within kAsFast of it.
bool IsAsFast(const Comparison& comparison);

/// Which records are ranked.
struct RankingRule {
  bool allow_unverified = false;  ///< If true, records without verification are ranked, too.
  bool any_toolchain = false;     ///< If true, records of all toolchains are ranked; each schedule keeps its best rank.
  /// The digest of the only toolchain that counts. Empty: that of the newest record.
  std::string toolchain;
};

/// One schedule in a ranking.
struct RankedRecord {
  TuningRecord record;                   ///< The record whose time is the schedule's own time.
  std::optional<Comparison> comparison;  ///< The comparison that determines its rank, if there is one.
  double ranked_ns = 0;                  ///< The time by which it is ranked.
  /// The same, or the reference's if the schedule counts as exactly as fast as its reference.
  double place_ns = 0;
};

/// Ranks records of one problem, class of devices and regime, given in any order. Returns one entry for each schedule,
/// best first. The rule:
/// - Only canonical records with outcome ok count. If a schedule has verified records, its others do not count.
/// - Records that share one timing run count once.
/// - The newest comparison of a schedule with another schedule of this ranking determines its time, with two
///   exceptions. The resulting time must be within a factor of 4 of its own times. And the reference's own rank must
///   not depend on a newer comparison with this schedule.
/// - A schedule that is tied with its reference, and within 1 % of it, counts as equally fast. Equally fast ones are in
///   the order of their digests, which no measurement changes: what noise would put first, the next run would not.
std::vector<RankedRecord> RankRecords(std::vector<TuningRecord> records, const RankingRule& rule = {});

/// Returns the ranking of the verified schedules or, if none is verified, of all schedules.
std::vector<RankedRecord> RankVerifiedOrAll(std::vector<TuningRecord> records);

/// Returns the record with its time replaced by the time by which it is ranked, and with its comparison.
TuningRecord AsRanked(const RankedRecord& ranked);

}  // namespace mmtune
