// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/conditions.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/compilation.h"
#include "proto/types/fields.h"

namespace mmtune {
namespace {

constexpr Named<Provenance> kProvenances[] = {{Provenance::kCandidate, "candidate"},
                                              {Provenance::kWorker, "worker"},
                                              {Provenance::kPoisonedByPrevious, "poisoned_by_previous"},
                                              {Provenance::kInfrastructure, "infrastructure"}};

constexpr size_t kMaxProcesses = 1000;
/// The ratio of a process is the median of many ratios; it differs from the ratio of its medians by less than this
/// factor.
constexpr double kMaxApart = 4;

bool IsPositive(double value) { return std::isfinite(value) && value > 0; }

bool ArePositive(const std::vector<double>& values) {
  return values.size() <= kMaxProcesses && std::all_of(values.begin(), values.end(), IsPositive);
}

}  // namespace

std::string_view ProvenanceName(Provenance provenance) { return NameIn(kProvenances, provenance, "infrastructure"); }
absl::StatusOr<Provenance> ParseProvenance(std::string_view name) { return ValueIn(kProvenances, name, "provenance"); }

Spread::Spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  median = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  least = values.front();
  most = values.back();
}

absl::Status Comparison::Validate() const {
  if (!IsPositive(low) || !(low <= ratio && ratio <= high) || !std::isfinite(high)) {
    return InvalidArgument(absl::StrCat("comparison.ratio must be positive and inside its interval, got ", ratio,
                                        " and ", low, " to ", high));
  }
  if (!ArePositive(ratios)) return InvalidArgument("comparison.ratios must all be finite and above 0");
  if (!ArePositive(medians_ns) || !ArePositive(reference_medians_ns)) {
    return InvalidArgument("comparison.medians_ns and reference_medians_ns must all be finite and above 0");
  }
  return absl::OkStatus();
}

absl::Status Comparison::CheckConsistency() const {
  if (ratios.empty() || medians_ns.size() != ratios.size() || reference_medians_ns.size() != ratios.size()) {
    return InvalidArgument(absl::StrCat("comparison must have a ratio and two medians for each process, got ",
                                        ratios.size(), " ratios, ", medians_ns.size(), " medians_ns and ",
                                        reference_medians_ns.size(), " reference_medians_ns"));
  }
  const Spread spread(ratios);
  if (!spread.IsMedian(ratio)) {
    return InvalidArgument(
        absl::StrCat("comparison.ratio is ", ratio, ", but the median of its ratios is ", spread.median));
  }
  if (!spread.Contains(low, high)) {
    return InvalidArgument(absl::StrCat("comparison.low and high must lie within comparison.ratios, ", spread.least,
                                        " to ", spread.most, ", got ", low, " to ", high));
  }
  for (size_t i = 0; i < ratios.size(); ++i) {
    const double apart = ratios[i] / (medians_ns[i] / reference_medians_ns[i]);
    if (apart <= kMaxApart && apart >= 1 / kMaxApart) continue;
    return InvalidArgument(absl::StrCat("comparison.ratios[", i, "] is ", ratios[i],
                                        ", which does not fit the medians ", medians_ns[i], " and ",
                                        reference_medians_ns[i], " ns"));
  }
  return absl::OkStatus();
}

absl::Status Baseline::Validate() const {
  if (name.empty()) return absl::OkStatus();
  if (!IsPositive(median_ns) || !IsPositive(low_ns) || !IsPositive(high_ns)) {
    return InvalidArgument(absl::StrCat("the times of baseline ", name, " must be finite and above 0, got median_ns ",
                                        median_ns, ", low_ns ", low_ns, " and high_ns ", high_ns));
  }
  if (!std::isfinite(drift)) return InvalidArgument(absl::StrCat("baseline.drift is ", drift, "; it must be finite"));
  return absl::OkStatus();
}

absl::Status Baseline::CheckConsistency() const {
  if (name.empty()) {
    if (median_ns == 0 && low_ns == 0 && high_ns == 0 && drift == 0) return absl::OkStatus();
    return InvalidArgument("baseline has a time, but no library");
  }
  if (!reason.empty())
    return InvalidArgument(absl::StrCat("baseline.reason says why there is no library, but baseline.library is '", name,
                                        "'; one of them must be empty"));
  if (drift <= -1) return InvalidArgument(absl::StrCat("baseline.drift is ", drift, "; it must be above -1"));
  if (low_ns <= median_ns && median_ns <= high_ns) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("baseline.median_ns is ", median_ns, ", which is not inside its interval ",
                                      low_ns, " to ", high_ns));
}

absl::Status HealthReport::CheckConsistency() const {
  absl::Status status;
  for (const HealthSample* sample : {&before, &after}) {
    HealthSample::Fields(*sample, [&](std::string_view field, const auto& value) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, int64_t>) {
        status.Update(CheckAtLeast(absl::StrCat("health.", ToAbsl(field)), value, -1));
      }
    });
  }
  return status;
}

absl::Status Conditions::Validate() const {
  RETURN_IF_ERROR(WithContext(baseline.Validate(), "conditions"));
  return comparison ? WithContext(comparison->Validate(), "conditions") : absl::OkStatus();
}

absl::Status Conditions::CheckConsistency() const {
  if (!(precision >= 0 && precision < 1)) {  // NaN fails, too
    return InvalidArgument(absl::StrCat("conditions.precision must be 0 (unknown) or less than 1, got ", precision));
  }
  if (!std::isfinite(budget_seconds) || budget_seconds < 0) {
    return InvalidArgument(absl::StrCat("conditions.budget_seconds must be 0 (unknown) or more, got ", budget_seconds));
  }
  if (!ended.empty() && ended != kEndedPrecise && ended != kEndedBudget && ended != kEndedSamples &&
      ended != kEndedSlower) {
    return InvalidArgument(absl::StrCat("conditions.ended must be '", ToAbsl(kEndedPrecise), "', '",
                                        ToAbsl(kEndedBudget), "', '", ToAbsl(kEndedSamples), "' or '",
                                        ToAbsl(kEndedSlower), "', got '", ended, "'"));
  }
  for (const FailedAttempt& attempt : failed_attempts) {
    if (attempt.outcome == Outcome::kOk)
      return InvalidArgument("conditions.failed_attempts must not have the outcome 'ok'");
  }
  RETURN_IF_ERROR(WithContext(health.CheckConsistency(), "conditions"));
  RETURN_IF_ERROR(WithContext(baseline.CheckConsistency(), "conditions"));
  return comparison ? WithContext(comparison->CheckConsistency(), "conditions") : absl::OkStatus();
}

bool Conditions::SufficeFor(const MeasureOptions& wanted) const {
  if (ended == kEndedPrecise) return precision <= 0 || precision <= wanted.precision;
  if (ended == kEndedBudget) return budget_seconds <= 0 || budget_seconds >= wanted.budget_seconds;
  return true;
}

}  // namespace mmtune
