// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of a candidate: its outcome, kernel, verification, check and times; and the records of the tuning log.
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

/// The check of the result of a kernel at the size of the problem.
struct CheckReport {
  bool performed = false;
  bool passed = false;
  /// The tiers passed, "exact" or "exact, rounding"; for a failed check, the tier that failed. Exact: with integer
  /// operands, results are bit-equal for any order of summation. Rounding: with random normal operands, each element is
  /// within an error bound that holds for any order.
  std::string tier;
  int64_t wrong_row = -1, wrong_col = -1;  ///< The first wrong element of C; rows count through a batch's matrices.
  double expected = 0, got = 0;
  std::string detail;

  // Results of the rounding tier; absent where that was not performed.
  std::optional<double> bound_fraction;  ///< Largest error of an element, as a fraction of its bound.
  std::optional<double> relative_error;  ///< Largest error relative to |A||B| of the element.
  std::optional<bool> deterministic;     ///< Two runs gave the same bits.

  /// Returns InvalidArgument naming the field that contradicts another one or is out of its range.
  absl::Status CheckConsistency() const;
  MMTUNE_FIELDS(performed, passed, tier, wrong_row, wrong_col, expected, got, detail, bound_fraction, relative_error,
                deterministic)
  bool operator==(const CheckReport&) const = default;
};

/// The verification of a schedule at small shapes on the SIMT device, by race detection and schedule fuzzing, before it
/// was timed.
struct VerificationReport {
  bool performed = false;
  bool passed = false;   ///< Correct and free of findings.
  std::string reason;    ///< Why it was not performed: "turned off".
  bool correct = false;  ///< Bit-equal results at every shape, in every run, and no finding but races.
  bool race_free = false;
  bool deterministic = false;  ///< The same bits whatever the order of threads and blocks; atomics may give others.
  std::vector<std::string> shapes;  ///< "256x256x128", as MatmulProblem::Text.
  int64_t fuzzing_runs = 0;         ///< Fuzzing runs of each shape.
  std::string digest;               ///< SHA-256 over problems, launch plans, verified images and toolchain.
  std::string finding;              ///< The first thing wrong, in a line.
  std::string detail;               ///< The first findings in full.

  /// Returns InvalidArgument where the verdict does not follow from what was found.
  absl::Status CheckConsistency() const;
  MMTUNE_FIELDS(performed, passed, reason, correct, race_free, deterministic, shapes, fuzzing_runs, digest, finding,
                detail)
  bool operator==(const VerificationReport&) const = default;
};

/// VerificationReport::reason when the job wanted no verification.
inline constexpr std::string_view kVerificationTurnedOff = "turned off";
/// True if verification was performed and passed.
bool IsVerified(const VerificationReport& verification);
/// Returns "verified", "failed" or "not performed (turned off)".
std::string VerificationText(const VerificationReport& verification);

// Return nullopt where nothing was performed or compared, or where runs that went wrong did not show it.
std::optional<bool> IsRaceFree(const VerificationReport& verification);
std::optional<bool> Deterministic(const VerificationReport& verification);

/// Times of one launch of the whole schedule (memset and reduction included), in nanoseconds.
struct Timing {
  std::vector<double> samples_ns;
  double median_ns = 0;
  /// Distribution-free 95 % interval of the median; minimum and maximum of fewer than 6 samples. For a skipped
  /// candidate `low_ns` is the lower bound of its time (0: it was not chosen), and nothing else is set.
  double low_ns = 0, high_ns = 0;
  std::string regime;  ///< RegimeName of the operands.
  bool IsCold() const;
  std::string clock;  ///< "cuda-event" or "steady".

  /// Returns InvalidArgument naming a time that is not finite and >= 0.
  absl::Status Validate() const;
  /// Returns InvalidArgument unless the median is > 0 and in its interval, and both follow from the samples, if there
  /// are any.
  absl::Status CheckConsistency() const;
  MMTUNE_FIELDS(samples_ns, median_ns, low_ns, high_ns, regime, clock)
  bool operator==(const Timing&) const = default;
};

/// Everything that was measured of a candidate.
struct Measurement {
  Outcome outcome = Outcome::kOk;
  std::string message;      ///< Why, when not ok. One line.
  std::string code_digest;  ///< SHA-256 of the device image; empty when none was made.
  /// SHA-256 over code, launches, problem, device and regime: candidates with equal keys share a time. Empty: none.
  std::string timing_key;
  KernelResources resources;
  VerificationReport verification;
  CheckReport check;
  Timing timing;
  Conditions conditions;
  PhaseTimes phases;

  /// True if it has a time: ok, and a median above 0.
  bool Timed() const { return outcome == Outcome::kOk && timing.median_ns > 0; }
  /// True if it may be ranked: ok, and verified unless `allow_unverified`.
  bool Ranks(bool allow_unverified) const {
    return outcome == Outcome::kOk && (allow_unverified || IsVerified(verification));
  }
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    MMTUNE_VISIT_ALL(outcome, message, code_digest, resources, check, timing, phases)
    visit("verification", self.verification, Unless{VerificationReport()});
    visit("timing_key", self.timing_key, Unless{std::string()});
    visit("conditions", self.conditions, Unless{Conditions()});
  }
  /// Returns InvalidArgument naming the number that is out of its range.
  absl::Status Validate() const;
  /// Returns InvalidArgument naming fields that contradict each other: an outcome, verdict or time that does not
  /// follow.
  absl::Status CheckConsistency() const;
  bool operator==(const Measurement&) const = default;
};

/// A row of the tuning log.
struct TuningRecord {
  int64_t id = 0;    ///< Row id in this log; 0 before it is stored.
  std::string uuid;  ///< Unique across logs.
  std::string job_uuid;
  MatmulProblem problem;
  Schedule schedule;
  DeviceInfo device;
  Toolchain toolchain;
  Measurement measurement;
  std::string worker;
  int64_t attempt = 1;
  bool canonical = true;  ///< False for a late report of an expired lease.
  int64_t unix_millis = 0;

  /// Returns flops / median time; 0 unless the outcome is ok.
  double Gflops() const;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("id", self.id);
    visit("uuid", self.uuid);
    visit("job", self.job_uuid);
    MMTUNE_VISIT_ALL(problem, schedule, device, toolchain, measurement, worker, attempt, canonical, unix_millis)
  }
};

/// Returns the speed in percent of the baseline timed in the same run; nullopt where there was none.
std::optional<double> PercentOfBaseline(const TuningRecord& record);
/// Returns the speed in percent of PeakGflops; nullopt where that is unknown.
std::optional<double> PercentOfPeak(const TuningRecord& record);

}  // namespace mmtune
