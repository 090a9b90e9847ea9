// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of a launch: each pair of program points once, up to a limit.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernels/simulator/block/gpu_thread.h"
#include "kernels/simulator/watch/finding.h"

namespace mmtune::simt {

class FindingLog {
 public:
  /// `sites` ends with an entry of zeros, and outlives the log.
  FindingLog(std::string kernel, const Site* sites, int limit);

  bool full() const { return static_cast<int>(findings_.size()) >= limit_; }

  /// The new finding of this kind, by `thread` at `site`, with kernel, hint and that party filled in; null when there
  /// was one at these two program points before (it is counted) or there is no more room.
  Finding* Add(std::string_view kind, const GpuThread& thread, uint32_t site, uint32_t other_site = 0);

  /// `thread` of the running block at `site`.
  FindingParty Party(const GpuThread& thread, uint32_t site) const;
  /// Thread `thread` of block `block`, which may have ended; `grid` and `shape` are the extents of grid and block.
  FindingParty Party(uint64_t block, const uint32_t* grid, uint32_t thread, const uint32_t* shape, uint32_t site) const;

  /// Adds a finding of `threads`, those of a block in which none can go on: "deadlock", or "warp-divergence" where a
  /// lane waits for lanes that never come.
  void AddDeadlock(std::span<GpuThread> threads);

  std::vector<Finding> Take();

 private:
  /// As Add, without a party.
  Finding* AddBare(std::string_view kind, uint32_t site, uint32_t other_site);

  const std::string kernel_;
  const Site* const sites_;
  uint32_t site_count_ = 0;
  const int limit_;
  std::vector<Finding> findings_;
  std::map<std::tuple<std::string, uint32_t, uint32_t>, size_t> index_;
};

}  // namespace mmtune::simt
