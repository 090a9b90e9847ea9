// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits that end a search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mmtune {

/// The progress of a search. Nullopt: not known, or not yet.
struct SearchState {
  int64_t proposed = 0;                         ///< Trials, not counting skipped candidates.
  double seconds = 0;                           ///< Since the job began to run.
  std::optional<double> gain_percent = {};      ///< Strategy::ExpectedGain.
  std::optional<double> baseline_percent = {};  ///< The best speed so far, in percent of the baseline's.
  std::optional<double> bound_percent = {};     ///< The same in percent of the device's peak.
};

/// The limits of a search; 0: no limit. The first one reached ends it; an unknown value reaches none.
struct StopLimits {
  int64_t trials = 0;           ///< Proposed trials, including those answered from the log.
  double seconds = 0;           ///< Since the job began to run.
  double plateau_percent = 0;   ///< The expected improvement of one more trial is below this.
  double baseline_percent = 0;  ///< The best has this percentage of the baseline's speed.
  double bound_percent = 0;     ///< The best has this percentage of the device's peak.

  /// Names the limit that is reached, in one line; nullopt while none is. Then nothing more is proposed.
  std::optional<std::string> Reached(const SearchState& state) const;
  /// True if a limit is reached (seconds or speed) after which pending proposals are not needed either.
  bool ReachedForGood(const SearchState& state) const;
};

}  // namespace mmtune
