// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of measuring one candidate (a kernel family with parameters, for a problem on a device). It says whether
// the kernel is correct, how fast it is, and under which conditions it was timed. This file also has TuningRecord, the
// row of the tuning log that holds such a result.
//
// A candidate goes through three stages: verification at small shapes on the SIMT device (the CPU simulator), a check
// of its result at full size, and timing. Each has a struct here. Validate() checks the range of single fields;
// CheckConsistency() also refuses fields that contradict each other, such as a "passed" check with a wrong element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "proto/types/compilation.h"
#include "proto/types/conditions.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measure_options.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// The check of a kernel's result at the size of the problem. It has two tiers. "exact": with integer operands every
/// element of C must have the right bits. "rounding": with random operands every element must be within an error bound.
struct CheckReport {
  bool performed = false;
  bool passed = false;
  /// The tiers passed, "exact" or "exact, rounding"; for a failed check, the tier that failed.
  std::string tier;
  /// The first wrong element of C, or -1. Row indices continue from one matrix of the batch to the next.
  int64_t wrong_row = -1, wrong_col = -1;
  double expected = 0, got = 0;  ///< The values of that element.
  std::string detail;            ///< More about the failure, as text; empty if there is no more.

  // The results of the rounding tier; nullopt if it was not performed.
  std::optional<double> bound_fraction;  ///< The largest error of an element, as a fraction of its bound.
  std::optional<double> relative_error;  ///< The largest error of an element, relative to that element of |A||B|.
  std::optional<bool> deterministic;     ///< True if two runs gave the same bits.

  /// Returns InvalidArgument naming the field that contradicts another one or is out of its range.
  absl::Status CheckConsistency() const;
  MMTUNE_FIELDS(performed, passed, tier, wrong_row, wrong_col, expected, got, detail, bound_fraction, relative_error,
                deterministic)
  bool operator==(const CheckReport&) const = default;
};

/// The verification of a schedule before it is timed. The simulator runs its kernel at small shapes with race
/// detection, then several times with random thread orders (schedule fuzzing). docs/verification.md has the details.
struct VerificationReport {
  bool performed = false;
  bool passed = false;     ///< Correct and free of findings.
  std::string reason;      ///< Why it was not performed: "turned off"; empty if it was.
  bool correct = false;    ///< Every run gave the right bits, and nothing but races was found.
  bool race_free = false;  ///< No race was found.
  /// Every order of threads and blocks gave the same bits. Kernels with float atomics may give different ones.
  bool deterministic = false;
  std::vector<std::string> shapes;  ///< The problems that were run, as MatmulProblem::Text(): "256x256x128".
  int64_t fuzzing_runs = 0;         ///< The number of runs with random thread orders, at each shape.
  /// The SHA-256 of everything that was verified: problems, launches, compiled code and toolchain.
  std::string digest;
  std::string finding;  ///< The first error found, in one line; empty if there is none.
  std::string detail;   ///< The first findings in full; empty if there are none.

  /// Returns InvalidArgument where the verdict does not follow from what was found.
  absl::Status CheckConsistency() const;
  MMTUNE_FIELDS(performed, passed, reason, correct, race_free, deterministic, shapes, fuzzing_runs, digest, finding,
                detail)
  bool operator==(const VerificationReport&) const = default;
};

/// VerificationReport::reason if the job did not want verification.
inline constexpr std::string_view kVerificationTurnedOff = "turned off";
/// True if verification was performed and passed.
bool IsVerified(const VerificationReport& verification);
/// Returns "verified", "failed" or "not performed (turned off)".
std::string VerificationText(const VerificationReport& verification);

/// Return the fields `race_free` and `deterministic` of a report, or nullopt if the verification ended before it could
/// tell.
std::optional<bool> IsRaceFree(const VerificationReport& verification);
std::optional<bool> Deterministic(const VerificationReport& verification);

