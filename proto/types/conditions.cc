#include "proto/types/conditions.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

std::string_view ProvenanceName(Provenance provenance) {
  switch (provenance) {
    case Provenance::kCandidate:
      return "candidate";
    case Provenance::kWorker:
      return "worker";
    case Provenance::kPoisonedByPrevious:
      return "poisoned_by_previous";
    case Provenance::kInfrastructure:
      return "infrastructure";
  }
  return "infrastructure";
}

absl::StatusOr<Provenance> ParseProvenance(std::string_view name) {
  std::string known;
  for (Provenance provenance : kAllProvenances) {
    if (ProvenanceName(provenance) == name) return provenance;
    absl::StrAppend(&known, known.empty() ? "" : ", ", ToAbsl(ProvenanceName(provenance)));
  }
  return InvalidArgument(absl::StrCat("unknown provenance '", ToAbsl(name), "'; known: ", known));
}

}  // namespace mmtune
