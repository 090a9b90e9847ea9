// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race detector's record (shadow) of a block's shared memory. It implements FastTrack (Flanagan and Freund, PLDI
// 2009): each word keeps the clocks of its last write and of the reads since. A later access that is not ordered after
// a conflicting one is a data race. RaceMonitor uses this class. FastTrack is extended by:
//
//   asynchronous accesses  cp.async, TMA and wgmma access memory until they end; a thread must wait for that end
//   red zones              bytes that belong to no variable, and that nothing may access (abi.h)
//   uninitialised bytes    bytes that nothing has written, and that nothing may read
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/race_detector/shadow_words.h"
#include "kernels/simulator/race_detector/vector_clocks.h"

namespace mmtune::simt {

/// The first problem of an access.
struct SharedProblem {
  std::string_view kind;   ///< Finding::kind; empty if there is no problem.
  std::string_view what;   ///< The end of a sentence about the access: "which nothing has written".
  size_t offset = 0;       ///< The offset in shared memory of the bytes with the problem.
  bool has_other = false;  ///< True if another access is involved: `other`.
  AccessPoint other;
};

/// Keeps, for each word of shared memory, its last write, and the reads and atomics since. Not thread-safe.
class SharedShadow {
 public:
  explicit SharedShadow(VectorClocks& clocks) : clocks_(clocks) {}

  /// Prepares for `bytes` of memory. `red_zones` ends with an entry of zeros; null means that there are none. The table
  /// must outlive this object. If `reports_uninitialized` is false, reads of uninitialised bytes are no problem.
  /// Returns ResourceExhausted if there is no address space for the record.
  absl::Status Create(size_t bytes, const RedZone* red_zones, bool reports_uninitialized);
  /// Returns the size of the memory.
  size_t bytes() const { return bytes_; }

  /// Begins a block: forgets all accesses.
  void BeginBlock();
  /// Begins an epoch, the time between two synchronisations of the whole block. Must be called when all threads have
  /// synchronised: accesses before cannot race with later ones.
  void BeginEpoch();
  /// Begins a new use of the buffer at `offset`: its bytes, up to the next red zone, become uninitialised. A byte stays
  /// as it is if `thread` is not ordered after its last write and atomics, so that a race with them is still found.
  void BeginBuffer(uint32_t thread, size_t offset);

  // The functions below check and record an access of [offset, offset + bytes), which must lie in the memory.
  /// Makes an ordinary or atomic access. Returns its first problem; an empty kind means none.
  SharedProblem Access(AccessPoint at, size_t offset, size_t bytes, AccessKind kind);
  /// Begins an asynchronous write. Until it ends, every access of the bytes races with it. Sets `problem` to the first
  /// problem if it has none yet.
  AsyncToken BeginAsyncWrite(AccessPoint at, size_t offset, size_t bytes, SharedProblem* problem);
  /// Ends the asynchronous write with this token. `by_issuer` is true if the issuing thread itself has waited for the
  /// end (cp.async.wait_group): then threads that are ordered after that thread from now on may use the bytes. If it is
  /// false (the copy arrives at an mbarrier), only threads that acquire `clock` may. If `clock` is null, `by_issuer`
  /// counts as true.
  void EndAsyncWrite(AsyncToken token, bool by_issuer, SyncClock* clock);
  /// Begins an asynchronous read. Until it ends, every write of the bytes races with it. Sets `problem` like
  /// BeginAsyncWrite().
  AsyncToken BeginAsyncRead(AccessPoint at, size_t offset, size_t bytes, SharedProblem* problem);
  /// Ends an asynchronous read. Threads that are ordered after `thread` from now on may write the bytes.
  void EndAsyncRead(AsyncToken token, uint32_t thread);
  /// Returns the issuer of an asynchronous write that has not ended; nullopt if there is none.
  std::optional<AccessPoint> FindPendingWrite() const;

