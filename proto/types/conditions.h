// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conditions under which a candidate (one schedule in one search) was timed. A reader of a log needs them to judge
// a time: how the samples were taken, the clocks and temperature of the device, and the time of the vendor's library
// beside it. They also hold the comparison with another schedule, and earlier attempts that failed.
//
// All types are plain values, stored with the measurement. Validate() checks the range of single fields;
// CheckConsistency() also refuses fields that contradict each other.
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

/// The cause of a failed attempt to measure a candidate. Stored by name.
enum class Provenance {
  kCandidate,           ///< The kernel: it failed again in a fresh child process, or the compiler refused it.
  kWorker,              ///< The worker's child process or daemon, not the kernel.
  kPoisonedByPrevious,  ///< The candidate before it, which had left the device or the child process broken.
  kInfrastructure,      ///< The device, its driver or the machine.
};
/// Converts to and from "candidate", "worker", "poisoned_by_previous", "infrastructure".
std::string_view ProvenanceName(Provenance provenance);
absl::StatusOr<Provenance> ParseProvenance(std::string_view name);
MMTUNE_TEXT_FORM(Provenance, ProvenanceName, ParseProvenance);

/// An attempt that failed. A later attempt may have measured the candidate.
struct FailedAttempt {
  Outcome outcome = Outcome::kCrashed;
  std::string message;  ///< The error, in one line.
  Provenance provenance = Provenance::kCandidate;

  MMTUNE_FIELDS(outcome, message, provenance)
  bool operator==(const FailedAttempt&) const = default;
};

/// The state of a GPU at one moment, as NVML reports it; -1 for unknown.
struct HealthSample {
  int64_t sm_clock_mhz = -1;
  int64_t memory_clock_mhz = -1;
  int64_t temperature_c = -1;
  int64_t power_mw = -1;
  int64_t other_processes = -1;               ///< Other processes that compute on the device.
  std::vector<std::string> throttle_reasons;  ///< Why its clocks are reduced, for example "HW thermal slowdown".

  MMTUNE_FIELDS(sm_clock_mhz, memory_clock_mhz, temperature_c, power_mw, other_processes, throttle_reasons)
  bool operator==(const HealthSample&) const = default;
};

/// The state of the device before and after the timing.
struct HealthReport {
  std::string source;          ///< The library that reported it: "NVML 13.580.65". Empty: nothing did.
  std::string reason;          ///< Why there is no source; empty if there is one.
  HealthSample before, after;  ///< Before the first sample and after the last.
  std::string finding;         ///< Why the samples are not to be trusted; empty: healthy.

  /// Returns InvalidArgument naming the field that is below -1.
  absl::Status CheckConsistency() const;
  MMTUNE_FIELDS(source, reason, before, after, finding)
  bool operator==(const HealthReport&) const = default;
};

/// The time of the vendor's library (cuBLAS) for the same problem, timed beside the candidates with the same method.
struct Baseline {
  std::string name;    ///< "cuBLAS 13.1.0"; empty: there is none.
  std::string reason;  ///< Why there is none; empty if there is one.
  double median_ns = 0;
  double low_ns = 0, high_ns = 0;  ///< 95 % confidence interval of the median.
  /// The relative change of the median since the library was first timed for this problem in the same child process.
  double drift = 0;

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

/// The minimum, median and maximum of some values, at least one.
struct Spread {
  /// Computes the three values; `values` must not be empty.
  explicit Spread(std::vector<double> values);
  /// True if `value` is the median up to rounding, which differs if another machine computed it from the same values.
  bool IsMedian(double value) const { return std::fabs(value - median) <= kRounding * median; }
  /// True if [low, high] lies between minimum and maximum, up to rounding.
  bool Contains(double low, double high) const {
    return low >= least * (1 - kRounding) && high <= most * (1 + kRounding);
  }

  /// The relative difference that counts as rounding.
  static constexpr double kRounding = 1e-9;
  double least, median, most;
};

/// The result of timing a schedule and another one, its reference, alternately in several fresh processes. Such a ratio
/// is more precise than a ratio of times from different runs.
struct Comparison {
  Schedule reference;
  /// The median over the processes of (time of this schedule) / (time of the reference): below 1 if this one is faster.
  double ratio = 0;
  /// A distribution-free confidence interval of the ratio, of at least 95 %.
  double low = 0, high = 0;
  std::vector<double> ratios;                            ///< The ratio in each process.
  std::vector<double> medians_ns, reference_medians_ns;  ///< The median time of both in each process.
  /// HealthReport::finding if a process, even when repeated, was not healthy; empty if all were.
  std::string finding;

  /// True if neither schedule is known to be faster: the interval contains 1.
  bool Tied() const { return low <= 1 && 1 <= high; }
  /// Returns InvalidArgument naming a ratio or time that is not finite and > 0, or an interval without the ratio.
  absl::Status Validate() const;
  /// Returns InvalidArgument unless ratio and interval follow from what the processes measured.
  absl::Status CheckConsistency() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    MMTUNE_VISIT_ALL(reference, ratio, low, high, ratios, medians_ns, reference_medians_ns)
    visit("finding", self.finding, OmitIf{std::string()});
  }
  bool operator==(const Comparison&) const = default;
};

/// All conditions of one timing.
struct Conditions {
  /// A random name of the timing run. Several records may share one run if their kernels are identical.
  std::string run;
  /// True if this record reuses the timing of another record with the same Measurement::timing_key.
  bool shared = false;
  /// Why no more samples were taken: kEndedPrecise or another constant below. Empty for unknown.
  std::string ended;
  /// The requested precision: timing ends when the median's confidence interval has this relative half-width. 0 for
  /// unknown.
  double precision = 0;
  double budget_seconds = 0;  ///< The time limit of the timing; 0 for unknown.
  /// True if all launches of a sample were enqueued before the device began the first of them.
  bool delayed = false;
  HealthReport health;
  Baseline baseline;
  std::optional<Comparison> comparison;  ///< Absent if the schedule was not compared.
  std::vector<FailedAttempt> failed_attempts;

  /// True if this timing is at least as good as one with the precision and budget of `wanted`, so that it need not be
  /// repeated.
  bool SufficeFor(const MeasureOptions& wanted) const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("run", self.run, OmitIf{std::string()});
    visit("shared", self.shared, OmitIf{false});
    visit("ended", self.ended, OmitIf{std::string()});
    visit("precision", self.precision, OmitIf{0.0});
    visit("budget_seconds", self.budget_seconds, OmitIf{0.0});
    visit("delayed", self.delayed, OmitIf{false});
    visit("health", self.health, OmitIf{HealthReport()});
    visit("baseline", self.baseline, OmitIf{Baseline()});
    visit("comparison", self.comparison);
    visit("failed_attempts", self.failed_attempts, OmitIf{std::vector<FailedAttempt>()});
  }
  /// Returns the errors of Baseline::Validate() and Comparison::Validate().
  absl::Status Validate() const;
  /// Returns InvalidArgument naming the field that is out of its range or contradicts another one.
  absl::Status CheckConsistency() const;
  bool operator==(const Conditions&) const = default;
};

/// The start of FailedAttempt::message if the comparison with another schedule failed.
inline constexpr std::string_view kComparing = "comparing: ";
/// The values of Conditions::ended: the requested precision was reached, the time limit has passed, the largest number
/// of samples was taken, or the kernel is clearly slower than the best one of its job so far (the incumbent).
inline constexpr std::string_view kEndedPrecise = "precise", kEndedBudget = "budget", kEndedSamples = "samples",
                                  kEndedSlower = "slower than the incumbent";

}  // namespace mmtune
