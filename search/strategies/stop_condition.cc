// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/stop_condition.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace mmtune {
namespace {

std::string Percent(double value) { return absl::StrCat(std::round(value * 100) / 100, " %"); }

bool Attained(double wanted, const std::optional<double>& value) { return wanted > 0 && value && *value >= wanted; }

std::string SpeedText(double percent, const char* of, double wanted) {
  return absl::StrCat("the best schedule has ", Percent(percent), " of ", of, "; the limit is ", Percent(wanted));
}

}  // namespace

std::optional<std::string> StopLimits::Reached(const SearchState& state) const {
  if (Attained(baseline_percent, state.baseline_percent)) {
    return SpeedText(*state.baseline_percent, "the baseline's speed", baseline_percent);
  }
  if (Attained(bound_percent, state.bound_percent)) {
    return SpeedText(*state.bound_percent, "the device's peak", bound_percent);
  }
  if (trials > 0 && state.proposed >= trials) return absl::StrCat("trials: ", trials);
  if (seconds > 0 && state.seconds >= seconds) return absl::StrCat("seconds: ", seconds);
  if (plateau_percent > 0 && state.gain_percent && *state.gain_percent < plateau_percent) {
    return absl::StrCat("plateau: one more schedule is expected to gain ", Percent(*state.gain_percent), ", less than ",
                        Percent(plateau_percent));
  }
  return std::nullopt;
}

bool StopLimits::ReachedHardLimit(const SearchState& state) const {
  StopLimits limits = *this;
  limits.trials = 0;
  limits.plateau_percent = 0;
  return limits.Reached(state).has_value();
}

}  // namespace mmtune
