// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a job has seen enough.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mmtune {

/// What a search has come to so far. Absent: not known, or not yet.
struct SearchState {
  int64_t proposed = 0;                         ///< Trials: without what was skipped and is none (TuningJob).
  double seconds = 0;                           ///< Since the job began to run.
  std::optional<double> gain_percent = {};      ///< Strategy::ExpectedGain.
  std::optional<double> baseline_percent = {};  ///< The best speed so far, in percent of the baseline's.
  std::optional<double> bound_percent = {};     ///< The same, of the device's peak.
};

/// 0: no such limit. The first one that is reached ends the search; what is not known reaches none.
struct StopLimits {
  int64_t trials = 0;           ///< Candidates proposed that count, those answered from the log included.
  double seconds = 0;           ///< Since the job began to run.
  double plateau_percent = 0;   ///< One more schedule is expected to improve upon the best by less than this.
  double baseline_percent = 0;  ///< The best is as fast as this much of the baseline's speed.
  double bound_percent = 0;     ///< The same, of the device's peak.

  /// In one line, which limit is reached, so that nothing more is to be proposed.
  std::optional<std::string> Reached(const SearchState& state) const;
  /// Whether one is reached after which what was proposed is no longer wanted, either: the seconds, or the speed.
  bool ReachedForGood(const SearchState& state) const;
};

}  // namespace mmtune
