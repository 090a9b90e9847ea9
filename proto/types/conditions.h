// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conditions of a timing: how the samples were taken, the state of the device, the baseline, the comparison with
// another schedule, and earlier attempts that failed.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/measure_options.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Why an attempt failed. Stored by name.
enum class Provenance {
  kCandidate,           ///< It failed again in a fresh child, or the compiler said so.
  kWorker,              ///< The child or the daemon failed, not the kernel.
  kPoisonedByPrevious,  ///< The candidate before had left the device or the child broken.
  kInfrastructure,      ///< The device, its driver or the machine.
};
/// Converts to and from "candidate", "worker", "poisoned_by_previous", "infrastructure".
std::string_view ProvenanceName(Provenance provenance);
absl::StatusOr<Provenance> ParseProvenance(std::string_view name);
MMTUNE_TEXT_FORM(Provenance, ProvenanceName, ParseProvenance);

/// An attempt that failed, whatever became of the candidate later.
struct FailedAttempt {
  Outcome outcome = Outcome::kCrashed;
  std::string message;
  Provenance provenance = Provenance::kCandidate;

  MMTUNE_FIELDS(outcome, message, provenance)
  bool operator==(const FailedAttempt&) const = default;
};

/// The state of the device at one moment; -1: unknown.
struct HealthSample {
  int64_t sm_clock_mhz = -1;
  int64_t memory_clock_mhz = -1;
  int64_t temperature_c = -1;
  int64_t power_mw = -1;
  int64_t other_processes = -1;  ///< Other processes that compute on the device.
  std::vector<std::string> throttle_reasons;

  MMTUNE_FIELDS(sm_clock_mhz, memory_clock_mhz, temperature_c, power_mw, other_processes, throttle_reasons)
  bool operator==(const HealthSample&) const = default;
};

/// The state of the device around the timing.
struct HealthReport {
  std::string source;  ///< "NVML 13.580.65"; empty: not watched.
  std::string reason;  ///< Why it was not watched.
  HealthSample before, after;
  std::string finding;  ///< Why the samples are not to be trusted; empty: healthy.

  /// Returns InvalidArgument naming the field that is below -1.
  absl::Status CheckConsistency() const;
  MMTUNE_FIELDS(source, reason, before, after, finding)
  bool operator==(const HealthReport&) const = default;
};

/// The vendor's library on the same problem, in the same regime, timed beside the candidates.
struct Baseline {
  std::string name;    ///< "cuBLAS 13.1.0"; empty: there is none.
  std::string reason;  ///< Why there is none.
  double median_ns = 0;
  double low_ns = 0, high_ns = 0;  ///< Interval of the median, like Timing::low_ns.
  double drift = 0;  ///< Change of the median since the first one of this problem in the same child, relative.

  /// Returns InvalidArgument when there is a library and one of its times is not finite and > 0.
  absl::Status Validate() const;
  /// Returns InvalidArgument where fields contradict each other.
  absl::Status CheckConsistency() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("library", self.name);
    MMTUNE_VISIT_ALL(reason, median_ns, low_ns, high_ns, drift)
  }
  bool operator==(const Baseline&) const = default;
};

/// The range and the median of values, of which there is at least one.
struct Spread {
  explicit Spread(std::vector<double> values);
  /// Compare with values that another machine computed from the same ones, up to rounding.
  bool IsMedian(double value) const { return std::fabs(value - median) <= kRounding * median; }
  bool Contains(double low, double high) const {
    return low >= least * (1 - kRounding) && high <= most * (1 + kRounding);
  }

  static constexpr double kRounding = 1e-9;
  double least, median, most;
};

/// The schedule and a reference (`reference`) timed alternately in several fresh processes.
struct Comparison {
  Schedule reference;
  double ratio = 0;            ///< Median over the processes of this schedule's time / the reference's.
  double low = 0, high = 0;    ///< Distribution-free interval of at least 95% for it.
  std::vector<double> ratios;  ///< One for each process.
  std::vector<double> medians_ns, reference_medians_ns;  ///< The medians of each process.
  std::string finding;  ///< HealthReport::finding, where a process found it twice; empty: all were healthy.

  /// True if neither is known to be faster: the interval holds 1.
  bool Tied() const { return low <= 1 && 1 <= high; }
  /// Returns InvalidArgument naming a ratio or time that is not finite and > 0, or an interval without the ratio.
  absl::Status Validate() const;
  /// Returns InvalidArgument unless ratio and interval follow from what the processes measured.
  absl::Status CheckConsistency() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    MMTUNE_VISIT_ALL(reference, ratio, low, high, ratios, medians_ns, reference_medians_ns)
    visit("finding", self.finding, Unless{std::string()});
  }
  bool operator==(const Comparison&) const = default;
};

/// All conditions of one timing.
struct Conditions {
  /// Random name of the run that took the samples. Records of one run share one measurement.
  std::string run;
  bool shared = false;        ///< The run was made for another record with the same timing key.
  std::string ended;          ///< Why it took no more samples: kEndedPrecise and so on.
  double precision = 0;       ///< The relative half-width at which it ended or would have ended; 0: unknown.
  double budget_seconds = 0;  ///< The budget of the timing; 0: unknown.
  bool delayed = false;       ///< The device waited until all launches of a sample were enqueued.
  HealthReport health;
  Baseline baseline;
  std::optional<Comparison> comparison;
  std::vector<FailedAttempt> failed_attempts;

  /// True if this run is as good as one with the precision and budget of `wanted` would have been.
  bool SufficeFor(const MeasureOptions& wanted) const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("run", self.run, Unless{std::string()});
    visit("shared", self.shared, Unless{false});
    visit("ended", self.ended, Unless{std::string()});
    visit("precision", self.precision, Unless{0.0});
    visit("budget_seconds", self.budget_seconds, Unless{0.0});
    visit("delayed", self.delayed, Unless{false});
    visit("health", self.health, Unless{HealthReport()});
    visit("baseline", self.baseline, Unless{Baseline()});
    visit("comparison", self.comparison);
    visit("failed_attempts", self.failed_attempts, Unless{std::vector<FailedAttempt>()});
  }
  absl::Status Validate() const;
  /// Returns InvalidArgument naming the field that is out of its range or contradicts another one.
  absl::Status CheckConsistency() const;
  bool operator==(const Conditions&) const = default;
};

/// The beginning of FailedAttempt::message where the comparison with another schedule failed.
inline constexpr std::string_view kComparing = "comparing: ";
/// Values of Conditions::ended.
inline constexpr std::string_view kEndedPrecise = "precise", kEndedBudget = "budget", kEndedSamples = "samples",
                                  kEndedSlower = "slower than the incumbent";

}  // namespace mmtune
