// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/result_trust.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace mmtune {
namespace {

std::string Microseconds(double ns) { return absl::StrFormat("%.3g us", ns / 1000); }

}  // namespace

std::string TooGood(const TuningRecord& record, double others_ns) {
  const Measurement& measurement = record.measurement;
  if (measurement.outcome != Outcome::kOk || record.device.kind != DeviceKind::kCuda) return "";
  const double ns = measurement.timing.median_ns;
  if (others_ns <= 0 || ns * kFarApart >= others_ns) return "";
  return absl::StrCat(Microseconds(ns), " is ", absl::StrFormat("%.1f", others_ns / ns),
                      " times as fast as the best that other workers found, ", Microseconds(others_ns));
}

std::string Contradiction(const Claim& claim, const TuningRecord& second) {
  const Measurement& measurement = second.measurement;
  const double ns = measurement.timing.median_ns;
  const bool wrong = measurement.outcome == Outcome::kWrongResult;
  const bool far_slower = measurement.outcome == Outcome::kOk && (claim.impossible || ns > kFarApart * claim.median_ns);
  if (!wrong && !far_slower) return "";
  return absl::StrCat("it reported ", Microseconds(claim.median_ns), " for '", second.schedule.Text(), "' of ",
                      second.problem.Text(), "; worker ", second.worker, " found ",
                      wrong ? "a wrong result" : Microseconds(ns));
}

}  // namespace mmtune
