// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/race_detector/shared_shadow.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace mmtune::simt {
namespace {

void Report(SharedProblem* problem, std::string_view kind, std::string_view what, size_t offset,
            std::optional<AccessPoint> other = std::nullopt) {
  if (problem->kind.empty()) *problem = {kind, what, offset, other.has_value(), other.value_or(AccessPoint())};
}

}  // namespace

absl::Status SharedShadow::Create(size_t bytes, const RedZone* red_zones, bool reports_uninitialized) {
  bytes_ = bytes;
  red_zones_ = red_zones;
  reports_uninitialized_ = reports_uninitialized;
  readers_.resize(1);
  return words_.Create(bytes);
}

void SharedShadow::BeginBlock() {
  words_.Clear();
  pending_.clear();
  free_tokens_.clear();
  atomics_.Clear();
  BeginEpoch();
  if (red_zones_ == nullptr) return;
  for (const RedZone* zone = red_zones_; zone->end != 0; ++zone) {
    const size_t end = std::min<size_t>(zone->end, bytes_);
    if (zone->begin < end)
      words_.ForEach(zone->begin, end - zone->begin, [](Cell& cell, size_t) { cell.flags = kRed; });
  }
}

void SharedShadow::BeginEpoch() {
  ++epoch_;
  readers_.resize(1);
}

inline void SharedShadow::Refresh(Cell& cell) const {
  if (cell.epoch == epoch_) return;
  cell.epoch = epoch_;
  cell.read_clock = 0;
  cell.readers = 0;
  cell.atomics = 0;
  // Synchronising with the issuer of an asynchronous write is not waiting for the write.
  if (!(cell.flags & kAsyncOwner)) cell.write_clock = 0;
}

void SharedShadow::BeginBuffer(uint32_t thread, size_t offset) {
  size_t end = bytes_;
  for (const RedZone* zone = red_zones_; zone != nullptr && zone->end != 0; ++zone) {
    if (zone->begin > offset) end = std::min<size_t>(end, zone->begin);
  }
  if (offset >= end) return;
  words_.ForEach(offset, end - offset, [&](Cell& cell, size_t) {
    Refresh(cell);
    if ((cell.flags & kAsyncWrite) == 0 && IsOrderedAfterWrite(cell, thread) && IsOrderedAfterAtomics(cell, thread)) {
      cell.flags &= ~kWritten;
    }
  });
}

bool SharedShadow::IsOrderedAfterAtomics(const Cell& cell, uint32_t thread) const {
  for (uint32_t i = cell.atomics; i != 0; i = readers_[i].next) {
    if (!clocks_.IsOrderedAfter(thread, readers_[i].at.thread(), readers_[i].clock)) return false;
  }
  return true;
}

inline bool SharedShadow::IsOrderedAfterWrite(const Cell& cell, uint32_t thread) const {
  if (cell.write_clock == 0) return true;
  const uint32_t owner = cell.flags & kAsyncOwner ? clocks_.threads() + cell.async_owner : cell.write.thread();
  return clocks_.IsOrderedAfter(thread, owner, cell.write_clock);
}

bool SharedShadow::IsAccessible(const Cell& cell, size_t offset, SharedProblem* problem) {
  if (cell.flags & kRed) {
    Report(problem, "shared-out-of-bounds", "which belong to no buffer", offset);
    return false;
  }
  if (cell.flags & kAsyncWrite) {
    Report(problem, "async-race", "to which an asynchronous copy is pending", offset, cell.write);
    return false;
  }
  return true;
}

inline void SharedShadow::ReportUnorderedWrite(const Cell& cell, AccessPoint at, std::string_view kind,
                                               std::string_view what, size_t offset, SharedProblem* problem) {
  if (IsOrderedAfterWrite(cell, at.thread())) return;
  const bool is_async = cell.flags & kAsyncOwner;
  Report(problem, is_async ? "async-race" : kind,
         is_async ? "which an asynchronous copy has written that the thread has not waited for" : what, offset,
         cell.write);
}

void SharedShadow::ReportBadRead(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem) {
  if (!(cell.flags & kWritten)) {
    if (reports_uninitialized_) Report(problem, "uninitialized-read", "which nothing has written", offset);
    return;
  }
  ReportUnorderedWrite(cell, at, "race-raw", "which another thread has written, and nothing orders the read after that",
                       offset, problem);
}

void SharedShadow::ReportRacingAtomics(const Cell& cell, AccessPoint at, bool writes, size_t offset,
                                       SharedProblem* problem) {
  for (uint32_t i = cell.atomics; i != 0; i = readers_[i].next) {
    const Reader& atomic = readers_[i];
    if ((!writes && !atomic.writes) || clocks_.IsOrderedAfter(at.thread(), atomic.at.thread(), atomic.clock)) continue;
    Report(problem,
           !writes         ? "race-raw"
           : atomic.writes ? "race-waw"
                           : "race-war",
           atomic.writes ? "which another thread has written atomically, and nothing orders this access after that"
                         : "which another thread has read atomically, and nothing orders the write after that",
           offset, atomic.at);
    return;
  }
}

