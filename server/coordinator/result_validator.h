// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether a worker's result is believed. Everything here is a pure function of its arguments; the rules for one
// record alone are in proto/types/validate.h.
//
// A result that is impossible for its device, or much faster than everything others found, is disputed: the candidate
// is measured again by a worker of another trust domain. One contradiction verifies nothing, because the second device
// may be the broken one. A worker is quarantined when two trust domains contradict it, or one and its device's bound.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "proto/base/clock.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// A time this many times faster than all others is disputed; one this many times slower contradicts the faster one.
inline constexpr double kFarApart = 3;
/// The number of trust domains whose contradictions quarantine a worker.
inline constexpr size_t kReportersToQuarantine = 2;
/// A contradiction counts against a worker for this long.
inline constexpr Duration kFaultLifetime = std::chrono::hours(1);
/// The number of trust domains whose results for a candidate may be disputed before one has to count.
inline constexpr size_t kMaxDisputes = 2;

/// The part of a worker's result for a candidate that is compared with the results of other workers.
struct WorkerObservation {
  std::string worker;
  std::string trust_domain;  ///< Workers of one trust domain neither check nor corroborate one another.
  std::string class_key;     ///< The class of the device; times on different classes are not compared.
  double median_ns = 0;      ///< 0: it was not timed.
  int64_t unix_millis = 0;   ///< When it was reported.
  bool impossible = false;   ///< The device cannot be this fast.
  bool wrong = false;        ///< The kernel computed a wrong result.
  bool sound = false;        ///< The device was healthy and the timing ran to its end.

  bool operator==(const WorkerObservation&) const = default;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("worker", self.worker);
    visit("party", self.trust_domain);
    visit("class_key", self.class_key);
    visit("median_ns", self.median_ns);
    visit("impossible", self.impossible);
    visit("wrong", self.wrong);
    visit("sound", self.sound);
  }
};
WorkerObservation MakeObservation(const TuningRecord& record, std::string trust_domain);
/// Returns the observations made on this class of devices.
std::vector<WorkerObservation> ObservationsOn(std::string_view class_key, std::vector<WorkerObservation> observations);

/// The fate of a reported result.
enum class ResultDecision {
  kAccept,   ///< Its record is stored, and ends the candidate.
  kRequeue,  ///< It is stored as suspect and not canonical; another worker measures the candidate.
  kSuspect,  ///< It is stored as suspect and ends the candidate; it never ranks.
  kReject,   ///< It is a failure of the worker, and is not stored.
};

struct ReportedResult {
  absl::StatusOr<TuningRecord> record;  ///< An error says why the report makes no sense.
  std::string trust_domain;             ///< The trust domain of the worker.
};

/// The facts about a job that its results are validated against.
struct ResultRules {
  std::string class_key;      ///< The class of devices that the job measures on; empty: not known yet.
  std::string device_name;    ///< The name of such a device, for messages.
  bool may_skip = false;      ///< Its workers may skip schedules that cannot win.
  double others_best_ns = 0;  ///< The best comparable time that other trust domains found for the job; 0: none.
};

/// Earlier facts about the candidate and the worker.
struct ResultHistory {
  const std::vector<WorkerObservation>& disputed;  ///< Earlier results for the candidate that were disputed.
  bool quarantined = false;                        ///< The worker is quarantined.
  /// True if a worker outside of these trust domains could measure the candidate. Called only if it matters.
  absl::FunctionRef<bool(const std::vector<std::string>& trust_domains)> another_serves;
};

struct Validation {
  ResultDecision decision = ResultDecision::kAccept;
  std::string reason;  ///< Why it is not accepted.
  /// The earlier observations on this class of devices, then this one. Empty if it is rejected or counts for nothing.
  std::vector<WorkerObservation> observations;
};

/// Decides about a result. Earlier observations of the same trust domain do not count as votes; every other trust
/// domain has one vote, its last observation.
Validation Validate(const ReportedResult& report, const ResultRules& rules, const ResultHistory& history);

/// True if the time in a record can be compared with those of other workers: it is ok, its device was healthy, and the
/// timing ran to its end.
bool Comparable(const Measurement& measurement);
/// True if a record can be implausibly fast at all: an ok record of a CUDA device. Times on the SIMT device depend on
/// the load of its host, and are never disputed for their speed.
bool MayBeImplausiblyFast(const TuningRecord& record);

/// Returns the observations that contradict this one: they are kFarApart times slower, or found a wrong result.
/// Observations that are not sound neither contradict nor are contradicted.
std::vector<WorkerObservation> ContradictionsOf(const WorkerObservation& observation,
                                                const std::vector<WorkerObservation>& all);
/// Says what a worker reported for the schedule of `record`, and what others found.
std::string WorkerFaultText(const WorkerObservation& observation, const std::vector<WorkerObservation>& all,
                            const TuningRecord& record);

/// Returns the trust domain of a worker: "NAME at HOST" for the worker NAME/..., whose certificate has that name (HOST
/// is empty if it is not known), and the id of any other worker.
std::string TrustDomainName(std::string_view worker, std::string_view host);
/// True if two trust domains may be the same: an unknown host may be any host.
bool SameTrustDomain(std::string_view a, std::string_view b);
/// Returns the number of different trust domains; those that may be the same count once.
size_t CountTrustDomains(const std::vector<std::string_view>& domains);

/// A worker that contradicted another, as a note in the log names it: "ID" or "ID at HOST".
struct FaultReporter {
  std::string worker;
  std::string trust_domain;
};
std::string FaultReporterText(const FaultReporter& reporter);
/// Any other text is taken as the id of a worker that is its own trust domain.
FaultReporter ParseFaultReporter(std::string_view text);

/// A disputed result, as the log keeps it in a note about its worker for the next coordinator.
struct DisputedResult {
  std::string lease;  ///< The token of the attempt.
  WorkerObservation observation;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("lease", self.lease);
    visit("claim", self.observation);
  }
};
/// The time of the note is that of the observation.
WorkerNote ToNote(const DisputedResult& disputed);
/// Returns InvalidArgument if the text of the note was changed.
absl::StatusOr<DisputedResult> ParseDisputedResult(const WorkerNote& note);

/// Converts a wall-clock time of the log into a TimePoint of `clock`: only the wall clock continues while no
/// coordinator runs. A time in the future, as after the clock was set back, counts as now.
TimePoint TimeOf(int64_t unix_millis, const Clock& clock);

}  // namespace mmtune
