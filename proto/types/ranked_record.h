// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks the measured schedules of one problem. A schedule is a kernel family with its parameters, such as tile sizes.
// Every program that ranks the records of a tuning log uses the rule described here.
//
// A schedule may have been measured several times. Its own time is the median of its records (the slower of the two
// middle ones), never the fastest. The log may also hold a comparison, in which the schedule and another one (its
// reference) were timed alternately. A comparison is more precise, so then the schedule's time is the reference's time
// multiplied by the measured ratio.
//
// db/ranking.h applies the rule to a log without reading all of it. deploy/python/mmtune/log.py has the same rule in
// Python.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proto/types/measurement.h"

namespace mmtune {

/// A schedule counts as exactly as fast as its reference if their comparison is a tie, and its ratio differs from 1 by
/// at most this.
inline constexpr double kAsFast = 0.01;
/// True if the comparison is a tie, and its ratio differs from 1 by at most kAsFast.
bool IsAsFast(const Comparison& comparison);

/// Which records are ranked.
struct RankingRule {
  bool allow_unverified = false;  ///< If true, records without verification are ranked, too.
  /// If true, records of all toolchains are ranked. A schedule with ranks from several toolchains appears once, at the
  /// best.
  bool any_toolchain = false;
  /// The digest of the only toolchain whose records are ranked. Empty: the toolchain of the newest record.
  std::string toolchain;
};

/// One schedule in a ranking.
struct RankedRecord {
  TuningRecord record;                   ///< The record whose time is the schedule's own time.
  std::optional<Comparison> comparison;  ///< The comparison that determines its rank, if there is one.
  double ranked_ns = 0;                  ///< The time by which it is ranked.
  /// The time by which the list is sorted: ranked_ns, or that of the reference if the schedule counts as exactly as
  /// fast.
  double place_ns = 0;
};

/// Ranks records of one problem, class of devices and regime (warm or cold caches), given in any order. Returns one
/// entry for each schedule, best first. The rule:
/// - Only records count that have the outcome ok and are canonical (TuningRecord::canonical: the one record that counts
///   for its candidate). If a schedule has verified records, its unverified ones do not count.
/// - Records that share one timing run count once.
/// - The newest comparison of a schedule with another schedule of this ranking determines its time, on two conditions:
///   the resulting time is within a factor of 4 of the schedule's own times, and the reference's rank does not depend
///   on a newer comparison with this schedule.
/// - A schedule that is tied with its reference, and within 1 % of it, counts as equally fast. Equally fast schedules
///   are sorted by digest, so that noise in a measurement does not change their order.
std::vector<RankedRecord> RankRecords(std::vector<TuningRecord> records, const RankingRule& rule = {});

/// Returns the ranking of the verified schedules or, if none is verified, of all schedules.
std::vector<RankedRecord> RankVerifiedOrAll(std::vector<TuningRecord> records);

/// Returns the record with its time replaced by the time by which it is ranked, and with its comparison.
TuningRecord AsRanked(const RankedRecord& ranked);

}  // namespace mmtune
