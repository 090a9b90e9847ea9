// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/result_trust.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace mmtune {
namespace {

std::string Microseconds(double ns) { return absl::StrFormat("%.3g us", ns / 1000); }

bool Sound(const Measurement& measurement) {
  return measurement.conditions.health.finding.empty() && measurement.conditions.ended != kEndedSlower;
}

bool Contradicts(const Claim& second, const Claim& first) {
  if (!first.sound || !second.sound || first.wrong || first.worker == second.worker) return false;
  return second.wrong || second.median_ns > kFarApart * first.median_ns;
}

bool Agree(const Claim& a, const Claim& b) {
  if (a.party == b.party || a.median_ns <= 0 || b.median_ns <= 0) return false;
  return a.median_ns <= kFarApart * b.median_ns && b.median_ns <= kFarApart * a.median_ns;
}

}  // namespace

Claim ClaimOf(const TuningRecord& record, std::string party) {
  const Measurement& measurement = record.measurement;
  const Outcome outcome = measurement.outcome;
  const bool timed = outcome == Outcome::kOk || outcome == Outcome::kSuspect;
  return {.worker = record.worker,
          .party = std::move(party),
          .median_ns = timed ? measurement.timing.median_ns : 0,
          .impossible = outcome == Outcome::kSuspect,
          .wrong = outcome == Outcome::kWrongResult,
          .sound = (timed || outcome == Outcome::kWrongResult) && Sound(measurement)};
}

bool Comparable(const Measurement& measurement) { return measurement.outcome == Outcome::kOk && Sound(measurement); }

std::string TooGood(const TuningRecord& record, double others_ns) {
  const Measurement& measurement = record.measurement;
  if (measurement.outcome != Outcome::kOk || record.device.kind != DeviceKind::kCuda) return "";
  const double ns = measurement.timing.median_ns;
  if (others_ns <= 0 || ns * kFarApart >= others_ns) return "";
  return absl::StrCat(Microseconds(ns), " is ", absl::StrFormat("%.1f", others_ns / ns),
                      " times as fast as the best that other workers found, ", Microseconds(others_ns));
}

Belief Weigh(const std::vector<Claim>& earlier, const Claim& now, bool doubtful,
             absl::FunctionRef<bool()> another_serves) {
  size_t others = 0, agree = 0, slower = 0, faster = 0;
  for (const Claim& claim : earlier) {
    if (claim.worker == now.worker) continue;
    ++others;
    agree += Agree(claim, now);
    slower += Contradicts(claim, now);
    faster += Contradicts(now, claim) && !claim.impossible;  // against one that is, the bound is the second witness
  }
  const bool own_again = others < earlier.size();
  const bool disputed = agree == 0 && (doubtful || slower > 0 || faster > 0);
  if (disputed && (own_again || earlier.size() < kMostClaims) && another_serves()) return Belief::kAskAnother;
  if (earlier.empty()) return Belief::kBelieved;  // there is nobody to ask
  return slower > agree || (doubtful && agree == 0) ? Belief::kSuspect : Belief::kBelieved;
}

std::vector<std::string> AccusersOf(const Claim& claim, const std::vector<Claim>& all) {
  std::vector<std::string> accusers;
  for (const Claim& other : all) {
    if (Contradicts(other, claim)) accusers.push_back(other.party);
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
