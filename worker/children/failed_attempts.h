// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What went wrong on the way to one measurement, and who is to blame.
#pragma once

#include <string>
#include <vector>

#include "proto/types/conditions.h"

namespace mmtune {

/// The failed attempts at one candidate, in order; all but the first are made in fresh children. Not thread-safe.
class FailedAttempts {
 public:
  /// What an attempt is put down to as long as it does not happen again; kInfrastructure is the device's word and
  /// stays.
  static Provenance UnlessRepeated(bool seasoned) {
    return seasoned ? Provenance::kPoisonedByPrevious : Provenance::kWorker;
  }

  void Add(FailedAttempt attempt);
  bool empty() const { return attempts_.empty(); }
  /// No further attempt: two in a row ended the same way, or it was the third.
  bool Settled() const;
  /// The device failed, not the candidate: once settled, nobody is convicted.
  bool OfDevice() const { return last().provenance == Provenance::kInfrastructure; }
  const FailedAttempt& last() const { return attempts_.back(); }
  /// Under the verdict `outcome`: what ended in the same way is the candidate's doing.
  std::vector<FailedAttempt> Judged(Outcome outcome) const;

 private:
  std::vector<FailedAttempt> attempts_;
};

}  // namespace mmtune
