#include "kernels/runtime/simt/check/global_shadow.h"

#include <utility>

#include "kernels/runtime/simt/gpu_thread.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

constexpr std::string_view kWritten = "which another thread has written, and nothing orders the two writes";
constexpr std::string_view kRead = "which another thread has read, and nothing orders the write after that";
constexpr std::string_view kAnyWritten = "which another thread has written, and nothing orders the atomic after that";
constexpr std::string_view kAtomicallyWritten =
    "which another thread has written atomically, and nothing orders this access after that";
constexpr std::string_view kAtomicallyRead =
    "which another thread has read atomically, and nothing orders the write after that";

}  // namespace

absl::Status GlobalShadow::Create(const DeviceMemory& memory) {
  for (const auto& [begin, bytes] : memory.Allocations()) {
    RETURN_IF_ERROR(Add(reinterpret_cast<const void*>(begin), bytes));
  }
  return absl::OkStatus();
}

absl::Status GlobalShadow::Add(const void* begin, size_t bytes) {
  ShadowedRegion region;
  region.begin = static_cast<const char*>(begin);
  region.end = region.begin + bytes;
  RETURN_IF_ERROR(region.words.Create(bytes));
  regions_.push_back(std::move(region));
  return absl::OkStatus();
}

const GlobalShadow::Region* GlobalShadow::Find(const void* address, size_t bytes) {
  const char* at = static_cast<const char*>(address);
  for (size_t tries = 0; tries < regions_.size(); ++tries) {
    const ShadowedRegion& region = regions_[last_];
    if (at >= region.begin && at < region.end) {
      return bytes <= static_cast<size_t>(region.end - at) ? &region : nullptr;
    }
    last_ = last_ + 1 == regions_.size() ? 0 : last_ + 1;
  }
  return nullptr;
}

inline bool GlobalShadow::IsOrdered(const Touch& touch, uint32_t thread) const {
  if (touch.block == 0) return true;
  const uint64_t block = touch.block - 1;
  if (block == static_cast<uint32_t>(clocks_.block())) return clocks_.Knows(thread, touch.at.thread(), touch.clock);
  return clocks_.KnowsOther(thread, block, touch.at.thread(), touch.clock);
}

/// 2 in one warp, 1 in one block, 0 in two.
int GlobalShadow::Closeness(const Touch& a, const Touch& b) {
  if (a.block != b.block) return 0;
  return a.at.thread() / kWarpSize == b.at.thread() / kWarpSize ? 2 : 1;
}

inline void GlobalShadow::Keep(Touch& last, Touch& earlier, const Touch& now) const {
  const uint32_t thread = now.at.thread();
  if (!IsOrdered(last, thread)) {
    const bool is_farther = earlier.block != 0 && Closeness(earlier, now) < Closeness(last, now);
    if (!is_farther || IsOrdered(earlier, thread)) earlier = last;
  }
  last = now;
}

bool GlobalShadow::Check(const Touch& touch, AccessPoint at, std::string_view kind, std::string_view what,
                         GlobalProblem* problem) const {
  if (IsOrdered(touch, at.thread())) return true;
  if (problem->kind.empty()) *problem = {kind, what, nullptr, touch.at, touch.block - 1};
  return false;
}

inline void GlobalShadow::OnRead(Cell& cell, AccessPoint at, GlobalProblem* problem) {
  const Touch now = Now(at);
  if (cell.read == now) return;
  if (cell.write.block != 0) {
    Check(cell.write, at, "global-race", "which another thread has written, and nothing orders the read after that",
          problem);
  }
  if (cell.atomic_write.block != 0) {
    Check(cell.atomic_write, at, "global-race", kAtomicallyWritten, problem);
    Check(cell.earlier_atomic_write, at, "global-race", kAtomicallyWritten, problem);
  }
  Keep(cell.read, cell.earlier_read, now);
}

inline void GlobalShadow::OnWrite(Cell& cell, AccessPoint at, GlobalProblem* problem) {
  Check(cell.write, at, "global-race", kWritten, problem);
  Check(cell.atomic_write, at, "global-race", kAtomicallyWritten, problem);
  Check(cell.earlier_atomic_write, at, "global-race", kAtomicallyWritten, problem);
  Check(cell.atomic_read, at, "global-race", kAtomicallyRead, problem);
  cell.atomic_write = cell.earlier_atomic_write = cell.atomic_read = {};
  if (cell.read.block != 0) {
    Check(cell.read, at, "global-race", kRead, problem);
    Check(cell.earlier_read, at, "global-race", kRead, problem);
    cell.read = cell.earlier_read = {};
  }
  cell.write = Now(at);
}

inline void GlobalShadow::OnAtomic(Cell& cell, AccessPoint at, AccessKind kind, GlobalProblem* problem) {
  Check(cell.write, at, "global-race", kAnyWritten, problem);
  if (!Writes(kind)) {
    cell.atomic_read = Now(at);
    return;
  }
  Check(cell.read, at, "global-race", kRead, problem);
  Check(cell.earlier_read, at, "global-race", kRead, problem);
  Keep(cell.atomic_write, cell.earlier_atomic_write, Now(at));
}

GlobalProblem GlobalShadow::Access(const Region* region, AccessPoint at, const void* address, size_t bytes,
                                   AccessKind kind) {
  GlobalProblem problem;
  const size_t offset = static_cast<const char*>(address) - region->begin;
  ShadowWords<Cell>& words = const_cast<ShadowedRegion*>(static_cast<const ShadowedRegion*>(region))->words;
  auto note_address = [&](size_t byte) {
    if (!problem.kind.empty() && problem.address == nullptr) problem.address = region->begin + byte;
  };
  if (kind == AccessKind::kRead) {
    words.ForEach(offset, bytes, [&](Cell& cell, size_t byte) {
      OnRead(cell, at, &problem);
      note_address(byte);
    });
    return problem;
  }
  if (IsAtomic(kind)) {
    atomics_.Access(clocks_, at.thread(), reinterpret_cast<uintptr_t>(address), bytes, kind);
    words.ForEach(offset, bytes, [&](Cell& cell, size_t byte) {
      OnAtomic(cell, at, kind, &problem);
      note_address(byte);
    });
    return problem;
  }
  words.ForEach(offset, bytes, [&](Cell& cell, size_t byte) {
    OnWrite(cell, at, &problem);
    note_address(byte);
  });
  return problem;
}

}  // namespace mmtune::simt
