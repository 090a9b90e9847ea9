// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/ops/warp_barrier.h"

#include <array>
#include <bit>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/block/block.h"

namespace mmtune::simt {

uint32_t WarpMembers(GpuThread* thread, uint32_t mask, const char* what) {
  const uint32_t lanes = thread->block->LanesOfWarp(thread->warp);
  const uint32_t members = lanes == kWarpSize ? mask : mask & ((1u << lanes) - 1);
  if ((members >> thread->lane & 1) == 0) {
    thread->block->Fail(thread,
                        absl::StrCat(what, " of mask 0x", absl::Hex(mask), " without its own lane ", thread->lane));
  }
  return members;
}

void WarpBarrier(GpuThread* thread, uint32_t mask, uint32_t site) {
  thread->site = site;
  const uint32_t members = WarpMembers(thread, mask, "warp barrier");
  Block& block = *thread->block;
  Scheduler& scheduler = block.scheduler();
  std::array<GpuThread*, kWarpSize> met;
  uint32_t arrived = 0;
  GpuThread* warp = block.warp(thread->warp);
  for (uint32_t lane = 0; lane < block.LanesOfWarp(thread->warp); ++lane) {
    GpuThread& other = warp[lane];
    if (other.state == GpuThread::State::kAtWarpBarrier && other.waits_for == members) met[arrived++] = &other;
  }
  if (static_cast<int>(arrived) + 1 < std::popcount(members)) {
    thread->state = GpuThread::State::kAtWarpBarrier;
    thread->waits_for = members;
    scheduler.RunNext(thread);
    return;
  }
  for (uint32_t i = 0; i < arrived; ++i) scheduler.MakeReady(met[i]);
  scheduler.NoteProgress();
  if (Monitor* monitor = block.monitor()) {
    met[arrived++] = thread;
    monitor->Meet({met.data(), arrived});
  }
  scheduler.GiveWay(thread);
}

}  // namespace mmtune::simt

extern "C" void mmtune_simt_barrier_warp(mmtune::simt::ThreadContext* context, uint32_t mask, uint32_t site) {
  mmtune::simt::WarpBarrier(mmtune::simt::ThreadOf(context), mask, site);
}
