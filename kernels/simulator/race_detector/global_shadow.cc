// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/race_detector/global_shadow.h"

#include <algorithm>
#include <set>
#include <utility>

#include "kernels/simulator/block/scheduler.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

constexpr std::string_view kWritten = "which another thread has written, and nothing orders this access after that";
constexpr std::string_view kBothWritten = "which another thread has written, and nothing orders the two writes";
constexpr std::string_view kRead = "which another thread has read, and nothing orders the write after that";
constexpr std::string_view kAtomicallyWritten =
    "which another thread has written atomically, and nothing orders this access after that";
constexpr std::string_view kAtomicallyRead =
    "which another thread has read atomically, and nothing orders the write after that";

constexpr uint32_t kFirstLimit = 64;  ///< Length at which a list is first pruned.

}  // namespace

absl::Status GlobalShadow::Create(const DeviceMemory& memory) {
  for (const DeviceMemory::Range& range : memory.Allocations()) {
    RETURN_IF_ERROR(Add(reinterpret_cast<const void*>(range.ptr), range.bytes, nullptr, range.is_read_only));
  }
  return absl::OkStatus();
}

absl::Status GlobalShadow::Add(const Variable& variable) {
  return Add(variable.address, variable.bytes, &variable, variable.is_constant);
}

absl::Status GlobalShadow::Add(const void* begin, size_t bytes, const Variable* variable, bool is_read_only) {
  if (bytes == 0) return absl::OkStatus();
  const char* end = static_cast<const char*>(begin) + bytes;
  auto [entry, is_new] = regions_.try_emplace(end);
  if (!is_new) return absl::OkStatus();  // equal constants may be one
  ShadowedRegion& region = entry->second;
  region.begin = static_cast<const char*>(begin);
  region.end = end;
  region.variable = variable;
  region.is_read_only = is_read_only;
  if (is_read_only) {  // Reads do not race with each other.
    if (variable == nullptr) read_only_.push_back({region.begin, region.end});
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(region.words.Create(bytes));
  return region.atomic_words.Create(bytes);
}

const GlobalShadow::Region* GlobalShadow::Find(const void* address, size_t bytes) {
  const char* at = static_cast<const char*>(address);
  if (last_ == nullptr || at < last_->begin || at >= last_->end) {
    auto found = regions_.upper_bound(at);
    if (found == regions_.end() || at < found->second.begin) return nullptr;
    last_ = &found->second;
  }
  return bytes <= static_cast<size_t>(last_->end - at) ? last_ : nullptr;
}

inline bool GlobalShadow::IsOrdered(const PastAccess& access, uint32_t thread) const {
  if (access.block == 0) return true;
  const uint64_t block = access.block - 1;
  if (block == static_cast<uint32_t>(clocks_.block()))
    return clocks_.IsOrderedAfter(thread, access.at.thread(), access.clock);
  return clocks_.IsOrderedAfterOtherBlock(thread, block, access.at.thread(), access.clock);
}

/// Threads of this block are ordered after what its threads did before they synchronised. Unless a clock was published,
/// no thread can be ordered after blocks that have ended.
void GlobalShadow::BeginEpoch() {
  if (clocks_.has_published()) return;
  ++epoch_;
  earlier_.resize(1);
}

inline void GlobalShadow::Add(AccessHistory& history, const PastAccess& now, bool observes) {
  if (history.epoch != epoch_) {
    history.epoch = epoch_;
    history.earlier = 0;
  }
  if (!observes && !IsOrdered(history.last, now.at.thread())) {
    const bool has_ended = history.last.block != now.block;
    if (has_ended && (history.ended.block == 0 || !clocks_.has_published())) {
      history.ended = history.last;
    } else {
      Push(history, now.at.thread());
    }
  }
  history.last = now;
}

void GlobalShadow::Push(AccessHistory& history, uint32_t thread) {
  if (earlier_.size() >= max_earlier_) return;
  if (history.earlier != 0 && earlier_[history.earlier].length >= earlier_[history.earlier].limit) {
    history.earlier = Prune(history.earlier, thread);
  }
  const EarlierAccess& next = earlier_[history.earlier];
  earlier_.push_back({history.last, history.earlier, next.length + 1, std::max(next.limit, kFirstLimit)});
  history.earlier = static_cast<uint32_t>(earlier_.size()) - 1;
}

uint32_t GlobalShadow::Prune(uint32_t head, uint32_t thread) {
  std::set<std::pair<uint32_t, uint32_t>> seen;
  std::vector<PastAccess> kept;
  for (uint32_t i = head; i != 0; i = earlier_[i].next) {
    const PastAccess& access = earlier_[i].access;
    if (IsOrdered(access, thread) || !seen.emplace(access.block, access.at.thread()).second) continue;
    kept.push_back(access);
  }
  if (earlier_.size() + kept.size() > max_earlier_) return head;
  const auto limit = std::max(kFirstLimit, static_cast<uint32_t>(2 * kept.size()));
  uint32_t list = 0;
  for (uint32_t length = 1; !kept.empty(); ++length, kept.pop_back()) {
    earlier_.push_back({kept.back(), list, length, limit});
    list = static_cast<uint32_t>(earlier_.size()) - 1;
  }
  return list;
}

bool GlobalShadow::ReportIfRacing(const PastAccess& access, AccessPoint at, std::string_view what,
                                  GlobalProblem* problem) const {
  if (IsOrdered(access, at.thread())) return true;
  if (problem->kind.empty()) {
    *problem = {"global-race", what, nullptr, access.at, access.block - 1, what == kBothWritten};
  }
  return false;
}

void GlobalShadow::ReportIfRacing(const AccessHistory& history, AccessPoint at, std::string_view what,
                                  GlobalProblem* problem) const {
  if (history.last.block == 0) return;
  if (!ReportIfRacing(history.last, at, what, problem) || !ReportIfRacing(history.ended, at, what, problem)) return;
  if (history.epoch != epoch_) return;
  for (uint32_t i = history.earlier; i != 0; i = earlier_[i].next) {
    if (!ReportIfRacing(earlier_[i].access, at, what, problem)) return;
  }
}

inline void GlobalShadow::OnRead(Cell& cell, AccessPoint at, GlobalProblem* problem) {
  const PastAccess now = Now(at);
  if (cell.reads.last == now) return;
  ReportIfRacing(cell.write, at, kWritten, problem);
  Add(cell.reads, now, /*observes=*/false);
}

inline void GlobalShadow::OnWrite(Cell& cell, AccessPoint at, GlobalProblem* problem) {
  ReportIfRacing(cell.write, at, kBothWritten, problem);
  ReportIfRacing(cell.reads, at, kRead, problem);
  cell.reads = {};
  cell.write = Now(at);
}

inline void GlobalShadow::OnAtomic(Cell& cell, AccessPoint at, AccessKind kind, GlobalProblem* problem) {
  ReportIfRacing(cell.write, at, kWritten, problem);
  if (Writes(kind)) ReportIfRacing(cell.reads, at, kRead, problem);
}

inline void GlobalShadow::OnRead(AtomicCell& cell, AccessPoint at, GlobalProblem* problem) {
  ReportIfRacing(cell.writes, at, kAtomicallyWritten, problem);
}

inline void GlobalShadow::OnWrite(AtomicCell& cell, AccessPoint at, GlobalProblem* problem) {
  ReportIfRacing(cell.writes, at, kAtomicallyWritten, problem);
  ReportIfRacing(cell.reads, at, kAtomicallyRead, problem);
  cell.writes = cell.reads = {};
}

inline void GlobalShadow::OnAtomic(AtomicCell& cell, AccessPoint at, AccessKind kind, GlobalProblem*) {
  const bool is_update = Reads(kind) && Writes(kind);
  Add(Writes(kind) ? cell.writes : cell.reads, Now(at), /*observes=*/is_update);
}

template <typename Words>
inline void GlobalShadow::Visit(Words& words, const Region& region, AccessPoint at, size_t offset, size_t bytes,
                                AccessKind kind, GlobalProblem* problem) {
  auto for_each = [&](auto visit) {
    words.ForEach(offset, bytes, [&](auto& cell, size_t byte) {
      visit(cell);
      if (!problem->kind.empty() && problem->address == nullptr) problem->address = region.begin + byte;
    });
  };
  if (kind == AccessKind::kRead) return for_each([&](auto& cell) { OnRead(cell, at, problem); });
  if (kind == AccessKind::kWrite) return for_each([&](auto& cell) { OnWrite(cell, at, problem); });
  for_each([&](auto& cell) { OnAtomic(cell, at, kind, problem); });
}

GlobalProblem GlobalShadow::Access(const Region* region, AccessPoint at, const void* address, size_t bytes,
                                   AccessKind kind) {
  GlobalProblem problem;
  if (region->is_read_only) return problem;
  auto& shadow = const_cast<ShadowedRegion&>(static_cast<const ShadowedRegion&>(*region));
  const size_t offset = static_cast<const char*>(address) - region->begin;
  const auto word = reinterpret_cast<uintptr_t>(address);
  if (IsAtomic(kind)) {
    atomics_.Acquire(clocks_, at.thread(), word, bytes, kind);
    shadow.has_atomics = true;
  }
  Visit(shadow.words, *region, at, offset, bytes, kind, &problem);
  if (shadow.has_atomics) Visit(shadow.atomic_words, *region, at, offset, bytes, kind, &problem);
  if (IsAtomic(kind)) atomics_.Release(clocks_, at.thread(), word, bytes, kind);
  return problem;
}

}  // namespace mmtune::simt
