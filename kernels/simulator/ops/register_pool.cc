// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/register_pool.h"

#include <algorithm>
#include <cstdio>
#include <span>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/ops/block_ops.h"

namespace mmtune::simt {
namespace {

constexpr uint32_t kWarpgroupWarps = 4;

const char* OperationOf(bool is_increase) { return is_increase ? "setmaxnreg.inc" : "setmaxnreg.dec"; }

}  // namespace

void RegisterPool::Set(GpuThread& thread, uint32_t registers, bool is_increase, uint32_t at_entry, uint32_t site) {
  thread.site = site;
  Scheduler& scheduler = thread.runner->scheduler();
  const auto [entry, is_new] = warps_.try_emplace(thread.warp);
  Warp& warp = entry->second;
  if (is_new) warp.registers = at_entry;
  const size_t before = warp.values.size();
  const uint32_t warpgroup = thread.warp / kWarpgroupWarps;
  if (++warp.arrived < thread.runner->LanesOfWarp(thread.warp)) {
    std::snprintf(warp.waits.data(), warp.waits.size(), "the other lanes of its warp at %s %u of warpgroup %u",
                  OperationOf(is_increase), registers, warpgroup);
    while (warp.values.size() == before) scheduler.Sleep(&thread, &warp, site, warp.waits.data());
    return;
  }
  if (is_increase ? registers < warp.registers : registers > warp.registers) {
    thread.runner->monitor()->Report("misuse", thread, site,
                                     absl::StrCat(OperationOf(is_increase), " ", registers, " of warpgroup ", warpgroup,
                                                  ", whose threads have ", warp.registers,
                                                  is_increase ? " registers: an increase must not lower the number"
                                                              : " registers: a decrease must not raise the number"));
  }
  const int64_t needed = (int64_t{registers} - warp.registers) * thread.runner->LanesOfWarp(thread.warp);
  while (needed > 0 && needed > left_) {
    std::snprintf(warp.waits.data(), warp.waits.size(),
                  "%s %u of warpgroup %u: a warp needs %lld registers more, and the pool of the block has %lld",
                  OperationOf(is_increase), registers, warpgroup, static_cast<long long>(needed),
                  static_cast<long long>(left_));
    scheduler.Sleep(&thread, this, site, warp.waits.data());
  }
  left_ -= needed;
  warp.registers = registers;
  warp.arrived = 0;
  warp.site = site;
  warp.values.push_back(registers);
  scheduler.Wake(&warp);
  if (needed < 0) scheduler.Wake(this);
}

void RegisterPool::BlockExits(GpuThread& last) const {
  const ClusterRunner& runner = *last.runner;
  const auto values_of = [this](uint32_t warp) {
    const auto found = warps_.find(warp);
    return found == warps_.end() ? std::vector<uint32_t>() : found->second.values;
  };
  for (const auto& [number, warp] : warps_) {
    const uint32_t first = number / kWarpgroupWarps * kWarpgroupWarps;
    for (uint32_t other = first; other < std::min(first + kWarpgroupWarps, runner.warp_count()); ++other) {
      // Each pair once: the warp that has executed more, and one that has executed less or something else.
      const std::vector<uint32_t> theirs = values_of(other);
      if (theirs == warp.values || theirs.size() > warp.values.size()) continue;
      if (theirs.size() == warp.values.size() && other < number) continue;
      const std::span<GpuThread> threads = runner.ThreadsOf(last.cluster_rank);
      runner.monitor()->Report(
          "misuse", threads[number * kWarpSize], warp.site,
          absl::StrCat("the warps of warpgroup ", number / kWarpgroupWarps, " execute different setmaxnreg: warp ",
                       number, " ", absl::StrJoin(warp.values, ", "), ", and warp ", other, " ",
                       theirs.empty() ? "none" : absl::StrJoin(theirs, ", ")));
      break;
    }
  }
}

extern "C" {

void mmtune_simt_set_max_registers(ThreadContext* context, uint32_t registers, uint32_t is_increase, uint32_t at_entry,
                                   uint32_t site) {
  GpuThread& self = *ThreadOf(context);
  if (self.runner->monitor() == nullptr) return;
  self.ops->register_pool(self).Set(self, registers, is_increase != 0, at_entry, site);
}

}  // extern "C"
}  // namespace mmtune::simt
