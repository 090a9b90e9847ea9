#include "kernels/runtime/simt/check/global_shadow.h"

#include <utility>

namespace mmtune::simt {

absl::Status GlobalShadow::Create(const DeviceMemory& memory) {
  for (const auto& [begin, bytes] : memory.Allocations()) {
    ShadowedRegion region;
    region.begin = reinterpret_cast<const char*>(begin);
    region.end = region.begin + bytes;
    if (absl::Status status = region.words.Create(bytes); !status.ok()) return status;
    regions_.push_back(std::move(region));
  }
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
  if (!IsOrdered(cell.read, at.thread())) cell.earlier_read = cell.read;
  cell.read = now;
}

inline void GlobalShadow::OnWrite(Cell& cell, AccessPoint at, GlobalProblem* problem) {
  constexpr std::string_view kRead = "which another thread has read, and nothing orders the write after that";
  Check(cell.write, at, "global-race", "which another thread has written, and nothing orders the two writes", problem);
  if (cell.read.block != 0) {
    Check(cell.read, at, "global-race", kRead, problem);
    Check(cell.earlier_read, at, "global-race", kRead, problem);
    cell.read = cell.earlier_read = {};
  }
  cell.write = Now(at);
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
  // Ordered after the atomics on this address that came before, an atomic cannot race with them.
  const auto key = reinterpret_cast<uintptr_t>(address);
  if (kind == AccessKind::kAtomic) atomics_.Acquire(clocks_, at.thread(), key, bytes);
  words.ForEach(offset, bytes, [&](Cell& cell, size_t byte) {
    OnWrite(cell, at, &problem);
    note_address(byte);
  });
  if (kind == AccessKind::kAtomic) atomics_.Release(clocks_, at.thread(), key, bytes);
  return problem;
}

}  // namespace mmtune::simt
