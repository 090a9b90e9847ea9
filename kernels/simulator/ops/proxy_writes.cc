// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/proxy_writes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/block.h"
#include "kernels/simulator/ops/block_ops.h"

namespace mmtune::simt {
namespace {

constexpr size_t kUnitBytes = 16;

struct Units {
  size_t begin;
  size_t end;
};

/// None for other memory than shared.
Units UnitsOf(const GpuThread& thread, const void* address, size_t bytes) {
  const auto offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(thread.shared);
  if (offset >= kArenaAlignment) return {0, 0};
  const size_t end = std::min<size_t>(offset + bytes, kArenaAlignment);
  return {offset / kUnitBytes, (end + kUnitBytes - 1) / kUnitBytes};
}

}  // namespace

void ProxyWrites::Reset(uint32_t threads) {
  threads_ = threads;
  time_ = 0;
  fences_.clear();
  units_.clear();
}

void ProxyWrites::AddWrite(const GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  const Units units = UnitsOf(thread, shared, bytes);
  if (units_.size() < units.end) units_.resize(units.end);
  if (fences_.empty()) fences_.resize(threads_);
  const Write write = {++time_, thread.linear_tid, site};
  std::fill(units_.begin() + static_cast<std::ptrdiff_t>(units.begin),
            units_.begin() + static_cast<std::ptrdiff_t>(units.end), write);
}

void ProxyWrites::AddFence(const GpuThread& thread) {
  if (fences_.empty()) fences_.resize(threads_);
  fences_[thread.linear_tid] = ++time_;
}

void ProxyWrites::Forget(const GpuThread& thread, const void* shared, size_t bytes) {
  const Units units = UnitsOf(thread, shared, bytes);
  for (size_t i = units.begin; i < std::min(units.end, units_.size()); ++i) units_[i] = {};
}

std::optional<ProxyWrites::Write> ProxyWrites::FindUnfenced(const GpuThread& thread, const void* shared,
                                                            size_t bytes) const {
  const Units units = UnitsOf(thread, shared, bytes);
  for (size_t i = units.begin; i < std::min(units.end, units_.size()); ++i) {
    const Write& write = units_[i];
    if (write.time > fences_[write.thread] && write.time > fences_[thread.linear_tid]) return write;
  }
  return std::nullopt;
}

AsyncToken BeginProxyRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  Monitor* monitor = thread.block->monitor();
  if (auto write = thread.ops->proxy_writes().FindUnfenced(thread, shared, bytes)) {
    GpuThread& writer = *(&thread - thread.linear_tid + write->thread);
    monitor->Report("async-race", thread, site,
                    absl::StrCat("an asynchronous read of ", bytes, " bytes at ", SharedAddress(thread, shared),
                                 " may not see an ordinary write: no fence.proxy.async stands between"),
                    &writer, write->site);
  }
  return monitor->BeginAsyncRead(thread, shared, bytes, site);
}

AsyncToken BeginProxyWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  thread.ops->proxy_writes().Forget(thread, shared, bytes);
  return thread.block->monitor()->BeginAsyncWrite(thread, shared, bytes, site);
}

}  // namespace mmtune::simt
