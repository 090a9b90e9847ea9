// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of the race detector (data races, misuse, deadlocks), their text for people, and the log that collects
// the findings of a launch.
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

/// A thread that is involved in a finding, at a program point.
struct FindingThread {
  /// The operation that it executes: "ld.shared.f32" of PTX, "llvm.load" of MLIR.
  std::string operation = "unknown";
  std::string location;  ///< The source location; "unknown" if the compiled object has none.
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  uint32_t warp = 0;
  uint32_t lane = 0;
  std::string state;  ///< In a deadlock: "waits at barrier 0", "has exited"; else empty.
  /// In a deadlock: the warps of the threads that wait at the same point as this one, then their roles if the kernel
  /// names them, then, in a cluster, their block: "warps 0 to 3, 8", "warps 4 to 7 (consumer 1) of block (1,0,0)".
  /// Otherwise empty.
  std::string warps;

  bool operator==(const FindingThread&) const = default;
};

/// A race, a misuse or a deadlock.
struct Finding {
  /// One of "race-raw", "race-war", "race-waw", "uninitialized-read", "async-race", "shared-out-of-bounds",
  /// "global-out-of-bounds", "misaligned", "global-race", "constant-write", "barrier-divergence", "warp-divergence",
  /// "deadlock", "cluster-lifetime", "missed-phase", "wgmma-registers", "misuse".
  std::string kind;
  std::string kernel;
  std::string what;  ///< One line: what the first thread does, and the rule that it breaks.
  /// For example "shared+0x1a40" or "global: 64 bytes into an allocation of 4096"; empty if there is none.
  std::string address;
  /// The threads involved, the one at fault first: two for a race. For a deadlock, one of each group of threads that
  /// waits at the same program point.
  std::vector<FindingThread> parties;
  std::vector<uint32_t> party_counts;  ///< For a deadlock: the size of each of these groups; otherwise empty.
  uint64_t occurrences = 1;            ///< The number of times it happened in this launch at the same program points.
  std::string hint;                    ///< The usual way to fix it; empty if there is none.

  bool operator==(const Finding&) const = default;
};

/// True if the finding is two accesses that nothing orders; false for misuse by one thread and for deadlocks.
bool IsRace(const Finding& finding);

/// True if the findings are of one kind, in one kernel, by operations at the same program points.
bool AreAtSamePoints(const Finding& one, const Finding& other);

/// Formats a finding as several lines in the style of compiler diagnostics, without a newline at the end.
std::string FindingText(const Finding& finding);
/// Returns the findings as a JSON array.
std::string FindingsJson(const std::vector<Finding>& findings);

/// Collects the findings of a launch, up to a limit: one for each kind and pair of program points. Not thread-safe.
class FindingLog {
 public:
  /// `sites` is the compiled object's table of program points (abi/abi.h), ending with an entry of zeros; it must
  /// outlive the log. `limit` is the most findings to keep.
  FindingLog(std::string kernel, const Site* sites, int limit);

  /// True if the limit is reached.
  bool full() const { return static_cast<int>(findings_.size()) >= limit_; }

  /// Adds a finding by `thread` at `site`, fills in its kernel, its hint and the thread as the first party, and returns
  /// it. If the log has a finding of this kind at these program points already, increments the `occurrences` of that
  /// finding and returns null. Also returns null if the log is full. `other_site` is the program point of the other
  /// access, and 0 if there is none. It only tells findings apart: the caller adds the second party.
  Finding* Add(std::string_view kind, const GpuThread& thread, uint32_t site, uint32_t other_site = 0);

  /// Describes `thread`, which belongs to the running block, at `site`.
  FindingThread DescribeThread(const GpuThread& thread, uint32_t site) const;
  /// Describes a thread of a block that may have ended. `block` is the block's index in the grid, and `shape` are the
  /// extents of a block.
  FindingThread DescribeThread(const uint32_t* block, uint32_t thread, const uint32_t* shape, uint32_t site) const;

  /// Adds a finding for a block that cannot continue: "warp-divergence" if a lane waits for lanes that never arrive,
  /// else "deadlock".
  void AddDeadlock(std::span<GpuThread> threads);

  /// Returns the findings and empties the log.
  std::vector<Finding> Take();

 private:
  /// Does what Add() does, without adding a party.
  Finding* AddBare(std::string_view kind, uint32_t site, uint32_t other_site);

  const std::string kernel_;
  const Site* const sites_;
  uint32_t site_count_ = 0;
  const int limit_;
  std::vector<Finding> findings_;
  std::map<std::tuple<std::string, uint32_t, uint32_t>, size_t> index_;
};

}  // namespace mmtune::simt