inline void SharedShadow::OnRead(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem) {
  if (cell.epoch == epoch_ && cell.read == at && cell.read_clock == clocks_.Now(at.thread()) &&
      (cell.flags & (kRed | kAsyncWrite)) == 0 && cell.atomics == 0) {
    return;
  }
  Refresh(cell);
  if ((cell.flags & (kRed | kAsyncWrite)) != 0 && !IsAccessible(cell, offset, problem)) return;
  if (!(cell.flags & kWritten) || cell.write_clock != 0) ReportBadRead(cell, at, offset, problem);
  if (cell.atomics != 0) ReportRacingAtomics(cell, at, /*writes=*/false, offset, problem);
  RecordRead(cell, at);
}

inline void SharedShadow::RecordRead(Cell& cell, AccessPoint at) {
  if (cell.read_clock != 0 && !clocks_.IsOrderedAfter(at.thread(), cell.read.thread(), cell.read_clock))
    PushReader(cell);
  cell.read = at;
  cell.read_clock = clocks_.Now(at.thread());
}

void SharedShadow::PushReader(Cell& cell) {
  if (readers_[cell.readers].length >= 2 * clocks_.threads()) cell.readers = DropRepeatedReaders(cell.readers);
  readers_.push_back({cell.read_clock, cell.read, cell.readers, readers_[cell.readers].length + 1, false});
  cell.readers = static_cast<uint32_t>(readers_.size()) - 1;
}

uint32_t SharedShadow::DropRepeatedReaders(uint32_t head) {
  enum : uint8_t { kAccess = 1, kWriting = 2 };
  std::vector<uint8_t> seen(clocks_.threads());
  std::vector<Reader> kept;
  for (uint32_t i = head; i != 0; i = readers_[i].next) {
    const Reader& reader = readers_[i];
    const uint8_t kinds = reader.writes ? kAccess | kWriting : kAccess;
    if ((seen[reader.at.thread()] & kinds) == kinds) continue;
    seen[reader.at.thread()] |= kinds;
    kept.push_back(reader);
  }
  uint32_t list = 0;
  for (; !kept.empty(); kept.pop_back()) {
    const Reader& reader = kept.back();
    readers_.push_back({reader.clock, reader.at, list, readers_[list].length + 1, reader.writes});
    list = static_cast<uint32_t>(readers_.size()) - 1;
  }
  return list;
}

void SharedShadow::PushAtomic(Cell& cell, AccessPoint at, bool writes) {
  const uint32_t clock = clocks_.Now(at.thread());
  // A write is added even if the thread has an older one in the list, because updates follow the first entry.
  for (uint32_t i = cell.atomics; i != 0; i = writes ? 0 : readers_[i].next) {
    const Reader& atomic = readers_[i];
    if (atomic.at.thread() == at.thread() && atomic.clock == clock && atomic.writes >= writes) return;
  }
  if (readers_[cell.atomics].length >= 4 * clocks_.threads()) cell.atomics = DropRepeatedReaders(cell.atomics);
  readers_.push_back({clock, at, cell.atomics, readers_[cell.atomics].length + 1, writes});
  cell.atomics = static_cast<uint32_t>(readers_.size()) - 1;
}

void SharedShadow::ReportRacingReaders(const Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem) {
  constexpr std::string_view kWhat = "which another thread has read, and nothing orders the write after that";
  if (cell.read_clock == 0) return;
  if (!clocks_.IsOrderedAfter(at.thread(), cell.read.thread(), cell.read_clock)) {
    Report(problem, "race-war", kWhat, offset, cell.read);
  }
  for (uint32_t i = cell.readers; i != 0; i = readers_[i].next) {
    const Reader& reader = readers_[i];
    if (!clocks_.IsOrderedAfter(at.thread(), reader.at.thread(), reader.clock)) {
      Report(problem, "race-war", kWhat, offset, reader.at);
      return;
    }
  }
}

inline void SharedShadow::ReportRacingWriter(const Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem) {
  if (cell.async_reads != 0) {
    Report(problem, "async-race", "which an asynchronous operation is still reading", offset, PendingReadOf(offset));
  }
  ReportUnorderedWrite(cell, at, "race-waw", "which another thread has written, and nothing orders the two writes",
                       offset, problem);
}

void SharedShadow::OnAtomic(Cell& cell, AccessPoint at, AccessKind kind, size_t offset, SharedProblem* problem) {
  Refresh(cell);
  if (!IsAccessible(cell, offset, problem)) return;
  if (Reads(kind)) ReportBadRead(cell, at, offset, problem);
  if (Writes(kind)) {
    ReportRacingWriter(cell, at, offset, problem);
    ReportRacingReaders(cell, at, offset, problem);
    cell.flags |= kWritten;
  }
  // An update is ordered after the write that it has read.
  const bool is_update = Reads(kind) && Writes(kind);
  if (is_update && readers_[cell.atomics].writes) cell.atomics = readers_[cell.atomics].next;
  PushAtomic(cell, at, Writes(kind));
}

