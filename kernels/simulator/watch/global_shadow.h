// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the global memory that a launch can access: its ends, and the last accesses of its words by
// threads of any block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/memory/device_memory.h"
#include "kernels/simulator/watch/shadow_words.h"
#include "kernels/simulator/watch/vector_clocks.h"

namespace mmtune::simt {

struct GlobalProblem {
  std::string_view kind;  ///< As Finding has it; empty: nothing is wrong.
  std::string_view what;  ///< "which another block has written, and …": goes on after the access and its address.
  const char* address = nullptr;
  AccessPoint other;
  uint64_t other_block = 0;
};

/// For each word it keeps the last write, and those reads and atomic accesses since then that are not known to come
/// before another one of their kind: a write is compared with each of them. Blocks run one after the other, so of
/// blocks that have ended, and that nobody can know of, one access says as much as all. `max_earlier` bounds the memory
/// that this takes: beyond it, further accesses take the place of the last one of their kind.
class GlobalShadow {
 public:
  /// 400 MB.
  static constexpr size_t kMaxEarlier = size_t{1} << 24;

  explicit GlobalShadow(VectorClocks& clocks, size_t max_earlier = kMaxEarlier)
      : clocks_(clocks), max_earlier_(max_earlier), earlier_(1) {}

  absl::Status Create(const DeviceMemory& memory);
  /// A variable of the module; outlives this.
  absl::Status Add(const Variable& variable);

  struct Region {
    const char* begin = nullptr;
    const char* end = nullptr;
    const Variable* variable = nullptr;  ///< Null for an allocation.
  };
  /// The allocation or variable that all of [address, address + bytes) lies in; null when there is none.
  const Region* Find(const void* address, size_t bytes);

  /// A block begins, or all of its threads have met.
  void BeginEpoch();
  /// Of bytes of `region`.
  GlobalProblem Access(const Region* region, AccessPoint at, const void* address, size_t bytes, AccessKind kind);

 private:
  /// By a thread of a block, counted from 1; block 0 is nobody.
  struct Touch {
    uint32_t block, clock;
    AccessPoint at;
    bool operator==(const Touch&) const = default;
  };
  /// Accesses of one kind.
  struct Touches {
    Touch last;
    Touch ended;       ///< One of a block that had ended before that of `last`; kept once blocks can be known.
    uint32_t earlier;  ///< Others that no later one is known to follow: a list in earlier_, in the epoch `epoch` only.
    uint32_t epoch;
    bool operator==(const Touches&) const = default;
  };
  struct Cell {
    Touch write;
    Touches reads;
    uint32_t split;
    bool operator==(const Cell&) const = default;
  };
  struct AtomicCell {
    Touches writes, reads;
    uint32_t split;
    bool operator==(const AtomicCell&) const = default;
  };
  struct ShadowedRegion : Region {
    ShadowWords<Cell> words;
    ShadowWords<AtomicCell> atomic_words;
    bool has_atomics = false;
  };
  struct Earlier {
    Touch touch;
    uint32_t next;
    uint32_t length;  ///< Of the list from here on.
    uint32_t limit;   ///< Of its length, before it is searched for what need not be kept.
  };

  absl::Status Add(const void* begin, size_t bytes, const Variable* variable);
  bool IsOrdered(const Touch& touch, uint32_t thread) const;
  /// `observes`: an atomic that reads what the last one wrote, and so follows that.
  void Add(Touches& touches, const Touch& now, bool observes);
  void Push(Touches& touches, uint32_t thread);
  /// The list at `head` without those that `thread` is ordered after, and of each thread but its newest.
  uint32_t Prune(uint32_t head, uint32_t thread);
  bool NoteIfRacing(const Touch& touch, AccessPoint at, std::string_view what, GlobalProblem* problem) const;
  void NoteIfRacing(const Touches& touches, AccessPoint at, std::string_view what, GlobalProblem* problem) const;
  void OnRead(Cell& cell, AccessPoint at, GlobalProblem* problem);
  void OnWrite(Cell& cell, AccessPoint at, GlobalProblem* problem);
  void OnAtomic(Cell& cell, AccessPoint at, AccessKind kind, GlobalProblem* problem);
  void OnRead(AtomicCell& cell, AccessPoint at, GlobalProblem* problem);
  void OnWrite(AtomicCell& cell, AccessPoint at, GlobalProblem* problem);
  void OnAtomic(AtomicCell& cell, AccessPoint at, AccessKind kind, GlobalProblem* problem);
  /// Calls the function above of `Words`'s cells that `kind` asks for.
  template <typename Words>
  void Visit(Words& words, const Region& region, AccessPoint at, size_t offset, size_t bytes, AccessKind kind,
             GlobalProblem* problem);
  Touch Now(AccessPoint at) const { return {static_cast<uint32_t>(clocks_.block()) + 1, clocks_.Now(at.thread()), at}; }

  VectorClocks& clocks_;
  const size_t max_earlier_;
  std::map<const char*, ShadowedRegion> regions_;  ///< By their ends.
  ShadowedRegion* last_ = nullptr;                 ///< That was found.
  uint32_t epoch_ = 1;
  std::vector<Earlier> earlier_;  ///< Lists are never changed, as cells may share them. [0] is nobody.
  VectorClocks::Atomics atomics_;
};

}  // namespace mmtune::simt
