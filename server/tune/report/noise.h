// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detects times that are too noisy to be relied on: the samples spread widely, the host is busy with other work, the
// device's clock changed, or the schedule that is fastest by one half of the samples is not the fastest by the other
// half.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/types/ranked_record.h"

namespace mmtune {

/// Tables mark a timing whose spread (SpreadPercent()) is above this.
inline constexpr double kMarkedSpreadPercent = 5;
/// True if tables mark the timing.
bool IsWide(const Timing& timing);
/// Returns the line that explains the mark: "~ spread above 5 %".
std::string WideSpreadNote();
/// A warning is printed if the spread of the best schedule is above this.
inline constexpr double kNoisySpreadPercent = 20;

/// The load of this host.
struct HostLoad {
  double average = 0;    ///< The load average of the last minute.
  int64_t runnable = 0;  ///< The number of threads that are running or ready to run now, including this one.
  int64_t cores = 0;

  /// True if more threads than cores are ready to run, both now and on the average of the last minute. The average
  /// alone would still include a command that has just ended.
  bool AboveCores() const;
  /// Returns "load 5.2 on 2 cores".
  std::string Text() const;
};

/// Parses the text of /proc/loadavg. Returns nullopt if it is malformed.
std::optional<HostLoad> ParseHostLoad(std::string_view text, int64_t cores);
/// Returns the load of this host; nullopt if it is unknown.
std::optional<HostLoad> ReadHostLoad();

/// Returns the problem that was found with the device (such as a throttled clock) while it timed the record, or
/// compared its schedule with another. Empty if none was found.
std::string DeviceFinding(const TuningRecord& record);

/// The reasons why times are noisy, and what the user can do.
struct NoiseWarning {
  std::string found;   ///< "the best's spread is 23.2 %; load 5.2 on 2 cores"; empty if nothing is noisy.
  std::string remedy;  ///< "end other programs, ..."
};

/// Checks the load, the spread of the first of `records`, which are ordered best first, and the DeviceFinding() of all.
/// There may be no records; `load` is nullopt if it is unknown.
NoiseWarning FindNoise(const std::vector<TuningRecord>& records, const std::optional<HostLoad>& load);

/// Returns "row 1 in the first half, row 3 in the second" if the schedule that is fastest by the first halves of all
/// samples is not the fastest by the second halves. Returns an empty text if it is, or if there are too few samples.
/// For a schedule that was compared with a reference, the samples are those of the comparison.
std::string WinnerFlipText(const std::vector<RankedRecord>& ranking);

/// Divides the samples of each schedule into two random halves, kWinnerDivisions times. Returns how often the schedule
/// that is fastest by the first halves is not the fastest by the second halves; nullopt if fewer than two schedules
/// have enough samples. Deterministic.
std::optional<int> WinnerFlips(const std::vector<RankedRecord>& ranking);
inline constexpr int kWinnerDivisions = 200;

}  // namespace mmtune
