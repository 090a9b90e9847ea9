// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/mbarriers.h"

#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/simulator/block/cluster_runner.h"
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

/// Reads the object for an operation of `thread`. Fails unless it is in use.
MbarrierWord Use(GpuThread& thread, void* barrier, const char* operation, uint32_t site) {
  if (thread.runner->monitor() != nullptr) thread.ops->Access(thread, barrier, 8, AccessKind::kAtomic, site);
  RequireMbarrier(thread, barrier, operation, site);
  return Read(barrier);
}

/// Completes the phase if nothing is pending, and writes the object.
void Update(GpuThread& thread, void* barrier, MbarrierWord word) {
  const bool completes = word.pending == 0 && word.transaction_bytes == 0;
  if (completes) {
    word.pending = word.expected;
    word.phase ^= 1;
  }
  Write(barrier, word);
  if (!completes) return;
  if (thread.runner->monitor() != nullptr) {
    MbarrierClocks* clocks = thread.ops->FindMbarrier(barrier);
    clocks->before = std::exchange(clocks->completed, clocks->arrived);
    ++clocks->phases;
    for (AsyncToken read : std::exchange(clocks->reads, {})) clocks->completed_reads.push_back(read);
  }
  thread.runner->scheduler().Wake(barrier);
}

void AddTransactionBytes(GpuThread& thread, void* barrier, MbarrierWord* word, int64_t bytes, uint32_t site) {
  const int64_t sum = word->transaction_bytes + bytes;
  if (sum > kMaxTransactionBytes || sum < -kMaxTransactionBytes) {
    FailOperation(thread, site,
                  absl::StrCat(MbarrierText(thread, barrier), " would expect ", sum, " bytes; the limit is ",
                               kMaxTransactionBytes));
  }
  word->transaction_bytes = sum;
}

void TakeArrivals(GpuThread& thread, void* barrier, MbarrierWord* word, uint32_t count, uint32_t site) {
  if (word->pending < count) {
    FailOperation(thread, site,
                  absl::StrCat(count, " arrivals at ", MbarrierText(thread, barrier), ", whose phase waits for ",
                               static_cast<uint32_t>(word->pending)));
  }
  word->pending -= count;
}

uint64_t ParityOf(uint64_t state, bool is_parity) {
  return is_parity ? state & 1 : std::bit_cast<MbarrierWord>(state).phase;
}

bool IsComplete(const MbarrierWord& word, uint64_t state, bool is_parity) {
  return word.phase != ParityOf(state, is_parity);
}

/// Reports a finding if the phase for which the thread waits has completed, and the next phase as well: the parity is
/// then the same as before the first of them, so the thread cannot see that its phase has completed. There is no
/// finding if the thread is ordered after that phase by other means, because skipping the phase is then correct.
void ReportMissedPhase(GpuThread& thread, void* barrier, uint64_t parity, uint32_t site) {
  Monitor* monitor = thread.runner->monitor();
  if (monitor == nullptr) return;
  const MbarrierClocks& clocks = *thread.ops->FindMbarrier(barrier);
  auto awaited = clocks.awaited.find(thread.number);
  if (awaited == clocks.awaited.end() || (awaited->second & 1) != parity || clocks.phases < awaited->second + 2) return;
  if (monitor->IsOrdered(thread, clocks.before)) return;
  monitor->Report(
      "missed-phase", thread, site,
      absl::StrCat("waits for phase ", awaited->second, " of ", MbarrierText(thread, barrier), ", but phase ",
                   clocks.phases - 1, " has completed before it looked: parity cannot tell the two apart"));
}

/// Records which phase the thread waits for, or will wait for next.
void AwaitPhase(GpuThread& thread, void* barrier) {
  if (thread.runner->monitor() == nullptr) return;
  MbarrierClocks& clocks = *thread.ops->FindMbarrier(barrier);
  clocks.awaited[thread.number] = clocks.phases;
}

/// Describes the phase for which a thread waits at the mbarrier `thread.channel`, and what that phase lacks.
std::string DescribeWait(const GpuThread& thread) {
  const MbarrierWord word = Read(thread.channel);
  const MbarrierClocks* clocks =
      thread.runner->monitor() == nullptr ? nullptr : thread.ops->FindMbarrier(thread.channel);
  const std::string phase = clocks == nullptr
                                ? absl::StrCat("the phase of parity ", static_cast<uint32_t>(word.phase), " of ",
                                               MbarrierText(thread, thread.channel))
                                : absl::StrCat("phase ", clocks->phases, " of ", thread.ops->DescribeMbarrier(thread));
  std::vector<std::string> lacks;
  if (word.pending != 0) {
    lacks.push_back(absl::StrCat(static_cast<uint32_t>(word.pending), " of ", static_cast<uint32_t>(word.expected),
                                 word.expected == 1 ? " arrival" : " arrivals"));
  }
  const int64_t bytes = word.transaction_bytes;
  if (bytes > 0) lacks.push_back(absl::StrCat(bytes, " bytes"));
  std::vector<std::string> clauses;
  if (!lacks.empty()) clauses.push_back(absl::StrCat("lacks ", absl::StrJoin(lacks, " and ")));
  if (bytes < 0) clauses.push_back(absl::StrCat("has ", -bytes, " bytes more than were expected"));
  if (clauses.empty()) clauses.push_back("expects no arrival any more");
  return absl::StrCat(phase, ", which ", absl::StrJoin(clauses, ", and "));
}

}  // namespace

void RequireMbarrier(GpuThread& thread, void* barrier, const char* operation, uint32_t site) {
  const bool known = thread.runner->monitor() == nullptr || thread.ops->FindMbarrier(barrier) != nullptr;
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
    FailOperation(
        thread, site,
        absl::StrCat(MbarrierText(thread, barrier), " would wait for more than ", kMaxMbarrierCount, " arrivals"));
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
  if (Monitor* monitor = self.runner->monitor()) {
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
  if (Monitor* monitor = self.runner->monitor()) {
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
  if (Monitor* monitor = self.runner->monitor()) {
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
  const uint64_t parity = ParityOf(state, is_parity != 0);
  ReportMissedPhase(self, barrier, parity, site);
  if (!IsComplete(word, state, is_parity != 0)) {
    AwaitPhase(self, barrier);
    self.channel = barrier;
    self.describe = &DescribeWait;
    do {
      if (blocking != 0) {
        self.runner->scheduler().Sleep(&self, barrier, site, "an mbarrier");
      } else {
        self.runner->scheduler().Yield(&self, site);
        // Such a test may have ended before the others ran.
        if (self.runner->scheduler().copies_complete_late()) {
          self.describe = nullptr;
          return 0;
        }
      }
      RequireMbarrier(self, barrier, operation, site);
      ReportMissedPhase(self, barrier, parity, site);
      word = Read(barrier);
    } while (blocking != 0 && !IsComplete(word, state, is_parity != 0));
    self.describe = nullptr;
  }
  if (!IsComplete(word, state, is_parity != 0)) return 0;
  if (Monitor* monitor = self.runner->monitor()) {
    MbarrierClocks* clocks = self.ops->FindMbarrier(barrier);
    clocks->waited_for = nullptr;
    AwaitPhase(self, barrier);
    monitor->Acquire(self, clocks->completed);
    for (AsyncToken read : std::exchange(clocks->completed_reads, {})) monitor->EndAsyncRead(read, self);
  }
  return 1;
}

}  // extern "C"
}  // namespace mmtune::simt
