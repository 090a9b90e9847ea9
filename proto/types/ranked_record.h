// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schedule of a problem is best: the one rule that every reader of a log follows.
//
// A schedule's own time is the upper median of its records' times: never its luckiest record. Where the log has it
// compared with another schedule, side by side in fresh processes, its time is that schedule's time multiplied by their
// ratio. db/ranking.h reads no more of a log than the rule needs; deploy/python/mmtune/log.py follows the same rule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proto/types/measurement.h"

namespace mmtune {

/// A schedule that is tied with its rival and apart from it by no more than this counts as equally fast.
inline constexpr double kAsFast = 0.01;

/// Which records count.
struct RankingRule {
  bool allow_unproven = false;  ///< Records that were not verified, too.
  bool any_toolchain = false;   ///< Records of every toolchain; of each schedule the best placed is kept.
  std::string toolchain;        ///< Its digest; empty: the one that made the newest of the records that count.
};

/// One schedule in a ranking.
struct RankedRecord {
  TuningRecord record;                   ///< The one with the schedule's own time.
  std::optional<Comparison> comparison;  ///< The one that places it; its rival is in the same ranking.
  double ranked_ns = 0;                  ///< The time by which it is ranked.
  double place_ns = 0;                   ///< As ranked_ns; of a schedule as fast as its rival, that of the rival.
};

/// Ranks records of one problem, class of devices and regime, in any order; best first, one for each schedule.
///
/// Canonical ok records count, and of a schedule the verified ones only, where it has any. Its own time is that of the
/// record in the middle, the slower of two in the middle; records that share the time of one run count once. Its newest
/// comparison with another schedule of the ranking places it instead, unless its time would differ from all of its own
/// by more than a factor of 4, or the other is placed, directly or not, by a newer comparison with it. A schedule that
/// is tied with its rival and within 1 % of it counts as equally fast: these stand in the rival's place, the steadier
/// first (to 0.1 % of spread), then by less shared memory, fewer registers and less time.
std::vector<RankedRecord> RankRecords(std::vector<TuningRecord> records, const RankingRule& rule = {});

/// Returns the verified schedules' ranking or, where none is verified, that of all.
std::vector<RankedRecord> RankVerifiedOrAll(std::vector<TuningRecord> records);

/// Returns the record with the times by which it is ranked, and its comparison.
TuningRecord AsRanked(const RankedRecord& ranked);

}  // namespace mmtune
