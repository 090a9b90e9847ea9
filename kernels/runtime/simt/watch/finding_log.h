// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of a launch: each pair of program points once, up to a limit.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernels/runtime/simt/abi/abi.h"
#include "kernels/runtime/simt/watch/finding.h"

namespace mmtune::simt {

struct GpuThread;

class FindingLog {
 public:
  /// `sites` ends with an entry of zeros, and outlives the log.
  FindingLog(std::string kernel, const Site* sites, int limit);

  bool full() const { return static_cast<int>(findings_.size()) >= limit_; }

  /// The new finding of this kind at these program points, with kernel and hint filled in; null when there was one
  /// before (it is counted) or there is no more room.
  Finding* Add(std::string_view kind, uint32_t site, uint32_t other_site);

  /// `thread` of the running block at `site`.
  FindingParty Party(const GpuThread& thread, uint32_t site) const;
  /// A thread that is not there any more: of block `block` of `grid`-many, thread `thread` of a block of `shape`.
  FindingParty Party(uint64_t block, const uint32_t* grid, uint32_t thread, const uint32_t* shape, uint32_t site) const;

  std::vector<Finding> Take();

 private:
  const std::string kernel_;
  const Site* const sites_;
  uint32_t site_count_ = 0;
  const int limit_;
  std::vector<Finding> findings_;
  std::map<std::tuple<std::string, uint32_t, uint32_t>, size_t> index_;
};

}  // namespace mmtune::simt
