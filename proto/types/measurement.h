// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became of a candidate: the outcome, the kernel, the check, the times.
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
#include "proto/types/outcome.h"
#include "proto/types/schedule.h"

namespace mmtune {

struct CheckReport {
  bool performed = false;
  bool passed = false;
  /// The tiers passed, "exact" or "exact, rounding"; for a failed check, the tier that failed. Exact: integer operands,
  /// bit-equal for any order of summation. Rounding: random normal operands, each element within the bound that holds
  /// for any order.
  std::string tier;
  int64_t wrong_row = -1, wrong_col = -1;  ///< The first wrong element of C; rows count through a batch's matrices.
  double expected = 0, got = 0;
  std::string detail;

  // From the rounding tier; absent where that was not performed.
  std::optional<double> bound_fraction;  ///< Largest error of an element, as a fraction of its bound.
  std::optional<double> relative_error;  ///< Largest error relative to |A||B| of the element.
  std::optional<bool> deterministic;     ///< Two runs gave the same bits.

  /// InvalidArgument names the field that contradicts another one, or is out of its range.
  absl::Status CheckConsistency() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("performed", self.performed);
    visit("passed", self.passed);
    visit("tier", self.tier);
    visit("wrong_row", self.wrong_row);
    visit("wrong_col", self.wrong_col);
    visit("expected", self.expected);
    visit("got", self.got);
    visit("detail", self.detail);
    visit("bound_fraction", self.bound_fraction);
    visit("relative_error", self.relative_error);
    visit("deterministic", self.deterministic);
  }
  bool operator==(const CheckReport&) const = default;
};

/// What the watch and stress modes of the SIMT device showed about a schedule at small shapes, before it was timed.
struct ProofReport {
  bool performed = false;
  bool passed = false;   ///< Correct and free of findings.
  std::string reason;    ///< Why it was not performed: "turned off"; empty in records older than proofs.
  bool correct = false;  ///< Bit-equal results at every shape, in every run, and no finding but races.
  bool race_free = false;
  bool deterministic = false;  ///< The same bits whatever the order of threads and blocks; atomics may give others.
  std::vector<std::string> shapes;  ///< "256x256x128", as MatmulProblem::Text.
  int64_t stress_runs = 0;          ///< Of each shape.
  std::string digest;               ///< SHA-256 over problems, launch plans, watched images and toolchain.
  std::string finding;              ///< The first thing wrong, in a line.
  std::string detail;               ///< The first findings in full.

  /// InvalidArgument where the verdict does not follow from what was found.
  absl::Status CheckConsistency() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("performed", self.performed);
    visit("passed", self.passed);
    visit("reason", self.reason);
    visit("correct", self.correct);
    visit("race_free", self.race_free);
    visit("deterministic", self.deterministic);
    visit("shapes", self.shapes);
    visit("stress_runs", self.stress_runs);
    visit("digest", self.digest);
    visit("finding", self.finding);
    visit("detail", self.detail);
  }
  bool operator==(const ProofReport&) const = default;
};

/// ProofReport::reason when the job wanted no proof.
inline constexpr std::string_view kProofTurnedOff = "turned off";
/// Performed and passed.
bool Proven(const ProofReport& proof);
/// In a line: "proven", "failed", "not performed (turned off)".
std::string ProofText(const ProofReport& proof);

// Absent: not established, because nothing was performed or compared, or because runs that went wrong did not show it.
std::optional<bool> RaceFree(const ProofReport& proof);
std::optional<bool> Deterministic(const ProofReport& proof);

/// Times of one launch of the whole schedule (memset and reduction included), in nanoseconds.
struct Timing {
  std::vector<double> samples_ns;
  double median_ns = 0;
  /// Distribution-free 95% interval of the median; min and max under 6 samples. Of what was skipped, `low_ns` is the
  /// time that it takes at least (0: it was not chosen), and nothing else is set.
  double low_ns = 0, high_ns = 0;
  std::string regime;  ///< RegimeName of the operands.
  bool IsCold() const;
  std::string clock;  ///< "cuda-event" or "steady".

  /// InvalidArgument names the field that is no time: times are finite and >= 0.
  absl::Status Validate() const;
  /// InvalidArgument unless the median is a time in its interval, and both are what the samples say, if there are any.
  absl::Status CheckConsistency() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("samples_ns", self.samples_ns);
    visit("median_ns", self.median_ns);
    visit("low_ns", self.low_ns);
    visit("high_ns", self.high_ns);
    visit("regime", self.regime);
    visit("clock", self.clock);
  }
  bool operator==(const Timing&) const = default;
};

struct Measurement {
  Outcome outcome = Outcome::kOk;
  std::string message;      ///< Why, when not ok. One line.
  std::string code_digest;  ///< SHA-256 of the device image; empty when none was made.
  /// SHA-256 over code, launches, problem, device and regime: equal keys run the same. Empty: no time to share.
  std::string timing_key;
  KernelResources resources;
  ProofReport proof;
  CheckReport check;
  Timing timing;
  Conditions conditions;
  PhaseTimes phases;

  /// Whether it has a time: ok, and a median above 0.
  bool Timed() const { return outcome == Outcome::kOk && timing.median_ns > 0; }
  /// Whether it may stand in a ranking: ok, and proven unless `allow_unproven`.
  bool Ranks(bool allow_unproven) const { return outcome == Outcome::kOk && (allow_unproven || Proven(proof)); }
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("outcome", self.outcome);
    visit("message", self.message);
    visit("code_digest", self.code_digest);
    visit("resources", self.resources);
    visit("check", self.check);
    visit("timing", self.timing);
    visit("phases", self.phases);
    visit("proof", self.proof, Unless{ProofReport()});
    visit("timing_key", self.timing_key, Unless{std::string()});
    visit("conditions", self.conditions, Unless{Conditions()});
  }
  /// InvalidArgument names the number that is out of its range.
  absl::Status Validate() const;
  /// InvalidArgument names the fields that contradict each other: which outcome, verdict and time follow from what.
  absl::Status CheckConsistency() const;
  bool operator==(const Measurement&) const = default;
};

/// A row of the tuning log.
struct TuningRecord {
  int64_t id = 0;    ///< In this log; 0 before it is stored.
  std::string uuid;  ///< Across logs.
  std::string job_uuid;
  MatmulProblem problem;
  Schedule schedule;
  DeviceInfo device;
  Toolchain toolchain;
  Measurement measurement;
  std::string worker;
  int64_t attempt = 1;
  bool canonical = true;  ///< False for a late report of a fenced lease.
  int64_t unix_millis = 0;

  /// Flops over the median time; 0 unless the outcome is ok.
  double Gflops() const;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("id", self.id);
    visit("uuid", self.uuid);
    visit("job", self.job_uuid);
    visit("problem", self.problem);
    visit("schedule", self.schedule);
    visit("device", self.device);
    visit("toolchain", self.toolchain);
    visit("measurement", self.measurement);
    visit("worker", self.worker);
    visit("attempt", self.attempt);
    visit("canonical", self.canonical);
    visit("unix_millis", self.unix_millis);
  }
};

}  // namespace mmtune
