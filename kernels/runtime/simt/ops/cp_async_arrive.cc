// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async.mbarrier.arrive: the thread's cp.async copies so far arrive at an mbarrier when they are done. Who waits for
// it knows of the copies, and of what the thread did before each of them.
#include "kernels/runtime/simt/block/block.h"
#include "kernels/runtime/simt/ops/mbarrier.h"

namespace mmtune::simt {
namespace {

void FinishCopiesInto(GpuThread& thread, uint64_t end, void* barrier, uint32_t site) {
  while (thread.copies.finished() < end) {
    AsyncCopy copy = thread.copies.oldest();
    thread.copies.PopOldest();
    copy.Land();
    if (Monitor* monitor = thread.block->monitor()) {
      monitor->EndAsyncWrite(copy.token, /*by_issuer=*/false, &ArrivedClock(thread, barrier, site));
    }
  }
}

}  // namespace
}  // namespace mmtune::simt

using namespace mmtune::simt;

extern "C" void mmtune_simt_cp_async_mbarrier_arrive(ThreadContext* context, void* barrier, uint32_t no_increment,
                                                     uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  self.site = site;
  AddPending(self, barrier, no_increment != 0 ? 0 : 1, site);
  const uint64_t end = self.copies.issued();
  auto arrive = [&self, end, barrier, site] {
    FinishCopiesInto(self, end, barrier, site);
    ArriveAsynchronously(self, barrier, 1, site);
  };
  self.block->scheduler().PostAsync(arrive, &self);
}
