// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watched launches: ordinary writes of shared memory that asynchronous reads (bulk stores, wgmma) may not see, because
// no fence.proxy.async stands between. The thread that wrote has to execute it after the write, or the one that issues
// the read after it knows of the write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/simulator/block/gpu_thread.h"

namespace mmtune::simt {

/// Of a block.
class ProxyWrites {
 public:
  struct Write {
    uint64_t time = 0;  ///< 0: none, or not by an ordinary write. Counts writes and fences of the block.
    uint32_t thread = 0;
    uint32_t site = 0;
  };

  void Reset(uint32_t threads);
  void AddWrite(const GpuThread& thread, const void* shared, size_t bytes, uint32_t site);
  void AddFence(const GpuThread& thread);
  /// An asynchronous write replaces what was there.
  void Forget(const GpuThread& thread, const void* shared, size_t bytes);
  /// An ordinary write that an asynchronous read which `thread` issues now may not see.
  std::optional<Write> FindUnfenced(const GpuThread& thread, const void* shared, size_t bytes) const;

 private:
  uint32_t threads_ = 0;
  uint64_t time_ = 0;
  std::vector<uint64_t> fences_;  ///< By thread: the time of its last one; empty until one is needed.
  std::vector<Write> units_;      ///< By 16 bytes of shared memory.
};

// How asynchronous copies and tensor cores tell the monitor, which there is, what they access.

/// A read of shared memory through the asynchronous proxy begins. Also a finding when it may not see an ordinary write.
AsyncToken BeginProxyRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site);
/// A write through it.
AsyncToken BeginProxyWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site);

}  // namespace mmtune::simt
