// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is found in a watched launch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mmtune::simt {

/// A thread of a launch at a program point.
struct FindingParty {
  std::string operation;  ///< As Site has it.
  std::string location;
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  uint32_t warp = 0;
  uint32_t lane = 0;
  std::string state;  ///< Of a deadlock: "waits at barrier 0", "has exited"; else empty.

  bool operator==(const FindingParty&) const = default;
};

struct Finding {
  /// "race-raw", "race-war", "race-waw", "uninitialized-read", "async-race", "shared-out-of-bounds",
  /// "global-out-of-bounds", "global-race", "constant-write", "barrier-divergence", "warp-divergence", "deadlock",
  /// "misuse".
  std::string kind;
  std::string kernel;
  std::string what;     ///< A line: what the first party did, to which address, against which rule.
  std::string address;  ///< "shared+0x1a40", "global: 64 bytes into an allocation of 4096"; empty when there is none.
  /// The one at fault first; a race has two, a deadlock one of each group that waits at one point.
  std::vector<FindingParty> parties;
  std::vector<uint32_t> party_counts;  ///< Of a deadlock: how many threads wait like parties[i].
  uint64_t occurrences = 1;            ///< In the launch, at the same program points.
  std::string hint;                    ///< What usually mends it.

  bool operator==(const Finding&) const = default;
};

/// Whether it is of two accesses that nothing orders, and not of one that is wrong by itself, nor of a deadlock.
bool IsRace(const Finding& finding);

/// Several lines, as a compiler's diagnostics look; ends without a line break.
std::string FindingText(const Finding& finding);
/// A JSON array.
std::string FindingsJson(const std::vector<Finding>& findings);

}  // namespace mmtune::simt
