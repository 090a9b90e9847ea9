// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conditions that end a search: a number of trials, a time, no more expected gain, or a speed relative to the
// vendor's library or the device's peak. They are options of `tune matmul`: `--trials`, `--seconds`, `--until-plateau`
// and others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mmtune {

/// The progress of a search. nullopt means not known, or not yet.
struct SearchState {
  /// The number of trials so far. Candidates that were compiled but not timed do not count. But if very many candidates
  /// were skipped, some of them count, because compiling takes time, too.
  int64_t proposed = 0;
  double seconds = 0;                           ///< The time since the job began to run.
  std::optional<double> gain_percent = {};      ///< Strategy::ExpectedGain() in percent.
  std::optional<double> baseline_percent = {};  ///< The best speed so far, in percent of the vendor library's.
  std::optional<double> bound_percent = {};     ///< The best speed so far, in percent of the device's peak.
};

/// The limits of a search; 0 means no limit. The search ends when the first one is reached. Unknown progress reaches no
/// limit.
struct StopLimits {
  int64_t trials = 0;           ///< The number of trials, including those whose results came from the log.
  double seconds = 0;           ///< The time since the job began to run.
  double plateau_percent = 0;   ///< Reached if one more trial is expected to improve the best time by less than this.
  double baseline_percent = 0;  ///< Reached if the best speed is this percentage of the vendor library's.
  double bound_percent = 0;     ///< Reached if the best speed is this percentage of the device's peak.

  /// Returns the limit that is reached, in one line; nullopt if none is. After that nothing more is proposed.
  std::optional<std::string> Reached(const SearchState& state) const;
  /// True if a limit of time or speed is reached: then pending proposals are not needed either.
  bool ReachedHardLimit(const SearchState& state) const;
};

}  // namespace mmtune
