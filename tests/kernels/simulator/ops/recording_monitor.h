// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A monitor that remembers what it was told, and has an opinion on nothing.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/block/monitor.h"

namespace mmtune::simt {

/// Clocks count the releases of each thread.
class RecordingMonitor : public Monitor {
 public:
  std::vector<std::string> accesses;  ///< "thread kind offset+bytes", of shared memory.
  std::vector<std::string> reports;   ///< "kind: what".
  std::vector<std::string> async;     ///< "write 0 at 1024+64", "end write 0", …
  std::vector<SyncClock> acquired;    ///< In the order of Acquire().

  void BeginBlock(ClusterRunner&) override {}
  bool IsOver() const override { return false; }
  void Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t) override {
    const auto offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(thread.shared);
    const char* const name = kind == AccessKind::kRead ? "read" : kind == AccessKind::kWrite ? "write" : "atomic";
    const std::string place = offset < kArenaAlignment ? absl::StrCat(offset) : "global";
    accesses.push_back(absl::StrCat(thread.linear_tid, " ", name, " ", place, "+", bytes));
  }
  void AccessMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site) override {
    Access(thread, address, bytes, AccessKind::kAtomic, site);
  }
  void SharedBegins(GpuThread&, const void*) override {}
  void Synchronize(std::span<GpuThread* const>) override {}
  void Fence(GpuThread&) override {}
  void Release(GpuThread& thread, SyncClock& clock) override {
    clock.clocks.resize(std::max<size_t>(clock.clocks.size(), thread.linear_tid + 1));
    ++clock.clocks[thread.linear_tid];
  }
  void Acquire(GpuThread&, const SyncClock& clock) override { acquired.push_back(clock); }
  AsyncToken BeginAsyncWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t) override {
    return Begin("write", thread, shared, bytes);
  }
  void EndAsyncWrite(AsyncToken token, bool by_issuer, SyncClock* clock) override {
    async.push_back(absl::StrCat("end write ", token, by_issuer ? " by issuer" : ""));
    if (clock != nullptr) clock->clocks.resize(std::max<size_t>(clock->clocks.size(), 1));
  }
  AsyncToken BeginAsyncRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t) override {
    return Begin("read", thread, shared, bytes);
  }
  void EndAsyncRead(AsyncToken token, GpuThread&) override { async.push_back(absl::StrCat("end read ", token)); }
  void Report(std::string_view kind, GpuThread&, uint32_t, std::string_view what, const GpuThread*, uint32_t) override {
    reports.push_back(std::string(kind) + ": " + std::string(what));
  }
  void Deadlock(std::span<GpuThread>) override {}

 private:
  AsyncToken Begin(const char* what, const GpuThread& thread, const void* shared, size_t bytes) {
    const auto offset = static_cast<const char*>(shared) - thread.shared;
    async.push_back(absl::StrCat(what, " ", next_token_, " at ", offset, "+", bytes));
    return next_token_++;
  }

  AsyncToken next_token_ = 0;
};

}  // namespace mmtune::simt
