// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a candidate is measured.
#pragma once

#include "absl/status/status.h"
#include "proto/types/device_info.h"
#include "proto/types/fields.h"
#include "proto/types/outcome.h"

namespace mmtune {

/// Timing ends when the interval of the median has this half-width, relative to the median, unless asked otherwise.
inline constexpr double kDefaultPrecision = 0.005;
/// How long the timing of one candidate may take, unless asked otherwise.
double DefaultBudgetSeconds(DeviceKind kind);

struct MeasureOptions {
  Regime regime = Regime::kWarm;
  double precision = kDefaultPrecision;  ///< Timing ends at this relative half-width of the median's interval.
  double budget_seconds = 0;             ///< Of the timing phase; 0: the device's default.
  bool baseline = true;                  ///< Time the vendor's library beside the candidate.
  bool proof = true;                     ///< Prove a schedule at small shapes before it is timed.

  /// The same with the default budget of such a device in place of 0. Called where a candidate gets its device.
  MeasureOptions For(DeviceKind kind) const;
  /// InvalidArgument unless precision is between 0 and 1 and the budget 0 to 3600 s.
  absl::Status Validate() const;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("regime", self.regime);
    visit("precision", self.precision);
    visit("budget_seconds", self.budget_seconds);
    visit("baseline", self.baseline);
    visit("proof", self.proof);
  }
  bool operator==(const MeasureOptions&) const = default;
};

}  // namespace mmtune
