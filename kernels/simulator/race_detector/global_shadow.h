// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race detector's record (shadow) of global memory: its bounds, and the last accesses of each word by threads of
// any block. An access that is not ordered (by the vector clocks of vector_clocks.h) after a conflicting earlier one is
// a data race. RaceMonitor uses this class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/memory/device_memory.h"
#include "kernels/simulator/race_detector/shadow_words.h"
#include "kernels/simulator/race_detector/vector_clocks.h"

namespace mmtune::simt {

/// The first problem of an access.
struct GlobalProblem {
  std::string_view kind;  ///< Finding::kind; empty if there is no problem.
  std::string_view what;  ///< The end of a sentence about the access: "which another block has written, and ...".
  const char* address = nullptr;  ///< The first byte that has the problem.
  AccessPoint other;              ///< The other access.
  uint64_t other_block = 0;       ///< The block of that access.
  bool is_write = false;          ///< True if both accesses are ordinary writes.
};

/// Keeps, for each word, the last ordinary write, and the reads and atomics since then, and compares each new access
/// with them. A read or atomic is dropped once a later one of its kind is ordered after it, because an access that
/// races with it then races with the later one, too.
///
/// Blocks run one after the other, so one access can represent those of all blocks that have ended, unless threads
/// synchronise between blocks. `max_earlier` limits how many accesses are kept in addition to the last one of each
/// kind; further ones are dropped, so races with them are not found. Not thread-safe.
class GlobalShadow {
 public:
  /// The default of `max_earlier`. The accesses that it allows take up to 400 MB.
  static constexpr size_t kMaxEarlier = size_t{1} << 24;

  explicit GlobalShadow(VectorClocks& clocks, size_t max_earlier = kMaxEarlier)
      : clocks_(clocks), max_earlier_(max_earlier), earlier_(1) {}

  /// Prepares for all allocations of `memory`. Returns ResourceExhausted if there is not enough address space.
  absl::Status Create(const DeviceMemory& memory);
  /// Adds a variable of the kernel's module, which must outlive this object. Returns ResourceExhausted if there is not
  /// enough address space.
  absl::Status Add(const Variable& variable);

  /// An allocation or a variable.
  struct Region {
    const char* begin = nullptr;
    const char* end = nullptr;
    const Variable* variable = nullptr;  ///< Null for an allocation.
    bool is_read_only = false;           ///< A constant, or an allocation that kernels only read.
  };
  /// Returns the region that contains [address, address + bytes); null if there is none.
  const Region* Find(const void* address, size_t bytes);

  /// Begins an epoch, the time between two synchronisations of the whole block. Must be called when a block begins, and
  /// when all threads of the block have synchronised.
  void BeginEpoch();
  /// True if the bytes are in one allocation that kernels only read, so that reads of them need no check.
  bool IsReadOnly(const void* address, size_t bytes) const {
    const char* at = static_cast<const char*>(address);
    for (const ReadOnlyRange& range : read_only_) {
      if (at >= range.begin && at < range.end) return bytes <= static_cast<size_t>(range.end - at);
    }
    return false;
  }
  /// Checks and records an access of bytes in `region`. The access must not be a write if the region is read-only.
  GlobalProblem Access(const Region* region, AccessPoint at, const void* address, size_t bytes, AccessKind kind);

 private:
  /// A recorded access. Blocks are counted from 1; block 0 means that there is no access.
  struct PastAccess {
    uint32_t block, clock;
    AccessPoint at;
    bool operator==(const PastAccess&) const = default;
  };
  /// The recorded accesses of one kind to a word.
  struct AccessHistory {
    PastAccess last;
    /// An access by a block that ended before the block of `last`. It represents those of all blocks that have ended,
    /// until a thread executes a fence or a releasing atomic (VectorClocks::has_published()). From then on it is kept,
    /// and others are added to `earlier`.
    PastAccess ended;
    /// Other accesses that are not ordered before `last`: a list in earlier_, valid in the epoch `epoch`.
    uint32_t earlier;
    uint32_t epoch;
    bool operator==(const AccessHistory&) const = default;
  };
  /// The accesses of a word that are recorded: the last ordinary write, and the reads since then.
  struct Cell {
    PastAccess write;
    AccessHistory reads;
    uint32_t split;  ///< Used by ShadowWords: if not 0, the bytes of the word have cells of their own.
    bool operator==(const Cell&) const = default;
  };
  /// The atomics of a word that are recorded.
  struct AtomicCell {
    AccessHistory writes, reads;
    uint32_t split;  ///< Like Cell::split.
    bool operator==(const AtomicCell&) const = default;
  };
  struct ShadowedRegion : Region {
    ShadowWords<Cell> words;
    ShadowWords<AtomicCell> atomic_words;
    bool has_atomics = false;
  };
  struct ReadOnlyRange {
    const char *begin, *end;
  };
  struct EarlierAccess {
    PastAccess access;
    uint32_t next;
    uint32_t length;  ///< The length of the list from here on.
    uint32_t limit;   ///< The length at which the list is pruned.
  };

  absl::Status Add(const void* begin, size_t bytes, const Variable* variable, bool is_read_only);
  bool IsOrdered(const PastAccess& access, uint32_t thread) const;
  /// Adds an access. `observes` is true for an atomic that has read the value of `history.last`, and so is ordered
  /// after that.
  void Add(AccessHistory& history, const PastAccess& now, bool observes);
  void Push(AccessHistory& history, uint32_t thread);
  /// Returns the list at `head` without accesses that `thread` is ordered after, and with only the newest of each
  /// thread.
  uint32_t Prune(uint32_t head, uint32_t thread);
  bool ReportIfRacing(const PastAccess& access, AccessPoint at, std::string_view what, GlobalProblem* problem) const;
  void ReportIfRacing(const AccessHistory& history, AccessPoint at, std::string_view what,
                      GlobalProblem* problem) const;
  void OnRead(Cell& cell, AccessPoint at, GlobalProblem* problem);
  void OnWrite(Cell& cell, AccessPoint at, GlobalProblem* problem);
  void OnAtomic(Cell& cell, AccessPoint at, AccessKind kind, GlobalProblem* problem);
  void OnRead(AtomicCell& cell, AccessPoint at, GlobalProblem* problem);
  void OnWrite(AtomicCell& cell, AccessPoint at, GlobalProblem* problem);
  void OnAtomic(AtomicCell& cell, AccessPoint at, AccessKind kind, GlobalProblem* problem);
  /// Calls OnRead(), OnWrite() or OnAtomic() for each cell.
  template <typename Words>
  void Visit(Words& words, const Region& region, AccessPoint at, size_t offset, size_t bytes, AccessKind kind,
             GlobalProblem* problem);
  PastAccess Now(AccessPoint at) const {
    return {static_cast<uint32_t>(clocks_.block()) + 1, clocks_.Now(at.thread()), at};
  }

  VectorClocks& clocks_;
  const size_t max_earlier_;
  std::map<const char*, ShadowedRegion> regions_;  ///< By end address.
  std::vector<ReadOnlyRange> read_only_;           ///< The allocations that kernels only read.
  ShadowedRegion* last_ = nullptr;                 ///< The region that Find() returned last.
  uint32_t epoch_ = 1;
  std::vector<EarlierAccess>
      earlier_;  ///< Nodes of linked lists. Cells may share them, so they never change. [0] ends a list.
  VectorClocks::Atomics atomics_;
};

}  // namespace mmtune::simt
