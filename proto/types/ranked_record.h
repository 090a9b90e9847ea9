// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranking of a problem's schedules: the one rule that every reader of a log follows.
//
// A schedule's own time is the upper median of the times of its records, never the fastest one. Where the log has it
// compared with another schedule, side by side in fresh processes, its time is that schedule's time multiplied by their
// ratio. db/ranking.h reads no more of a log than the rule needs; deploy/python/mmtune/log.py follows the same rule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proto/types/measurement.h"

namespace mmtune {

/// A schedule tied with its reference, with a ratio within this of 1, counts as equally fast.
inline constexpr double kAsFast = 0.01;

/// The records that count.
struct RankingRule {
  bool allow_unverified = false;  ///< Also records that were not verified.
  bool any_toolchain = false;     ///< Records of every toolchain; each schedule keeps its best place.
  std::string toolchain;          ///< Digest of the toolchain; empty: that of the newest record that counts.
};

/// One schedule in a ranking.
struct RankedRecord {
  TuningRecord record;                   ///< The record with the schedule's own time.
  std::optional<Comparison> comparison;  ///< The comparison that places it; its reference is in the same ranking.
  double ranked_ns = 0;                  ///< The time by which it is ranked.
  double place_ns = 0;  ///< Like ranked_ns; for a schedule as fast as its reference, that of the reference.
};

/// Ranks records of one problem, class of devices and regime, in any order; best first, one for each schedule.
///
/// Canonical ok records count, and of a schedule the verified ones only, where it has any. Its own time is that of the
/// record in the middle, the slower of two in the middle; records that share the time of one run count once. Its newest
/// comparison with another schedule of the ranking places it instead, unless its time would differ from all of its own
/// by more than a factor of 4, or the other is placed, directly or not, by a newer comparison with it. A schedule that
/// is tied with its reference and within 1 % of it counts as equally fast: these stand in the reference's place, the
/// steadier first (to 0.1 % of spread), then by less shared memory, fewer registers and less time.
std::vector<RankedRecord> RankRecords(std::vector<TuningRecord> records, const RankingRule& rule = {});

/// Returns the verified schedules' ranking or, where none is verified, that of all.
std::vector<RankedRecord> RankVerifiedOrAll(std::vector<TuningRecord> records);

/// Returns the record with the times by which it is ranked, and its comparison.
TuningRecord AsRanked(const RankedRecord& ranked);

}  // namespace mmtune
