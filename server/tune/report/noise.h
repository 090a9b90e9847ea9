// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells when times are too noisy to be relied on: a wide spread of the samples, a host that is busy with other work, a
// device whose clock moved, and a winner that is another one in each half of the samples. Every case has a remedy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/types/ranked_record.h"

namespace mmtune {

/// Tables mark a timing whose spread (SpreadPercent) is wider.
inline constexpr double kMarkedSpreadPercent = 5;
/// A warning follows a best schedule whose spread is wider.
inline constexpr double kNoisySpreadPercent = 20;

/// How busy this host is.
struct HostLoad {
  double average = 0;    ///< The load average of the last minute.
  int64_t runnable = 0;  ///< Threads that run or could run at this moment, this one included.
  int64_t cores = 0;

  /// True if there is more work than cores: now, and on the average of the last minute. The average alone would still
  /// count a command that has just ended.
  bool AboveCores() const;
  /// Returns "load 5.2 on 2 cores".
  std::string Text() const;
};

/// Reads the text of /proc/loadavg; nullopt if it has another form.
std::optional<HostLoad> ParseHostLoad(std::string_view text, int64_t cores);
/// Returns the load of this host; nullopt if it is unknown.
std::optional<HostLoad> ReadHostLoad();

/// Returns what was found about the device while it timed the record, or compared its schedule; empty: nothing.
std::string DeviceFinding(const TuningRecord& record);

/// Why times are noisy, and what to do.
struct NoiseWarning {
  std::string found;   ///< "the best's spread is 23.2 %, load 5.2 on 2 cores"; empty: nothing is.
  std::string remedy;  ///< "end other programs, ..."
};

/// Judges the load, and the timings of `records`, of which the first is the best (there may be none).
NoiseWarning FindNoise(const std::vector<TuningRecord>& records, const std::optional<HostLoad>& load);

/// Returns "row 1 in the first half, row 3 in the second" if the fastest schedule by the first half of the samples is
/// not the fastest by the second; empty if it is, or if there are too few samples. Schedules that were compared with a
/// reference count by the halves of the comparison's processes.
std::string WinnerFlipText(const std::vector<RankedRecord>& ranking);

/// Divides the samples of each schedule into random halves, kWinnerDivisions times. Returns how often the fastest
/// schedule by the first halves is not that by the second; nullopt if fewer than two schedules have enough samples. The
/// same ranking gives the same number.
std::optional<int> WinnerFlips(const std::vector<RankedRecord>& ranking);
inline constexpr int kWinnerDivisions = 200;

}  // namespace mmtune
