// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/memory/shared_arena.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

constexpr size_t kPageBytes = 4096;
// An aligned arena, what aligning it takes before it, and an inaccessible stretch after it.
constexpr size_t kMappingBytes = 3 * kArenaAlignment;

absl::Status MemoryError(size_t bytes) {
  return ResourceExhausted(absl::StrCat("no memory for ", bytes, " bytes of shared memory: ", std::strerror(errno)));
}

}  // namespace

SharedArena::~SharedArena() {
  if (mapping_ != nullptr) munmap(mapping_, kMappingBytes);
}

absl::Status SharedArena::Resize(size_t bytes) {
  if (bytes > kArenaAlignment) {
    return InvalidArgument(absl::StrCat(bytes, " bytes of shared memory exceed the arena's ", kArenaAlignment));
  }
  if (mapping_ == nullptr) {
    void* mapping = mmap(nullptr, kMappingBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return MemoryError(bytes);
    mapping_ = static_cast<char*>(mapping);
    // Never at the mapping's begin, so that accesses just before the arena are known for what they are.
    base_ = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(mapping_) + kArenaAlignment) & ~(kArenaAlignment - 1));
  }
  const size_t wanted = (bytes + kPageBytes - 1) & ~(kPageBytes - 1);
  if (wanted > accessible_ && mprotect(base_ + accessible_, wanted - accessible_, PROT_READ | PROT_WRITE) != 0) {
    return MemoryError(bytes);
  }
  if (wanted < accessible_ && mprotect(base_ + wanted, accessible_ - wanted, PROT_NONE) != 0) return MemoryError(bytes);
  accessible_ = wanted;
  return absl::OkStatus();
}

bool SharedArena::Contains(const void* address) const {
  const char* at = static_cast<const char*>(address);
  return mapping_ != nullptr && at >= mapping_ && at < mapping_ + kMappingBytes;
}

}  // namespace mmtune::simt
