// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadow of the shared memory of a block: FastTrack (Flanagan and Freund, PLDI 2009), extended by asynchronous
// accesses, red zones and uninitialised bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/race_detector/shadow_words.h"
#include "kernels/simulator/race_detector/vector_clocks.h"

namespace mmtune::simt {

/// The first problem of an access.
struct SharedProblem {
  std::string_view kind;  ///< Finding::kind; empty: no problem.
  std::string_view what;  ///< "which nothing has written": follows the access and its address.
  size_t offset = 0;
  bool has_other = false;
  AccessPoint other;
};

/// Keeps, for each word of shared memory, its last write and the reads and atomics since. Not thread-safe.
class SharedShadow {
 public:
  explicit SharedShadow(VectorClocks& clocks) : clocks_(clocks) {}

  /// Prepares for `bytes` of memory. `red_zones` ends with an entry of zeros or is null, and outlives this.
  absl::Status Create(size_t bytes, const RedZone* red_zones);
  size_t bytes() const { return bytes_; }

  /// Begins a block: nothing was accessed yet.
  void BeginBlock();
  /// Tells that all threads have synchronised: accesses from before cannot race with those to come.
  void BeginEpoch();
  /// Marks the bytes from `offset` to the next red zone as uninitialised, if `thread` is ordered after their writes.
  void BeginBuffer(uint32_t thread, size_t offset);

  // Accesses of [offset, offset + bytes), which lies in the memory; see Monitor.
  SharedProblem Access(AccessPoint at, size_t offset, size_t bytes, AccessKind kind);
  AsyncToken BeginAsyncWrite(AccessPoint at, size_t offset, size_t bytes, SharedProblem* problem);
  void EndAsyncWrite(AsyncToken token, bool by_issuer, SyncClock* clock);
  AsyncToken BeginAsyncRead(AccessPoint at, size_t offset, size_t bytes, SharedProblem* problem);
  void EndAsyncRead(AsyncToken token, uint32_t thread);

 private:
  enum Flags : uint8_t {
    kWritten = 1,
    kRed = 2,
    kAsyncWrite = 4,  ///< Pending; `write` issued it.
    kAsyncOwner = 8,  ///< Completed; write_clock belongs to async_owner, not to the thread of `write`.
  };

  /// The state of a word. A clock is 0 where there is no access to race with.
  struct Cell {
    uint32_t epoch;  ///< Epoch of the clocks below.
    uint32_t write_clock, read_clock;
    AccessPoint write, read;
    uint32_t readers;  ///< Earlier reads that are not ordered before `read`: a list in readers_; 0 ends it.
    uint32_t atomics;  ///< Atomics since the write: a list in readers_.
    uint32_t split;
    uint16_t async_reads;
    uint8_t flags;
    uint8_t async_owner;  ///< Numbered after the threads.

    bool operator==(const Cell&) const = default;
  };
  struct Reader {
    uint32_t clock;
    AccessPoint at;
    uint32_t next;
    uint32_t length;  ///< Length of the list from here on.
    bool writes;      ///< For an atomic.
  };
  struct Pending {
    size_t offset = 0, bytes = 0;
    AccessPoint at;
    bool is_read = false;
    Snapshot issue;  ///< For a write.
  };

  void Refresh(Cell& cell) const;
  /// False, with a problem, in a red zone or while an asynchronous write is pending.
  bool IsAccessible(const Cell& cell, size_t offset, SharedProblem* problem);
  bool KnowsWrite(const Cell& cell, uint32_t thread) const;
  bool KnowsAtomics(const Cell& cell, uint32_t thread) const;
  void OnRead(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void ReportBadRead(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void OnWrite(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void ReportRacingReaders(const Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  /// Compares an ordinary access with the atomics; a read conflicts only with those that write.
  void ReportRacingAtomics(const Cell& cell, AccessPoint at, bool writes, size_t offset, SharedProblem* problem);
  void OnAtomic(Cell& cell, AccessPoint at, AccessKind kind, size_t offset, SharedProblem* problem);
  void PushAtomic(Cell& cell, AccessPoint at, bool writes);
  /// `kind` and `what` describe the problem if the write is not asynchronous.
  void ReportUnorderedWrite(const Cell& cell, AccessPoint at, std::string_view kind, std::string_view what,
                            size_t offset, SharedProblem* problem);
  /// Compares a write with the last one, and with asynchronous reads.
  void ReportRacingWriter(const Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void RecordRead(Cell& cell, AccessPoint at);
  void PushReader(Cell& cell);
  /// Returns a copy of the list at `head` that keeps the newest access of each thread, and its newest write.
  uint32_t DropRepeatedReaders(uint32_t head);
  AsyncToken AddPending(Pending pending);
  AccessPoint PendingReadOf(size_t offset) const;

  VectorClocks& clocks_;
  size_t bytes_ = 0;
  const RedZone* red_zones_ = nullptr;
  ShadowWords<Cell> words_;
  uint32_t epoch_ = 1;
  std::vector<Reader>
      readers_;  ///< Nodes of lists, which cells may share: never changed within an epoch. [0] ends a list.
  std::vector<Pending> pending_;  ///< By token - 1.
  std::vector<AsyncToken> free_tokens_;
  VectorClocks::Atomics atomics_;
};

}  // namespace mmtune::simt
