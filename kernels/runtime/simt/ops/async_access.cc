// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/ops/async_access.h"

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/ops/block_ops.h"
#include "kernels/runtime/simt/ops/misuse.h"

namespace mmtune::simt {

AsyncToken BeginProxyRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  Monitor* monitor = thread.block->monitor();
  if (auto write = thread.ops->proxy_writes().FindUnfenced(thread, shared, bytes)) {
    GpuThread& writer = *(&thread - thread.linear_tid + write->thread);
    monitor->ReportPair("async-race", thread, site, writer, write->site,
                        absl::StrCat("an asynchronous read of ", bytes, " bytes at ", SharedAddress(thread, shared),
                                     " may not see an ordinary write: no fence.proxy.async stands between"));
  }
  return monitor->BeginAsyncRead(thread, shared, bytes, site);
}

AsyncToken BeginProxyWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) {
  thread.ops->proxy_writes().Forget(thread, shared, bytes);
  return thread.block->monitor()->BeginAsyncWrite(thread, shared, bytes, site);
}

}  // namespace mmtune::simt
