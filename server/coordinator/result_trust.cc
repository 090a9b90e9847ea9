// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/result_trust.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr std::string_view kAtHost = " at ";

std::string Microseconds(double ns) { return absl::StrFormat("%.3g us", ns / 1000); }

bool Sound(const Measurement& measurement) {
  return measurement.conditions.health.finding.empty() && measurement.conditions.ended != kEndedSlower;
}

bool Contradicts(const Claim& second, const Claim& first) {
  if (!first.sound || !second.sound || first.wrong || first.worker == second.worker) return false;
  return second.wrong || second.median_ns > kFarApart * first.median_ns;
}

bool Agree(const Claim& a, const Claim& b) {
  if (a.median_ns <= 0 || b.median_ns <= 0) return false;
  return a.median_ns <= kFarApart * b.median_ns && b.median_ns <= kFarApart * a.median_ns;
}

}  // namespace

std::string PartyText(std::string_view worker, std::string_view host) {
  const size_t name_ends = worker.find('/');
  if (name_ends == std::string_view::npos) return std::string(worker);
  return absl::StrCat(ToAbsl(worker.substr(0, name_ends)), ToAbsl(kAtHost), ToAbsl(host));
}

bool SameParty(std::string_view a, std::string_view b) {
  return a == b || (a.ends_with(kAtHost) && b.starts_with(a)) || (b.ends_with(kAtHost) && a.starts_with(b));
}

std::string WitnessText(const Witness& witness) {
  const size_t name_ends = witness.worker.find('/');
  if (name_ends == std::string::npos) return witness.worker;
  return absl::StrCat(witness.worker, witness.party.substr(std::min(name_ends, witness.party.size())));
}

Witness ParseWitness(std::string_view text) {
  const size_t worker_ends = text.rfind(kAtHost);
  if (worker_ends == std::string_view::npos || text.find('/') > worker_ends)
    return {std::string(text), std::string(text)};
  const std::string_view worker = text.substr(0, worker_ends);
  return {std::string(worker), PartyText(worker, text.substr(worker_ends + kAtHost.size()))};
}

size_t CountParties(const std::vector<std::string_view>& parties) {
  size_t count = 0;
  for (auto at = parties.begin(); at != parties.end(); ++at) {
    // One of which only the name is known is counted where no other has that name.
    const bool elsewhere =
        std::any_of(parties.begin(), at, [&](std::string_view other) { return other == *at; }) ||
        (at->ends_with(kAtHost) && std::any_of(parties.begin(), parties.end(), [&](std::string_view other) {
           return other != *at && SameParty(other, *at);
         }));
    if (!elsewhere) ++count;
  }
  return count;
}

Claim ClaimOf(const TuningRecord& record, std::string party) {
  const Measurement& measurement = record.measurement;
  const Outcome outcome = measurement.outcome;
  const bool timed = outcome == Outcome::kOk || outcome == Outcome::kSuspect;
  return {.worker = record.worker,
          .party = std::move(party),
          .class_key = record.device.ClassKey(),
          .median_ns = timed ? measurement.timing.median_ns : 0,
          .unix_millis = record.unix_millis,
          .impossible = outcome == Outcome::kSuspect,
          .wrong = outcome == Outcome::kWrongResult,
          .sound = (timed || outcome == Outcome::kWrongResult) && Sound(measurement)};
}

std::vector<Claim> ClaimsOn(std::string_view class_key, std::vector<Claim> claims) {
  std::erase_if(claims, [&](const Claim& claim) { return claim.class_key != class_key; });
  return claims;
}

TimePoint TimeOf(int64_t unix_millis, const Clock& clock) {
  const int64_t now = clock.UnixMillis();
  return clock.Now() - std::chrono::milliseconds(now - std::clamp<int64_t>(unix_millis, 0, now));
}

bool Comparable(const Measurement& measurement) { return measurement.outcome == Outcome::kOk && Sound(measurement); }

bool MayBeTooGood(const TuningRecord& record) {
  return record.measurement.outcome == Outcome::kOk && record.device.kind == DeviceKind::kCuda;
}

std::string TooGood(const TuningRecord& record, double others_ns) {
  if (!MayBeTooGood(record)) return "";
  const double ns = record.measurement.timing.median_ns;
  if (others_ns <= 0 || ns * kFarApart >= others_ns) return "";
  return absl::StrCat(Microseconds(ns), " is ", absl::StrFormat("%.1f", others_ns / ns),
                      " times as fast as the best that other workers found, ", Microseconds(others_ns));
}

Belief Weigh(const std::vector<Claim>& earlier, const Claim& now, bool doubtful,
             absl::FunctionRef<bool()> another_serves) {
  const auto of_one_party = [](const Claim& a, const Claim& b) {
    return a.worker == b.worker || SameParty(a.party, b.party);
  };
  std::vector<const Claim*> votes;  // one a party
  std::vector<std::string_view> others;
  for (const Claim& claim : earlier) {
    if (of_one_party(claim, now)) continue;
    std::erase_if(votes, [&](const Claim* vote) { return of_one_party(*vote, claim); });
    votes.push_back(&claim);
    others.push_back(claim.party);
  }
  const bool own_again = others.size() < earlier.size();
  doubtful |= own_again && now.median_ns > 0;
  size_t agree = 0, slower = 0, faster = 0;
  for (const Claim* claim : votes) {
    agree += Agree(*claim, now);
    slower += Contradicts(*claim, now);
    faster += Contradicts(now, *claim) && !claim->impossible;  // against one that is, the bound is the second witness
  }
  const bool disputed = agree == 0 && (doubtful || slower > 0 || faster > 0);
  if (disputed && (own_again || CountParties(others) < kMostClaims) && another_serves()) return Belief::kAskAnother;
  if (earlier.empty()) return Belief::kBelieved;  // there is nobody to ask
  return slower > agree || (doubtful && agree == 0) ? Belief::kSuspect : Belief::kBelieved;
}

std::vector<Claim> AccusersOf(const Claim& claim, const std::vector<Claim>& all) {
  std::vector<Claim> accusers;
  for (const Claim& other : all) {
    if (Contradicts(other, claim)) accusers.push_back(other);
  }
  return accusers;
}

std::string AccusationText(const Claim& claim, const std::vector<Claim>& all, const TuningRecord& record) {
  std::string text = absl::StrCat("it reported ", Microseconds(claim.median_ns), " for '", record.schedule.Text(),
                                  "' of ", record.problem.Text());
  for (const Claim& other : all) {
    if (!Contradicts(other, claim)) continue;
    absl::StrAppend(&text, "; worker ", other.worker, " found ",
                    other.wrong ? "a wrong result" : Microseconds(other.median_ns));
  }
  return text;
}

}  // namespace mmtune
