// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of the race detector, and the log of those of one launch.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernels/simulator/block/scheduler.h"

namespace mmtune::simt {

/// A thread of a launch at a program point.
struct FindingParty {
  std::string operation;  ///< Site::operation.
  std::string location;
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  uint32_t warp = 0;
  uint32_t lane = 0;
  std::string state;  ///< For a deadlock: "waits at barrier 0", "has exited"; else empty.

  bool operator==(const FindingParty&) const = default;
};

/// A race or misuse.
struct Finding {
  /// "race-raw", "race-war", "race-waw", "uninitialized-read", "async-race", "shared-out-of-bounds",
  /// "global-out-of-bounds", "global-race", "constant-write", "barrier-divergence", "warp-divergence", "deadlock",
  /// "misuse".
  std::string kind;
  std::string kernel;
  std::string what;     ///< One line: the first party's operation and the rule that it breaks.
  std::string address;  ///< "shared+0x1a40", "global: 64 bytes into an allocation of 4096"; empty when there is none.
  /// The threads involved, the one at fault first: two for a race; for a deadlock, one of each group that waits at one
  /// program point.
  std::vector<FindingParty> parties;
  std::vector<uint32_t> party_counts;  ///< For a deadlock: the size of the group of parties[i].
  uint64_t occurrences = 1;            ///< In this launch, at the same program points.
  std::string hint;                    ///< The usual fix.

  bool operator==(const Finding&) const = default;
};

/// True for two unordered accesses; false for misuse by one thread and for deadlocks.
bool IsRace(const Finding& finding);

/// Returns several lines in the style of compiler diagnostics, without a final line break.
std::string FindingText(const Finding& finding);
/// Returns a JSON array.
std::string FindingsJson(const std::vector<Finding>& findings);

/// Keeps the findings of a launch, up to a limit: one for each kind and pair of program points. Not thread-safe.
class FindingLog {
 public:
  /// `sites` ends with an entry of zeros, and outlives the log.
  FindingLog(std::string kernel, const Site* sites, int limit);

  bool full() const { return static_cast<int>(findings_.size()) >= limit_; }

  /// Adds a finding by `thread` at `site`, with kernel, hint and that party filled in. Null if there is one with the
  /// same program points already, which is counted, or if the log is full.
  Finding* Add(std::string_view kind, const GpuThread& thread, uint32_t site, uint32_t other_site = 0);

  /// Describes `thread`, of the running block, at `site`.
  FindingParty Party(const GpuThread& thread, uint32_t site) const;
  /// Describes thread `thread` of a block that may have ended; `grid` and `shape` are the extents of grid and block.
  FindingParty Party(uint64_t block, const uint32_t* grid, uint32_t thread, const uint32_t* shape, uint32_t site) const;

  /// Adds the finding that no thread of a block can continue: "warp-divergence" if a lane waits for lanes that never
  /// arrive, else "deadlock".
  void AddDeadlock(std::span<GpuThread> threads);

  std::vector<Finding> Take();

 private:
  /// Like Add(), without a party.
  Finding* AddBare(std::string_view kind, uint32_t site, uint32_t other_site);

  const std::string kernel_;
  const Site* const sites_;
  uint32_t site_count_ = 0;
  const int limit_;
  std::vector<Finding> findings_;
  std::map<std::tuple<std::string, uint32_t, uint32_t>, size_t> index_;
};

}  // namespace mmtune::simt
