// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/watch/finding_log.h"

#include <algorithm>
#include <utility>

#include "kernels/runtime/simt/block/gpu_thread.h"

namespace mmtune::simt {
namespace {

struct Hint {
  std::string_view kind;
  std::string_view text;
};

constexpr Hint kHints[] = {
    {"race-raw", "a barrier between the write and the read"},
    {"race-war", "a barrier between the read and the write that reuses the memory, or one stage more"},
    {"race-waw", "one writer for each element, or a barrier between the writes"},
    {"uninitialized-read", "a write of these bytes, and a barrier after it, before the read"},
    {"async-race",
     "a wait for the asynchronous operation (cp.async.wait_group, mbarrier.try_wait, wgmma.wait_group) "
     "and a barrier before the access"},
    {"shared-out-of-bounds", "the index, and the size of the shared buffer"},
    {"global-out-of-bounds", "a predicate for the ragged edge, and the strides"},
    {"constant-write", "a variable that is no constant, or an argument, for what kernels write"},
    {"global-race",
     "one thread for each element, or atomics; a barrier within a block, a fence and an atomic between blocks"},
    {"barrier-divergence", "the barrier outside of the branch"},
    {"warp-divergence", "the operation where all lanes of its mask reach it"},
    {"deadlock", "the same barriers for every thread; arrival counts and byte counts that add up"},
};

std::string HintFor(std::string_view kind) {
  for (const Hint& hint : kHints) {
    if (hint.kind == kind) return std::string(hint.text);
  }
  return {};
}

}  // namespace

FindingLog::FindingLog(std::string kernel, const Site* sites, int limit)
    : kernel_(std::move(kernel)), sites_(sites), limit_(std::max(limit, 1)) {
  while (sites_ != nullptr && sites_[site_count_].operation != nullptr) ++site_count_;
}

Finding* FindingLog::Add(std::string_view kind, uint32_t site, uint32_t other_site) {
  auto [entry, is_new] = index_.try_emplace({std::string(kind), site, other_site}, findings_.size());
  if (!is_new) {
    if (entry->second < findings_.size()) ++findings_[entry->second].occurrences;
    return nullptr;
  }
  if (full()) {
    index_.erase(entry);
    return nullptr;
  }
  Finding& finding = findings_.emplace_back();
  finding.kind = std::string(kind);
  finding.kernel = kernel_;
  finding.hint = HintFor(kind);
  return &finding;
}

FindingParty FindingLog::Party(const GpuThread& thread, uint32_t site) const {
  FindingParty party;
  const bool known = site < site_count_;
  party.operation = known ? sites_[site].operation : "unknown";
  party.location = known ? sites_[site].location : "unknown";
  std::copy(thread.ctaid, thread.ctaid + 3, party.block);
  std::copy(thread.tid, thread.tid + 3, party.thread);
  party.warp = thread.warp;
  party.lane = thread.lane;
  return party;
}

FindingParty FindingLog::Party(uint64_t block, const uint32_t* grid, uint32_t thread, const uint32_t* shape,
                               uint32_t site) const {
  GpuThread gone;
  gone.ctaid[0] = static_cast<uint32_t>(block % grid[0]);
  gone.ctaid[1] = static_cast<uint32_t>(block / grid[0] % grid[1]);
  gone.ctaid[2] = static_cast<uint32_t>(block / grid[0] / grid[1]);
  gone.tid[0] = thread % shape[0];
  gone.tid[1] = thread / shape[0] % shape[1];
  gone.tid[2] = thread / shape[0] / shape[1];
  gone.warp = thread / kWarpSize;
  gone.lane = thread % kWarpSize;
  return Party(gone, site);
}

std::vector<Finding> FindingLog::Take() {
  index_.clear();
  return std::exchange(findings_, {});
}

}  // namespace mmtune::simt
