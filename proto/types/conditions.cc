// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/conditions.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/names.h"

namespace mmtune {
namespace {

constexpr Named<Provenance> kProvenances[] = {{Provenance::kCandidate, "candidate"},
                                              {Provenance::kWorker, "worker"},
                                              {Provenance::kPoisonedByPrevious, "poisoned_by_previous"},
                                              {Provenance::kInfrastructure, "infrastructure"}};

constexpr size_t kMostProcesses = 1000;

bool IsPositive(double value) { return std::isfinite(value) && value > 0; }

bool ArePositive(const std::vector<double>& values) {
  return values.size() <= kMostProcesses && std::all_of(values.begin(), values.end(), IsPositive);
}

}  // namespace

std::string_view ProvenanceName(Provenance provenance) { return NameIn(kProvenances, provenance, "infrastructure"); }
absl::StatusOr<Provenance> ParseProvenance(std::string_view name) { return ValueIn(kProvenances, name, "provenance"); }

absl::Status Comparison::Validate() const {
  if (!IsPositive(low) || !(low <= ratio && ratio <= high) || !std::isfinite(high)) {
    return InvalidArgument(
        absl::StrCat("comparison: ", ratio, " between ", low, " and ", high, " is no ratio in its interval"));
  }
  if (!ArePositive(ratios)) return InvalidArgument("comparison.ratios: not all are ratios");
  if (!ArePositive(medians_ns) || !ArePositive(rival_medians_ns)) {
    return InvalidArgument("comparison.medians_ns: not all are times");
  }
  return absl::OkStatus();
}

absl::Status Baseline::Validate() const {
  if (name.empty()) return absl::OkStatus();
  if (!IsPositive(median_ns) || !IsPositive(low_ns) || !IsPositive(high_ns)) {
    return InvalidArgument(absl::StrCat("baseline: ", median_ns, " ns is no time of ", name));
  }
  if (!std::isfinite(drift)) return InvalidArgument("baseline.drift is not finite");
  return absl::OkStatus();
}

absl::Status Conditions::Validate() const {
  RETURN_IF_ERROR(WithContext(baseline.Validate(), "conditions"));
  return comparison ? WithContext(comparison->Validate(), "conditions") : absl::OkStatus();
}

bool Conditions::SufficeFor(const MeasureOptions& wanted) const {
  if (ended == kEndedPrecise) return precision <= 0 || precision <= wanted.precision;
  if (ended == kEndedBudget) return budget_seconds <= 0 || budget_seconds >= wanted.budget_seconds;
  return true;
}

}  // namespace mmtune
