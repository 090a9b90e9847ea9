// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/mbarrier.h"

#include <bit>
#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/ops/block_ops.h"

namespace mmtune::simt {
namespace {

constexpr int64_t kMaxTransactionBytes = (int64_t{1} << 20) - 1;

MbarrierWord Read(const void* barrier) {
  MbarrierWord word;
  std::memcpy(&word, barrier, sizeof(word));
  return word;
}

void Write(void* barrier, const MbarrierWord& word) { std::memcpy(barrier, &word, sizeof(word)); }

/// The object, which must be in use, as an operation of `thread` sees it.
MbarrierWord Use(GpuThread& thread, void* barrier, const char* operation, uint32_t site) {
  if (thread.block->monitor() != nullptr) thread.ops->Access(thread, barrier, 8, AccessKind::kAtomic, site);
  RequireMbarrier(thread, barrier, operation, site);
  return Read(barrier);
}

/// Writes the object, after the phase has completed if it can.
void Update(GpuThread& thread, void* barrier, MbarrierWord word) {
  const bool completes = word.pending == 0 && word.transaction_bytes == 0;
  if (completes) {
    word.pending = word.expected;
    word.phase ^= 1;
  }
  Write(barrier, word);
  if (!completes) return;
  if (thread.block->monitor() != nullptr) {
    MbarrierClocks* clocks = thread.ops->FindMbarrier(barrier);
    clocks->completed = clocks->arrived;
  }
  thread.block->scheduler().Wake(barrier);
}

void AddTransactionBytes(GpuThread& thread, void* barrier, MbarrierWord* word, int64_t bytes, uint32_t site) {
  const int64_t sum = word->transaction_bytes + bytes;
  if (sum > kMaxTransactionBytes || sum < -kMaxTransactionBytes) {
    FailOperation(thread, site,
                  absl::StrCat("the mbarrier at ", SharedAddress(thread, barrier), " would expect ", sum,
                               " bytes; the limit is ", kMaxTransactionBytes));
  }
  word->transaction_bytes = sum;
}

void TakeArrivals(GpuThread& thread, void* barrier, MbarrierWord* word, uint32_t count, uint32_t site) {
  if (word->pending < count) {
    FailOperation(thread, site,
                  absl::StrCat(count, " arrivals at the mbarrier at ", SharedAddress(thread, barrier),
                               ", whose phase waits for ", static_cast<uint32_t>(word->pending)));
  }
  word->pending -= count;
}

bool IsComplete(const MbarrierWord& word, uint64_t state, bool is_parity) {
  return word.phase != (is_parity ? state & 1 : std::bit_cast<MbarrierWord>(state).phase);
}

}  // namespace

void RequireMbarrier(GpuThread& thread, void* barrier, const char* operation, uint32_t site) {
  const bool known = thread.block->monitor() == nullptr || thread.ops->FindMbarrier(barrier) != nullptr;
  if (reinterpret_cast<uintptr_t>(barrier) % 8 == 0 && known && Read(barrier).tag == MbarrierWord::kValid) return;
  FailOperation(thread, site,
                absl::StrCat(operation, " of ", SharedAddress(thread, barrier),
                             ", where no mbarrier was initialised, or it was invalidated"));
}

void CompleteTransaction(GpuThread& issuer, void* barrier, uint32_t bytes, uint32_t site) {
  RequireMbarrier(issuer, barrier, "complete_tx", site);
  MbarrierWord word = Read(barrier);
  AddTransactionBytes(issuer, barrier, &word, -int64_t{bytes}, site);
  Update(issuer, barrier, word);
}

void ArriveAsynchronously(GpuThread& issuer, void* barrier, uint32_t count, uint32_t site) {
  RequireMbarrier(issuer, barrier, "an asynchronous arrival", site);
  MbarrierWord word = Read(barrier);
  TakeArrivals(issuer, barrier, &word, count, site);
  Update(issuer, barrier, word);
}

void AddPending(GpuThread& thread, void* barrier, uint32_t count, uint32_t site) {
  MbarrierWord word = Use(thread, barrier, "cp.async.mbarrier.arrive", site);
  if (word.pending + count > kMaxMbarrierCount) {
    FailOperation(thread, site,
                  absl::StrCat("the mbarrier at ", SharedAddress(thread, barrier), " would wait for more than ",
                               kMaxMbarrierCount, " arrivals"));
  }
  word.pending += count;
  Write(barrier, word);
}

SyncClock& ArrivedClock(GpuThread& thread, void* barrier, uint32_t site) {
  RequireMbarrier(thread, barrier, "an asynchronous arrival", site);
  return thread.ops->FindMbarrier(barrier)->arrived;
}

extern "C" {

void mmtune_simt_mbarrier_init(ThreadContext* context, void* barrier, uint32_t count, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  if (count == 0 || count > kMaxMbarrierCount) {
    FailOperation(self, site,
                  absl::StrCat("mbarrier.init with a count of ", count, "; it is 1 to ", kMaxMbarrierCount));
  }
  if (reinterpret_cast<uintptr_t>(barrier) % 8 != 0) {
    FailOperation(self, site, absl::StrCat("mbarrier.init of ", SharedAddress(self, barrier), ", not aligned to 8"));
  }
  if (Monitor* monitor = self.block->monitor()) {
    if (self.ops->FindMbarrier(barrier) != nullptr) {
      monitor->Report("misuse", self, site,
                      absl::StrCat("mbarrier.init of ", SharedAddress(self, barrier), ", an mbarrier in use"));
    }
    monitor->Access(self, barrier, 8, AccessKind::kWrite, site);
    self.ops->AddMbarrier(barrier, self);
  }
  MbarrierWord word = {};
  word.pending = word.expected = count;
  word.tag = MbarrierWord::kValid;
  Write(barrier, word);
}

void mmtune_simt_mbarrier_inval(ThreadContext* context, void* barrier, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  RequireMbarrier(self, barrier, "mbarrier.inval", site);
  if (Monitor* monitor = self.block->monitor()) {
    monitor->Access(self, barrier, 8, AccessKind::kWrite, site);
    self.ops->RemoveMbarrier(barrier);
  }
  Write(barrier, MbarrierWord{});
}

void mmtune_simt_mbarrier_expect_tx(ThreadContext* context, void* barrier, uint32_t bytes, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  MbarrierWord word = Use(self, barrier, "mbarrier.expect_tx", site);
  AddTransactionBytes(self, barrier, &word, bytes, site);
  Write(barrier, word);
}

void mmtune_simt_mbarrier_complete_tx(ThreadContext* context, void* barrier, uint32_t bytes, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  Use(self, barrier, "mbarrier.complete_tx", site);
  CompleteTransaction(self, barrier, bytes, site);
}

uint64_t mmtune_simt_mbarrier_arrive(ThreadContext* context, void* barrier, uint32_t count, uint32_t bytes,
                                     uint32_t drop, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  MbarrierWord word = Use(self, barrier, "mbarrier.arrive", site);
  const auto before = std::bit_cast<uint64_t>(word);
  if (Monitor* monitor = self.block->monitor()) {
    monitor->Release(self, self.ops->FindMbarrier(barrier)->arrived);
  }
  AddTransactionBytes(self, barrier, &word, bytes, site);
  TakeArrivals(self, barrier, &word, count, site);
  if (drop != 0) word.expected -= count;
  Update(self, barrier, word);
  return before;
}

uint32_t mmtune_simt_mbarrier_test(ThreadContext* context, void* barrier, uint64_t state, uint32_t is_parity,
                                   uint32_t blocking, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  const char* operation = blocking != 0 ? "mbarrier.try_wait" : "mbarrier.test_wait";
  MbarrierWord word = Use(self, barrier, operation, site);
  if (!IsComplete(word, state, is_parity != 0)) {
    char what[80];
    std::snprintf(what, sizeof(what), "the phase of parity %u of the mbarrier at shared+0x%zx",
                  static_cast<unsigned>(word.phase), static_cast<size_t>(static_cast<char*>(barrier) - self.shared));
    do {
      if (blocking != 0) {
        self.block->scheduler().Sleep(&self, barrier, site, what);
      } else {
        self.block->scheduler().Yield(&self, site);
      }
      RequireMbarrier(self, barrier, operation, site);
      word = Read(barrier);
    } while (blocking != 0 && !IsComplete(word, state, is_parity != 0));
  }
  if (!IsComplete(word, state, is_parity != 0)) return 0;
  if (Monitor* monitor = self.block->monitor()) {
    MbarrierClocks* clocks = self.ops->FindMbarrier(barrier);
    clocks->waited_for = nullptr;
    monitor->Acquire(self, clocks->completed);
  }
  return 1;
}

}  // extern "C"
}  // namespace mmtune::simt
