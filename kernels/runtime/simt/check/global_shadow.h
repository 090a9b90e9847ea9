// What check mode knows of the global memory that a launch can access: its ends, and the last accesses of its words by
// threads of any block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/runtime/simt/abi.h"
#include "kernels/runtime/simt/check/access_point.h"
#include "kernels/runtime/simt/check/shadow_words.h"
#include "kernels/runtime/simt/check/vector_clocks.h"
#include "kernels/runtime/simt/device_memory.h"

namespace mmtune::simt {

struct GlobalProblem {
  std::string_view kind;  ///< As Finding has it; empty: nothing is wrong.
  std::string_view what;  ///< "which another block has written, and …": goes on after the access and its address.
  const char* address = nullptr;
  AccessPoint other;
  uint64_t other_block = 0;
};

/// Of a word the last write and two reads are kept that are not ordered: the last, and the one that is least likely to
/// be ordered with what is ordered with that: of another block, else of another warp. A writer is found to race with a
/// third reader only if it races with one of these. The same holds for two writing atomics; of those that only read it
/// is the last.
class GlobalShadow {
 public:
  explicit GlobalShadow(VectorClocks& clocks) : clocks_(clocks) {}

  absl::Status Create(const DeviceMemory& memory);
  /// Memory that is no allocation.
  absl::Status Add(const void* begin, size_t bytes);

  struct Region {
    const char* begin;
    const char* end;
  };
  /// The allocation that all of [address, address + bytes) lies in; null when there is none.
  const Region* Find(const void* address, size_t bytes);

  /// Of bytes of `region`.
  GlobalProblem Access(const Region* region, AccessPoint at, const void* address, size_t bytes, AccessKind kind);

 private:
  /// By a thread of a block, counted from 1; block 0 is nobody.
  struct Touch {
    uint32_t block, clock;
    AccessPoint at;
    bool operator==(const Touch&) const = default;
  };
  struct Cell {
    Touch write, read, earlier_read;
    Touch atomic_write, earlier_atomic_write, atomic_read;
    uint32_t split;
    bool operator==(const Cell&) const = default;
  };
  struct ShadowedRegion : Region {
    ShadowWords<Cell> words;
  };

  bool IsOrdered(const Touch& touch, uint32_t thread) const;
  static int Closeness(const Touch& a, const Touch& b);
  /// `now` follows `last`, of which `earlier` was kept.
  void Keep(Touch& last, Touch& earlier, const Touch& now) const;
  bool Check(const Touch& touch, AccessPoint at, std::string_view kind, std::string_view what,
             GlobalProblem* problem) const;
  void OnRead(Cell& cell, AccessPoint at, GlobalProblem* problem);
  void OnWrite(Cell& cell, AccessPoint at, GlobalProblem* problem);
  void OnAtomic(Cell& cell, AccessPoint at, AccessKind kind, GlobalProblem* problem);
  Touch Now(AccessPoint at) const { return {static_cast<uint32_t>(clocks_.block()) + 1, clocks_.Now(at.thread()), at}; }

  VectorClocks& clocks_;
  std::vector<ShadowedRegion> regions_;
  size_t last_ = 0;
  VectorClocks::Atomics atomics_;
};

}  // namespace mmtune::simt
