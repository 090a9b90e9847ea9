// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/result_validator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "proto/types/field_json.h"

namespace mmtune {
namespace {

constexpr std::string_view kAtHost = " at ";
constexpr int kNoteDepth = 2;  // the nesting of the JSON in a note

std::string Microseconds(double ns) { return absl::StrFormat("%.3g us", ns / 1000); }

bool IsSound(const Measurement& measurement) {
  return measurement.conditions.health.finding.empty() && measurement.conditions.ended != kEndedSlower;
}

bool Contradicts(const WorkerObservation& second, const WorkerObservation& first) {
  if (!first.sound || !second.sound || first.wrong || first.worker == second.worker) return false;
  return second.wrong || second.median_ns > kFarApart * first.median_ns;
}

bool Corroborates(const WorkerObservation& a, const WorkerObservation& b) {
  if (a.median_ns <= 0 || b.median_ns <= 0) return false;
  return a.median_ns <= kFarApart * b.median_ns && b.median_ns <= kFarApart * a.median_ns;
}

bool FromOneDomain(const WorkerObservation& a, const WorkerObservation& b) {
  return a.worker == b.worker || SameTrustDomain(a.trust_domain, b.trust_domain);
}

/// Returns the reason why the result cannot belong to this job, or an empty text.
std::string ReasonToReject(const ReportedResult& report, const ResultRules& rules, const ResultHistory& history) {
  if (!report.record.ok()) return std::string(report.record.status().message());
  const TuningRecord& record = *report.record;
  const bool skipped = !history.quarantined && record.measurement.outcome == Outcome::kSkipped;
  std::string reason;
  if (!rules.class_key.empty() && record.device.ClassKey() != rules.class_key) {
    reason = absl::StrCat("measured on ", record.device.name, ", not on ", rules.device_name);
  } else if (skipped && (!rules.may_skip || !history.disputed.empty())) {
    reason = "the worker skipped the schedule, which had to be timed";
  } else if (skipped && record.measurement.timing.low_ns <= 0) {
    reason = absl::StrCat("the lower bound of a skipped schedule must be a positive time, got ",
                          record.measurement.timing.low_ns, " ns");
  }
  return reason;
}

/// Returns the reason why the result is hard to believe whatever others found for the candidate, or an empty text.
std::string ReasonToDoubt(const TuningRecord& record, double others_best_ns) {
  std::string reason;
  const double ns = record.measurement.timing.median_ns;
  if (record.measurement.outcome == Outcome::kSuspect) {
    reason = record.measurement.message;
  } else if (MayBeImplausiblyFast(record) && others_best_ns > 0 && ns * kFarApart < others_best_ns) {
    reason = absl::StrCat(Microseconds(ns), " is ", absl::StrFormat("%.1f", others_best_ns / ns),
                          " times as fast as the best that other workers found, ", Microseconds(others_best_ns));
  }
  return reason;
}

}  // namespace

Validation Validate(const ReportedResult& report, const ResultRules& rules, const ResultHistory& history) {
  if (std::string why = ReasonToReject(report, rules, history); !why.empty()) {
    return {ResultDecision::kReject, std::move(why), {}};
  }
  const TuningRecord& record = *report.record;
  if (history.quarantined) {
    return {ResultDecision::kRequeue, QuarantineReason(record.measurement), {}};
  }
  const WorkerObservation now = MakeObservation(record, report.trust_domain);
  Validation result{ResultDecision::kAccept, ReasonToDoubt(record, rules.others_best_ns),
                    ObservationsOn(now.class_key, history.disputed)};
  std::vector<WorkerObservation> votes;  // one for each other trust domain
  std::vector<std::string_view> others;
  std::vector<std::string> asked = {now.trust_domain};
  for (const WorkerObservation& earlier : result.observations) {
    asked.push_back(earlier.trust_domain);
    if (FromOneDomain(earlier, now)) continue;
    std::erase_if(votes, [&](const WorkerObservation& vote) { return FromOneDomain(vote, earlier); });
    votes.push_back(earlier);
    others.push_back(earlier.trust_domain);
  }
  const bool is_first = result.observations.empty();
  const bool own_again = others.size() < result.observations.size();
  // A time from a trust domain with an earlier disputed result always needs corroboration.
  const bool doubtful = now.impossible || !result.reason.empty() || (own_again && now.median_ns > 0);
  size_t agree = 0, slower = 0, faster = 0;
  for (const WorkerObservation& vote : votes) {
    agree += Corroborates(vote, now);
    slower += Contradicts(vote, now);
    faster += Contradicts(now, vote) && !vote.impossible;  // the bound contradicts an impossible one already
  }
  if (result.reason.empty()) result.reason = "no other worker confirms what it found for this schedule";
  const bool disputed = agree == 0 && (doubtful || slower > 0 || faster > 0);
  const bool may_ask = own_again || CountTrustDomains(others) < kMaxDisputes;
  if (disputed && may_ask && history.another_serves(asked)) {
    result.decision = ResultDecision::kRequeue;
  } else if (!is_first && (slower > agree || (doubtful && agree == 0))) {  // the first has nobody to be compared with
    result.decision = ResultDecision::kSuspect;
  }
  result.observations.push_back(now);
  return result;
}

std::string QuarantineReason(const Measurement& measurement) {
  return absl::StrCat("its worker is in quarantine; ", measurement.message);
}

WorkerObservation MakeObservation(const TuningRecord& record, std::string trust_domain) {
  const Measurement& measurement = record.measurement;
  const Outcome outcome = measurement.outcome;
  const bool timed = outcome == Outcome::kOk || outcome == Outcome::kSuspect;
  return {.worker = record.worker,
          .trust_domain = std::move(trust_domain),
          .class_key = record.device.ClassKey(),
          .median_ns = timed ? measurement.timing.median_ns : 0,
          .unix_millis = record.unix_millis,
          .impossible = outcome == Outcome::kSuspect,
          .wrong = outcome == Outcome::kWrongResult,
          .sound = (timed || outcome == Outcome::kWrongResult) && IsSound(measurement)};
}

std::vector<WorkerObservation> ObservationsOn(std::string_view class_key, std::vector<WorkerObservation> observations) {
  std::erase_if(observations, [&](const WorkerObservation& each) { return each.class_key != class_key; });
  return observations;
}

bool Comparable(const Measurement& measurement) { return measurement.outcome == Outcome::kOk && IsSound(measurement); }

bool MayBeImplausiblyFast(const TuningRecord& record) {
  return record.measurement.outcome == Outcome::kOk && record.device.kind == DeviceKind::kCuda;
}

std::vector<WorkerObservation> ContradictionsOf(const WorkerObservation& observation,
                                                const std::vector<WorkerObservation>& all) {
  std::vector<WorkerObservation> contradictions;
  for (const WorkerObservation& other : all) {
    if (Contradicts(other, observation)) contradictions.push_back(other);
  }
  return contradictions;
}

std::string WorkerFaultText(const WorkerObservation& observation, const std::vector<WorkerObservation>& all,
                            const TuningRecord& record) {
  std::string text = absl::StrCat("it reported ", Microseconds(observation.median_ns), " for '", record.schedule.Text(),
                                  "' of ", record.problem.Text());
  for (const WorkerObservation& other : ContradictionsOf(observation, all)) {
    absl::StrAppend(&text, "; worker ", other.worker, " found ",
                    other.wrong ? "a wrong result" : Microseconds(other.median_ns));
  }
  return text;
}

std::string TrustDomainName(std::string_view worker, std::string_view host) {
  const size_t name_ends = worker.find('/');
  if (name_ends == std::string_view::npos) return std::string(worker);
  return absl::StrCat(ToAbsl(worker.substr(0, name_ends)), ToAbsl(kAtHost), ToAbsl(host));
}

bool SameTrustDomain(std::string_view a, std::string_view b) {
  return a == b || (a.ends_with(kAtHost) && b.starts_with(a)) || (b.ends_with(kAtHost) && a.starts_with(b));
}

size_t CountTrustDomains(const std::vector<std::string_view>& domains) {
  size_t count = 0;
  for (auto at = domains.begin(); at != domains.end(); ++at) {
    // A domain with an unknown host counts only if no other domain has its name.
    const bool counted =
        std::any_of(domains.begin(), at, [&](std::string_view other) { return other == *at; }) ||
        (at->ends_with(kAtHost) && std::any_of(domains.begin(), domains.end(), [&](std::string_view other) {
           return other != *at && SameTrustDomain(other, *at);
         }));
    if (!counted) ++count;
  }
  return count;
}

std::string FaultReporterText(const FaultReporter& reporter) {
  const size_t name_ends = reporter.worker.find('/');
  if (name_ends == std::string::npos) return reporter.worker;
  return absl::StrCat(reporter.worker, reporter.trust_domain.substr(std::min(name_ends, reporter.trust_domain.size())));
}

FaultReporter ParseFaultReporter(std::string_view text) {
  const size_t worker_ends = text.rfind(kAtHost);
  if (worker_ends == std::string_view::npos || text.find('/') > worker_ends)
    return {std::string(text), std::string(text)};
  const std::string_view worker = text.substr(0, worker_ends);
  return {std::string(worker), TrustDomainName(worker, text.substr(worker_ends + kAtHost.size()))};
}

WorkerNote ToNote(const DisputedResult& disputed) {
  const WorkerObservation& observation = disputed.observation;
  return {WorkerNoteKind::kDisputed, observation.worker, Dump(ToJson(disputed)), observation.unix_millis};
}

absl::StatusOr<DisputedResult> ParseDisputedResult(const WorkerNote& note) {
  ASSIGN_OR_RETURN(DisputedResult disputed, ValueFromJson<DisputedResult>(note.about, kNoteDepth));
  disputed.observation.unix_millis = note.unix_millis;
  return disputed;
}

TimePoint TimeOf(int64_t unix_millis, const Clock& clock) {
  const int64_t now = clock.UnixMillis();
  return clock.Now() - std::chrono::milliseconds(now - std::clamp<int64_t>(unix_millis, 0, now));
}

}  // namespace mmtune
