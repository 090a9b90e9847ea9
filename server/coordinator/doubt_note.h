// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A result that is not believed, as the tuning log keeps it for the next coordinator: a note about its worker.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "server/coordinator/result_trust.h"

namespace mmtune {

struct DoubtedClaim {
  std::string lease;  ///< The token of the attempt.
  Claim claim;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("lease", self.lease);
    visit("claim", self.claim);
  }
};

/// The claim's time is the note's.
WorkerNote ToNote(const DoubtedClaim& doubted);
/// InvalidArgument where somebody changed its text.
absl::StatusOr<DoubtedClaim> DoubtedClaimOf(const WorkerNote& note);

}  // namespace mmtune
