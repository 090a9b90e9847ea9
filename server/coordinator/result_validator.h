// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether a worker's result is believed. All functions are pure, and thread-safe. The rules that need only the
// record itself, such as the bounds of its device, are in proto/types/validate.h.
//
// A result is disputed if it is impossible for its device, or much faster than everything that others found. Its
// candidate is then measured again by a worker of another trust domain. A trust domain is a group of workers that do
// not check one another, because they have one certificate and host (TrustDomainName). A worker without a certificate
// is a trust domain of its own. A single contradiction does not show which of the two workers is wrong. A worker is
// quarantined (it gets no more work, and its results do not count) when two trust domains contradict it, or when one
// does and the bounds of its device do, too.
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

/// A time is disputed if it is this many times faster than all others. A time contradicts another if it is this many
/// times slower.
inline constexpr double kFarApart = 3;
/// A worker is quarantined when this many trust domains have contradicted it.
inline constexpr size_t kReportersToQuarantine = 2;
/// The time for which a contradiction counts against a worker.
inline constexpr Duration kFaultLifetime = std::chrono::hours(1);
/// After disputed results of this many trust domains, the candidate is not measured again: the next result ends it.
inline constexpr size_t kMaxDisputes = 2;

/// The part of a worker's result for a candidate that is compared with the results of other workers.
struct WorkerObservation {
  std::string worker;
  std::string trust_domain;  ///< The worker's trust domain. Its workers neither check nor corroborate one another.
  std::string class_key;     ///< The class of the device. Times on different classes are not compared.
  double median_ns = 0;      ///< The median time in nanoseconds; 0 if the kernel was not timed.
  int64_t unix_millis = 0;   ///< The time of the report, in Unix milliseconds.
  bool impossible = false;   ///< True if the device cannot be this fast.
  bool wrong = false;        ///< True if the kernel computed a wrong result.
  bool sound = false;        ///< True if the device was healthy and the timing ran to its end.

  bool operator==(const WorkerObservation&) const = default;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("worker", self.worker);
    visit("trust_domain", self.trust_domain);
    visit("class_key", self.class_key);
    visit("median_ns", self.median_ns);
    visit("impossible", self.impossible);
    visit("wrong", self.wrong);
    visit("sound", self.sound);
  }
};
/// Returns the part of a record that is compared with other results.
WorkerObservation MakeObservation(const TuningRecord& record, std::string trust_domain);
/// Returns the elements of `observations` that were made on this class of devices.
std::vector<WorkerObservation> ObservationsOn(std::string_view class_key, std::vector<WorkerObservation> observations);

/// The decision about a reported result.
enum class ResultDecision {
  kAccept,   ///< The record is stored, and ends the candidate.
  kRequeue,  ///< The record is stored as suspect and not canonical; another worker measures the candidate.
  kSuspect,  ///< The record is stored as suspect, so that it never ranks, and ends the candidate.
  kReject,   ///< The record is not stored. It counts as a failure of the worker.
};

/// A result as a worker reported it.
struct ReportedResult {
  const absl::StatusOr<TuningRecord>& record;  ///< An error if the report makes no sense.
  std::string trust_domain;                    ///< The trust domain of the worker.
};

/// The facts about a job against which its results are validated.
struct ResultRules {
  std::string class_key;      ///< The class of devices on which the job measures; empty if it is not known yet.
  std::string device_name;    ///< The name of such a device, for messages.
  bool may_skip = false;      ///< True if workers may skip schedules of the job that cannot win.
  double others_best_ns = 0;  ///< The best comparable time, in nanoseconds, of other trust domains; 0 if there is none.
};

/// The earlier facts about the candidate and the worker.
struct ResultHistory {
  const std::vector<WorkerObservation>& disputed;  ///< The disputed results for the candidate, oldest first.
  bool quarantined = false;                        ///< True if the worker is quarantined.
  /// Returns true if a worker outside of these trust domains could measure the candidate. Called at most once.
  absl::FunctionRef<bool(const std::vector<std::string>& trust_domains)> another_serves;
};

/// A decision, its reason, and the observations on which it is based.
struct Validation {
  ResultDecision decision = ResultDecision::kAccept;
  std::string reason;  ///< The reason for a decision other than kAccept.
  /// The earlier observations on this class of devices, then the new one. Empty if the result is rejected or its worker
  /// is quarantined.
  std::vector<WorkerObservation> observations;
};

/// Decides about a result. Each other trust domain has one vote, which is its last observation of the candidate.
/// Earlier observations of the worker's own trust domain are no votes.
Validation Validate(const ReportedResult& report, const ResultRules& rules, const ResultHistory& history);

/// Returns the message of a record of a quarantined worker.
std::string QuarantineReason(const Measurement& measurement);

/// True if the time of a measurement can be compared with those of other workers: its outcome is ok, its device was
/// healthy, and the timing ran to its end.
bool Comparable(const Measurement& measurement);
/// True if a record may be disputed for its speed: an ok record of a CUDA device. Times on the SIMT device depend on
/// the load of its host.
bool MayBeImplausiblyFast(const TuningRecord& record);

/// Returns the observations that contradict this one, because they are kFarApart times slower or found a wrong result.
/// Only sound observations contradict or are contradicted.
std::vector<WorkerObservation> ContradictionsOf(const WorkerObservation& observation,
                                                const std::vector<WorkerObservation>& all);
/// Returns a text with the time that a worker reported for the schedule of `record`, and with the results of the other
/// workers.
std::string WorkerFaultText(const WorkerObservation& observation, const std::vector<WorkerObservation>& all,
                            const TuningRecord& record);

/// Returns the trust domain of a worker. A worker with a certificate has an id of the form "NAME/..."; its trust domain
/// is "NAME at HOST", where HOST may be empty if it is not known. Any other worker is its own trust domain.
std::string TrustDomainName(std::string_view worker, std::string_view host);
/// True if two trust domains may be the same. An unknown host may be any host.
bool SameTrustDomain(std::string_view a, std::string_view b);
/// Returns the number of different trust domains. Those that may be the same count once.
size_t CountTrustDomains(const std::vector<std::string_view>& domains);

/// A worker that contradicted another.
struct FaultReporter {
  std::string worker;
  std::string trust_domain;
};
/// Returns the text of a reporter for a note in the log: "ID" or "ID at HOST".
std::string FaultReporterText(const FaultReporter& reporter);
/// Parses the text of FaultReporterText. Any other text is taken for the id of a worker that is its own trust domain.
FaultReporter ParseFaultReporter(std::string_view text);

/// A disputed result. The log keeps it in a note about its worker, so that it still counts after a restart.
struct DisputedResult {
  std::string lease;  ///< The token of the worker's lease.
  WorkerObservation observation;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("lease", self.lease);
    visit("observation", self.observation);
  }
};
/// Returns the note for the log. Its time is that of the observation.
WorkerNote ToNote(const DisputedResult& disputed);
/// Parses a note. Returns InvalidArgument if its text is not one of ToNote.
absl::StatusOr<DisputedResult> ParseDisputedResult(const WorkerNote& note);

/// Converts a wall-clock time, in Unix milliseconds, into a TimePoint of `clock`. A time in the future counts as now,
/// because the wall clock may have been set back.
TimePoint TimeOf(int64_t unix_millis, const Clock& clock);

}  // namespace mmtune