 private:
  enum Flags : uint8_t {
    kWritten = 1,
    kRed = 2,         ///< The word is in a red zone.
    kAsyncWrite = 4,  ///< An asynchronous write, issued by `write`, has not ended.
    /// The write was asynchronous and has ended. write_clock is then a clock of async_owner, not of the thread that
    /// issued the write.
    kAsyncOwner = 8,
  };

  /// The state of a word. A clock is 0 if there is no access to race with.
  struct Cell {
    uint32_t epoch;  ///< The epoch to which the clocks below belong.
    uint32_t write_clock, read_clock;
    AccessPoint write, read;
    /// Earlier reads that are not ordered before `read`: a list in readers_; 0 is its end.
    uint32_t readers;
    uint32_t atomics;      ///< Atomics since the last write: a list in readers_.
    uint32_t split;        ///< Used by ShadowWords: if not 0, the bytes of the word have cells of their own.
    uint16_t async_reads;  ///< The number of asynchronous reads that have not ended.
    uint8_t flags;
    /// With kAsyncOwner: the owner of the write's clock, counted from the first one of VectorClocks::kAsyncOwners.
    uint8_t async_owner;

    bool operator==(const Cell&) const = default;
  };
  struct Reader {
    uint32_t clock;
    AccessPoint at;
    uint32_t next;
    uint32_t length;  ///< The length of the list from here on.
    bool writes;      ///< For an atomic: true if it writes.
  };
  struct Pending {
    size_t offset = 0, bytes = 0;
    AccessPoint at;
    bool is_read = false;
    Snapshot issue;  ///< For a write: the issuer's state when it issued the write.
  };

  /// Resets the clocks of a cell if they belong to an earlier epoch.
  void Refresh(Cell& cell) const;
  /// Returns false, and sets `problem`, if the word is in a red zone or an asynchronous write of it has not ended.
  bool IsAccessible(const Cell& cell, size_t offset, SharedProblem* problem);
  bool IsOrderedAfterWrite(const Cell& cell, uint32_t thread) const;
  bool IsOrderedAfterAtomics(const Cell& cell, uint32_t thread) const;
  void OnRead(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void ReportBadRead(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void OnWrite(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void ReportRacingReaders(const Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  /// Reports a race of an ordinary access with one of the recorded atomics. A read conflicts only with atomics that
  /// write.
  void ReportRacingAtomics(const Cell& cell, AccessPoint at, bool writes, size_t offset, SharedProblem* problem);
  void OnAtomic(Cell& cell, AccessPoint at, AccessKind kind, size_t offset, SharedProblem* problem);
  void PushAtomic(Cell& cell, AccessPoint at, bool writes);
  /// Reports the recorded write if the access is not ordered after it. `kind` and `what` describe the problem, unless
  /// that write is asynchronous.
  void ReportUnorderedWrite(const Cell& cell, AccessPoint at, std::string_view kind, std::string_view what,
                            size_t offset, SharedProblem* problem);
  /// Reports a race of a write with the recorded write or with an asynchronous read.
  void ReportRacingWriter(const Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void RecordRead(Cell& cell, AccessPoint at);
  void PushReader(Cell& cell);
  /// Returns a copy of the list at `head` with only the newest access of each thread, and its newest write.
  uint32_t DropRepeatedReaders(uint32_t head);
  AsyncToken AddPending(Pending pending);
  AccessPoint PendingReadOf(size_t offset) const;

  VectorClocks& clocks_;
  size_t bytes_ = 0;
  const RedZone* red_zones_ = nullptr;
  bool reports_uninitialized_ = true;
  ShadowWords<Cell> words_;
  uint32_t epoch_ = 1;
  std::vector<Reader> readers_;  ///< Nodes of linked lists. Cells may share them, so they never change within an epoch.
                                 ///< [0] ends a list.
  std::vector<Pending> pending_;  ///< By token - 1.
  std::vector<AsyncToken> free_tokens_;
  VectorClocks::Atomics atomics_;
};

}  // namespace mmtune::simt
