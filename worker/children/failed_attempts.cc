// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/failed_attempts.h"

#include <utility>

#include "worker/common/failure_text.h"

namespace mmtune {
namespace {

constexpr size_t kMostAttempts = 3;

bool IsOfDevice(const FailedAttempt& attempt) { return attempt.provenance == Provenance::kInfrastructure; }

bool SameWay(const FailedAttempt& a, const FailedAttempt& b) {
  return a.outcome == b.outcome && IsOfDevice(a) == IsOfDevice(b);
}

}  // namespace

void FailedAttempts::Add(FailedAttempt attempt) {
  attempt.message = OneLine(attempt.message);
  attempts_.push_back(std::move(attempt));
}

bool FailedAttempts::Settled() const {
  if (attempts_.empty()) return false;
  if (attempts_.size() >= kMostAttempts) return true;
  return attempts_.size() > 1 && SameWay(attempts_[attempts_.size() - 2], last());
}

std::vector<FailedAttempt> FailedAttempts::Judged(Outcome outcome) const {
  std::vector<FailedAttempt> judged = attempts_;
  for (FailedAttempt& attempt : judged) {
    if (attempt.outcome == outcome && !IsOfDevice(attempt)) attempt.provenance = Provenance::kCandidate;
  }
  return judged;
}

}  // namespace mmtune