inline void SharedShadow::OnWrite(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem) {
  Refresh(cell);
  if ((cell.flags & (kRed | kAsyncWrite)) != 0 && !IsAccessible(cell, offset, problem)) return;
  ReportRacingWriter(cell, at, offset, problem);
  if (cell.atomics != 0) {
    ReportRacingAtomics(cell, at, /*writes=*/true, offset, problem);
    cell.atomics = 0;
  }
  if (cell.read_clock != 0) {
    ReportRacingReaders(cell, at, offset, problem);
    cell.read_clock = 0;
    cell.readers = 0;
  }
  cell.write = at;
  cell.write_clock = clocks_.Now(at.thread());
  cell.flags = kWritten;
  cell.async_owner = 0;
}

SharedProblem SharedShadow::Access(AccessPoint at, size_t offset, size_t bytes, AccessKind kind) {
  SharedProblem problem;
  switch (kind) {
    case AccessKind::kRead:
      words_.ForEach(offset, bytes, [&](Cell& cell, size_t byte) { OnRead(cell, at, byte, &problem); });
      break;
    case AccessKind::kWrite:
      words_.ForEach(offset, bytes, [&](Cell& cell, size_t byte) { OnWrite(cell, at, byte, &problem); });
      break;
    default:
      atomics_.Acquire(clocks_, at.thread(), offset, bytes, kind);
      words_.ForEach(offset, bytes, [&](Cell& cell, size_t byte) { OnAtomic(cell, at, kind, byte, &problem); });
      atomics_.Release(clocks_, at.thread(), offset, bytes, kind);
      break;
  }
  return problem;
}

AsyncToken SharedShadow::AddPending(Pending pending) {
  if (free_tokens_.empty()) {
    pending_.push_back(std::move(pending));
    return pending_.size();
  }
  const AsyncToken token = free_tokens_.back();
  free_tokens_.pop_back();
  pending_[token - 1] = std::move(pending);
  return token;
}

AsyncToken SharedShadow::BeginAsyncWrite(AccessPoint at, size_t offset, size_t bytes, SharedProblem* problem) {
  words_.ForEach(offset, bytes, [&](Cell& cell, size_t byte) {
    OnWrite(cell, at, byte, problem);
    if (!(cell.flags & kRed)) cell.flags |= kAsyncWrite;
  });
  return AddPending({offset, bytes, at, false, clocks_.TakeSnapshot(at.thread())});
}

void SharedShadow::EndAsyncWrite(AsyncToken token, bool by_issuer, SyncClock* clock) {
  const Pending pending = std::exchange(pending_[token - 1], {});
  free_tokens_.push_back(token);
  const uint32_t issuer = pending.at.thread();
  Cell completed{};
  completed.epoch = epoch_;
  completed.write = pending.at;
  completed.flags = kWritten;
  if (by_issuer || clock == nullptr) {
    completed.write_clock = clocks_.Now(issuer);
    if (clock != nullptr) clocks_.Release(issuer, *clock);
  } else {
    const VectorClocks::AsyncWrite write = clocks_.ReleaseAsyncWrite(pending.issue, *clock);
    completed.write_clock = write.clock;
    completed.flags |= kAsyncOwner;
    completed.async_owner = static_cast<uint8_t>(write.owner - clocks_.threads());
  }
  words_.ForEach(pending.offset, pending.bytes, [&](Cell& cell, size_t) {
    if (cell.flags & kRed) return;
    completed.split = cell.split;
    completed.async_reads = cell.async_reads;
    cell = completed;
  });
}

AsyncToken SharedShadow::BeginAsyncRead(AccessPoint at, size_t offset, size_t bytes, SharedProblem* problem) {
  words_.ForEach(offset, bytes, [&](Cell& cell, size_t byte) {
    Refresh(cell);
    if (IsAccessible(cell, byte, problem)) ReportBadRead(cell, at, byte, problem);
    ++cell.async_reads;
  });
  return AddPending({offset, bytes, at, true, {}});
}

void SharedShadow::EndAsyncRead(AsyncToken token, uint32_t thread) {
  const Pending pending = std::exchange(pending_[token - 1], {});
  free_tokens_.push_back(token);
  const AccessPoint at(thread, pending.at.site());
  words_.ForEach(pending.offset, pending.bytes, [&](Cell& cell, size_t) {
    Refresh(cell);
    --cell.async_reads;
    RecordRead(cell, at);
  });
}

std::optional<AccessPoint> SharedShadow::FindPendingWrite() const {
  for (const Pending& pending : pending_) {
    if (!pending.is_read && pending.bytes != 0) return pending.at;
  }
  return std::nullopt;
}

AccessPoint SharedShadow::PendingReadOf(size_t offset) const {
  for (const Pending& pending : pending_) {
    if (pending.is_read && offset - pending.offset < pending.bytes) return pending.at;
  }
  return {};
}

}  // namespace mmtune::simt
