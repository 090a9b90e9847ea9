// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the shared memory of one block: FastTrack (Flanagan and Freund, PLDI 2009) with asynchronous
// accesses, red zones and bytes that were never written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/watch/shadow_words.h"
#include "kernels/simulator/watch/vector_clocks.h"

namespace mmtune::simt {

/// What is wrong with an access: the first such byte of it.
struct SharedProblem {
  std::string_view kind;  ///< As Finding has it; empty: nothing is wrong.
  std::string_view what;  ///< "which nothing has written": goes on after the access and its address.
  size_t offset = 0;
  bool has_other = false;
  AccessPoint other;
};

class SharedShadow {
 public:
  explicit SharedShadow(VectorClocks& clocks) : clocks_(clocks) {}

  /// `red_zones` ends with an entry of zeros or is null, and outlives this.
  absl::Status Create(size_t bytes, const RedZone* red_zones);
  size_t bytes() const { return bytes_; }

  /// A block begins: nothing was accessed yet.
  void BeginBlock();
  /// A barrier of the whole block: what was done before cannot race with what comes.
  void BeginEpoch();
  /// From `offset` to the next red zone, the bytes that `thread` knows to be written count as never written.
  void BeginBuffer(uint32_t thread, size_t offset);

  // Of [offset, offset + bytes), which lies in the memory.
  SharedProblem Access(AccessPoint at, size_t offset, size_t bytes, AccessKind kind);
  AsyncToken BeginAsyncWrite(AccessPoint at, size_t offset, size_t bytes, SharedProblem* problem);
  void EndAsyncWrite(AsyncToken token, bool by_issuer, SyncClock* clock);
  AsyncToken BeginAsyncRead(AccessPoint at, size_t offset, size_t bytes, SharedProblem* problem);
  void EndAsyncRead(AsyncToken token, uint32_t thread);

 private:
  enum Flags : uint8_t {
    kWritten = 1,
    kRed = 2,
    kAsyncWrite = 4,  ///< Under way; `write` issued it.
    kAsyncOwner = 8,  ///< Landed; write_clock is of async_owner, not of the thread of `write`.
  };

  /// Clocks are 0 where there is nothing to race with.
  struct Cell {
    uint32_t epoch;  ///< Of the clocks.
    uint32_t write_clock, read_clock;
    AccessPoint write, read;
    uint32_t readers;  ///< Earlier reads that are not ordered before `read`: a list in readers_, 0 is its end.
    uint32_t atomics;  ///< Since the write: a list like that.
    uint32_t split;
    uint16_t async_reads;
    uint8_t flags;
    uint8_t async_owner;  ///< Beside the threads.

    bool operator==(const Cell&) const = default;
  };
  struct Reader {
    uint32_t clock;
    AccessPoint at;
    uint32_t next;
    uint32_t length;  ///< Of the list from here on.
    bool writes;      ///< Of an atomic.
  };
  struct Pending {
    size_t offset = 0, bytes = 0;
    AccessPoint at;
    bool is_read = false;
    Snapshot issue;  ///< Of a write.
  };

  void Refresh(Cell& cell) const;
  /// Whether the byte may be accessed at all.
  bool IsAccessible(const Cell& cell, size_t offset, SharedProblem* problem);
  bool KnowsWrite(const Cell& cell, uint32_t thread) const;
  bool KnowsAtomics(const Cell& cell, uint32_t thread) const;
  void OnRead(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void NoteBadRead(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void OnWrite(Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void NoteRacingReaders(const Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  /// A plain access against the atomics, of which a read conflicts with those that write.
  void NoteRacingAtomics(const Cell& cell, AccessPoint at, bool writes, size_t offset, SharedProblem* problem);
  void OnAtomic(Cell& cell, AccessPoint at, AccessKind kind, size_t offset, SharedProblem* problem);
  void PushAtomic(Cell& cell, AccessPoint at, bool writes);
  /// `kind` and `what` are those of a write that is not asynchronous.
  void NoteUnknownWrite(const Cell& cell, AccessPoint at, std::string_view kind, std::string_view what, size_t offset,
                        SharedProblem* problem);
  /// A write against the last one, and against asynchronous reads.
  void NoteRacingWriter(const Cell& cell, AccessPoint at, size_t offset, SharedProblem* problem);
  void RecordRead(Cell& cell, AccessPoint at);
  void PushReader(Cell& cell);
  /// Of each thread in the list at `head`, its newest access, and its newest that writes: the new head.
  uint32_t DropRepeatedReaders(uint32_t head);
  AsyncToken AddPending(Pending pending);
  AccessPoint PendingReadOf(size_t offset) const;

  VectorClocks& clocks_;
  size_t bytes_ = 0;
  const RedZone* red_zones_ = nullptr;
  ShadowWords<Cell> words_;
  uint32_t epoch_ = 1;
  std::vector<Reader> readers_;   ///< Never changed within an epoch, as cells may share lists. [0] is nobody.
  std::vector<Pending> pending_;  ///< Token i is [i - 1].
  std::vector<AsyncToken> free_tokens_;
  VectorClocks::Atomics atomics_;
};

}  // namespace mmtune::simt