/// The times of one launch of the whole schedule, in nanoseconds. They include all its kernels, and clearing C where
/// that is needed.
struct Timing {
  std::vector<double> samples_ns;
  double median_ns = 0;
  /// A distribution-free 95 % confidence interval of the median; the minimum and maximum if there are fewer than 6
  /// samples. For a skipped candidate, only low_ns is set: the predicted lower bound of its time, or 0 if the search
  /// compiled the candidate and then did not choose it for timing.
  double low_ns = 0, high_ns = 0;
  std::string regime;  ///< The state of the caches: RegimeName(), "warm" or "cold"; empty if nothing was timed.
  /// True if the regime is cold.
  bool IsCold() const;
  std::string clock;  ///< The clock of the times: "cuda-event", or "steady" (the CPU's clock).

  /// Returns InvalidArgument naming a time that is not finite and >= 0.
  absl::Status Validate() const;
  /// Returns InvalidArgument unless the median is > 0 and in its interval, and both follow from the samples, if there
  /// are any.
  absl::Status CheckConsistency() const;
  MMTUNE_FIELDS(samples_ns, median_ns, low_ns, high_ns, regime, clock)
  bool operator==(const Timing&) const = default;
};

/// Everything that is known of a candidate after it was measured.
struct Measurement {
  Outcome outcome = Outcome::kOk;
  std::string message;  ///< The reason, in one line, if the outcome is not ok.
  /// The SHA-256 of the compiled device code; empty if there is none.
  std::string code_digest;
  /// The SHA-256 of code, launches, problem, device and regime. Candidates with equal keys run the same code, so one
  /// timing serves all of them. Empty if there is no code.
  std::string timing_key;
  KernelResources resources;
  VerificationReport verification;
  CheckReport check;
  Timing timing;
  Conditions conditions;
  PhaseTimes phases;

  /// True if the outcome is ok and there is a time.
  bool Timed() const { return outcome == Outcome::kOk && timing.median_ns > 0; }
  /// True if the candidate may be ranked: the outcome is ok, and it is verified or `allow_unverified` is set.
  bool Ranks(bool allow_unverified) const {
    return outcome == Outcome::kOk && (allow_unverified || IsVerified(verification));
  }
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    MMTUNE_VISIT_ALL(outcome, message, code_digest, resources, check, timing, phases)
    visit("verification", self.verification, OmitIf{VerificationReport()});
    visit("timing_key", self.timing_key, OmitIf{std::string()});
    visit("conditions", self.conditions, OmitIf{Conditions()});
  }
  /// Returns InvalidArgument naming the number that is out of its range.
  absl::Status Validate() const;
  /// Returns InvalidArgument naming fields that contradict each other, such as the outcome ok with a check that failed.
  absl::Status CheckConsistency() const;
  bool operator==(const Measurement&) const = default;
};

/// A row of the tuning log: a measurement, and what was measured, where, and by whom.
struct TuningRecord {
  int64_t id = 0;    ///< The row id in this log; 0 until it is stored.
  std::string uuid;  ///< Unique across logs.
  std::string job_uuid;
  MatmulProblem problem;
  Schedule schedule;
  DeviceInfo device;
  Toolchain toolchain;
  Measurement measurement;
  std::string worker;   ///< The id of the worker that measured it.
  int64_t attempt = 1;  ///< The number of this attempt to measure the candidate, from 1.
  /// True if this is the record that counts for its candidate; only such records are ranked. False for a report that
  /// came after its lease had expired, and for a disputed result, which a worker of another trust domain
  /// (docs/operating.md) is to confirm.
  bool canonical = true;
  int64_t unix_millis = 0;  ///< When it was stored.

  /// Returns the speed in GFLOPS by the median time; 0 unless the outcome is ok.
  double Gflops() const;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("id", self.id);
    visit("uuid", self.uuid);
    visit("job", self.job_uuid);
    MMTUNE_VISIT_ALL(problem, schedule, device, toolchain, measurement, worker, attempt, canonical, unix_millis)
  }
};

/// Returns the speed in percent of the vendor library's, which was timed in the same run; nullopt if it was not.
std::optional<double> PercentOfBaseline(const TuningRecord& record);
/// Returns the speed in percent of the device's PeakGflops(); nullopt if that is unknown.
std::optional<double> PercentOfPeak(const TuningRecord& record);

}  // namespace mmtune
