// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under what conditions a candidate was timed: how the samples were taken, the state of the device, what it was
// compared with, and what failed before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/measure_options.h"
#include "proto/types/outcome.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Why an attempt failed. Stored by name.
enum class Provenance {
  kCandidate,           ///< It failed again in a fresh child, or the compiler said so.
  kWorker,              ///< The child or the daemon failed, not the kernel.
  kPoisonedByPrevious,  ///< The candidate before had left the device or the child broken.
  kInfrastructure,      ///< The device, its driver or the machine.
};
/// "candidate", "worker", "poisoned_by_previous", "infrastructure".
std::string_view ProvenanceName(Provenance provenance);
absl::StatusOr<Provenance> ParseProvenance(std::string_view name);

template <>
struct TextForm<Provenance> {
  static constexpr auto Write = ProvenanceName;
  static constexpr auto Read = ParseProvenance;
};

/// An attempt that failed, whatever became of the candidate later.
struct FailedAttempt {
  Outcome outcome = Outcome::kCrashed;
  std::string message;
  Provenance provenance = Provenance::kCandidate;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("outcome", self.outcome);
    visit("message", self.message);
    visit("provenance", self.provenance);
  }
  bool operator==(const FailedAttempt&) const = default;
};

/// The device at one moment; -1 is unknown.
struct HealthSample {
  int64_t sm_clock_mhz = -1;
  int64_t memory_clock_mhz = -1;
  int64_t temperature_c = -1;
  int64_t power_mw = -1;
  int64_t other_processes = -1;  ///< That compute on the device.
  std::vector<std::string> throttle_reasons;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("sm_clock_mhz", self.sm_clock_mhz);
    visit("memory_clock_mhz", self.memory_clock_mhz);
    visit("temperature_c", self.temperature_c);
    visit("power_mw", self.power_mw);
    visit("other_processes", self.other_processes);
    visit("throttle_reasons", self.throttle_reasons);
  }
  bool operator==(const HealthSample&) const = default;
};

/// The state of the device around the timing.
struct HealthReport {
  std::string source;  ///< "NVML 13.580.65"; empty: not watched.
  std::string reason;  ///< Why it was not watched; empty in records older than certificates.
  HealthSample before, after;
  std::string finding;  ///< Why the samples are not to be trusted; empty: healthy.

  /// InvalidArgument names the field that is below -1.
  absl::Status CheckConsistency() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("source", self.source);
    visit("reason", self.reason);
    visit("before", self.before);
    visit("after", self.after);
    visit("finding", self.finding);
  }
  bool operator==(const HealthReport&) const = default;
};

/// The vendor's library on the same problem, in the same regime, timed beside the candidates.
struct Baseline {
  std::string name;    ///< "cuBLAS 13.1.0"; empty: there is none.
  std::string reason;  ///< Why there is none.
  double median_ns = 0;
  double low_ns = 0, high_ns = 0;  ///< As in Timing.
  double drift = 0;                ///< Of the median, relative to the first median of this problem in the same child.

  /// InvalidArgument when there is a library and one of its times is no time.
  absl::Status Validate() const;
  /// InvalidArgument where fields contradict each other.
  absl::Status CheckConsistency() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("library", self.name);
    visit("reason", self.reason);
    visit("median_ns", self.median_ns);
    visit("low_ns", self.low_ns);
    visit("high_ns", self.high_ns);
    visit("drift", self.drift);
  }
  bool operator==(const Baseline&) const = default;
};

/// Two schedules timed in turn, in several fresh processes.
struct Comparison {
  Schedule rival;
  double ratio = 0;            ///< Median over the processes of this schedule's time over the rival's.
  double low = 0, high = 0;    ///< Distribution-free interval of at least 95% for it.
  std::vector<double> ratios;  ///< One for each process.
  std::vector<double> medians_ns, rival_medians_ns;  ///< What each process measured of the two.
  std::string finding;  ///< As HealthReport::finding, when one process found it twice; empty: all were healthy.

  /// The interval holds 1: neither is known to be faster.
  bool Tied() const { return low <= 1 && 1 <= high; }
  /// InvalidArgument names the field that is no ratio, no time, or out of order.
  absl::Status Validate() const;
  /// InvalidArgument unless ratio and interval are what the processes gave.
  absl::Status CheckConsistency() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("rival", self.rival);
    visit("ratio", self.ratio);
    visit("low", self.low);
    visit("high", self.high);
    visit("ratios", self.ratios);
    visit("medians_ns", self.medians_ns);
    visit("rival_medians_ns", self.rival_medians_ns);
    visit("finding", self.finding, Unless{std::string()});
  }
  bool operator==(const Comparison&) const = default;
};

struct Conditions {
  /// Random name of the run that took the samples. Records of one run share one measurement.
  std::string run;
  bool shared = false;        ///< The run was made for another record with the same timing key.
  std::string ended;          ///< Why it took no more samples: kEndedPrecise and so on.
  double precision = 0;       ///< At which it ended or would have ended; 0: unknown.
  double budget_seconds = 0;  ///< What it could take; 0: unknown.
  bool delayed = false;       ///< The device was held back until all launches of a sample were enqueued.
  HealthReport health;
  Baseline baseline;
  std::optional<Comparison> comparison;
  std::vector<FailedAttempt> failed_attempts;

  /// Whether this run is as good as one with the precision and budget of `wanted` would have been.
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
  /// InvalidArgument names the field that is out of its range, or contradicts another one.
  absl::Status CheckConsistency() const;
  bool operator==(const Conditions&) const = default;
};

/// FailedAttempt::message begins so where the comparison with another schedule failed.
inline constexpr std::string_view kComparing = "comparing: ";
/// Conditions::ended.
inline constexpr std::string_view kEndedPrecise = "precise", kEndedBudget = "budget", kEndedSamples = "samples",
                                  kEndedSlower = "slower than the incumbent";

}  // namespace mmtune
