#include "kernels/runtime/simt/runtime_calls.h"

#include <cstdint>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/abi.h"
#include "kernels/runtime/simt/block_runner.h"
#include "kernels/runtime/simt/float_calls.h"

using mmtune::simt::GpuThread;
using mmtune::simt::ThreadContext;

namespace {

GpuThread* Self(ThreadContext* context) { return static_cast<GpuThread*>(context); }

[[gnu::noinline, gnu::cold]] void CopyInPart(GpuThread* self, char* shared, const char* global, uint32_t bytes,
                                             uint32_t source_bytes) {
  if (bytes != 4 && bytes != 8 && bytes != 16) {
    self->runner->Fail(self, absl::StrCat("cp.async of ", bytes, " bytes; it copies 4, 8 or 16"));
  }
  if (source_bytes > bytes) {
    self->runner->Fail(self, absl::StrCat("cp.async reads ", source_bytes, " bytes to write ", bytes));
  }
  std::memcpy(shared, global, source_bytes);
  std::memset(shared + source_bytes, 0, bytes - source_bytes);
}

bool Aligned(const void* pointer, uint32_t bytes) { return reinterpret_cast<uintptr_t>(pointer) % bytes == 0; }

}  // namespace

extern "C" {

void mmtune_simt_barrier(ThreadContext* context, uint32_t id, uint32_t threads) {
  Self(context)->runner->Barrier(Self(context), id, threads);
}

void mmtune_simt_barrier_warp(ThreadContext* context, uint32_t mask) {
  Self(context)->runner->WarpBarrier(Self(context), mask);
}

// The device is eager: a copy lands when it is issued, so that commit and wait have nothing left to do.
void mmtune_simt_cp_async(ThreadContext* context, void* shared, const void* global, uint32_t bytes,
                          uint32_t source_bytes) {
  GpuThread* self = Self(context);
  if (bytes == 16 && source_bytes == 16 && Aligned(shared, 16) && Aligned(global, 16)) {
    std::memcpy(shared, global, 16);
    return;
  }
  if (bytes != 0 && (!Aligned(shared, bytes) || (source_bytes != 0 && !Aligned(global, bytes)))) {
    self->runner->Fail(self, absl::StrCat("cp.async of ", bytes, " bytes from 0x",
                                          absl::Hex(reinterpret_cast<uintptr_t>(global)), " to shared offset ",
                                          static_cast<char*>(shared) - self->shared, ", which is not aligned to it"));
  }
  CopyInPart(self, static_cast<char*>(shared), static_cast<const char*>(global), bytes, source_bytes);
}

void mmtune_simt_cp_async_commit(ThreadContext*) {}
void mmtune_simt_cp_async_wait(ThreadContext*, uint32_t) {}
void mmtune_simt_cp_async_wait_all(ThreadContext*) {}

}  // extern "C"

namespace mmtune::simt {

std::vector<std::pair<std::string, void*>> RuntimeSymbols() {
  std::vector<std::pair<std::string, void*>> symbols = {
      {"mmtune_simt_barrier", reinterpret_cast<void*>(&mmtune_simt_barrier)},
      {"mmtune_simt_barrier_warp", reinterpret_cast<void*>(&mmtune_simt_barrier_warp)},
      {"mmtune_simt_cp_async", reinterpret_cast<void*>(&mmtune_simt_cp_async)},
      {"mmtune_simt_cp_async_commit", reinterpret_cast<void*>(&mmtune_simt_cp_async_commit)},
      {"mmtune_simt_cp_async_wait", reinterpret_cast<void*>(&mmtune_simt_cp_async_wait)},
      {"mmtune_simt_cp_async_wait_all", reinterpret_cast<void*>(&mmtune_simt_cp_async_wait_all)},
  };
  for (auto& symbol : FloatSymbols()) symbols.push_back(std::move(symbol));
  return symbols;
}

}  // namespace mmtune::simt
