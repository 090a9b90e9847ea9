// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/memory/device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "proto/base/process_guard.h"
#include "proto/base/status.h"
#include "proto/base/whole_numbers.h"

namespace mmtune::simt {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kGuardBytes = 64 * 1024;
constexpr size_t kHugePageBytes = size_t{2} << 20;
constexpr size_t kAlignment = 256;

/// Maps memory at a multiple of `alignment`; null when there is none.
char* Map(size_t bytes, size_t alignment) {
  const size_t slack = alignment > kPageBytes ? alignment : 0;
  void* mapping =
      mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  char* first = static_cast<char*>(mapping);
  const auto address = reinterpret_cast<uintptr_t>(first);
  const size_t before = slack == 0 ? 0 : RoundUp(address, alignment) - address;
  if (before > 0) munmap(first, before);
  if (before < slack) munmap(first + before + bytes, slack - before);
  return first + before;
}

std::string Hex(DevicePtr ptr) { return absl::StrCat("0x", absl::Hex(ptr)); }

absl::Status MemoryError(size_t bytes) {
  return ResourceExhausted(absl::StrCat("no memory for ", bytes, " bytes of shared memory: ", std::strerror(errno)));
}

}  // namespace

int64_t PhysicalMemoryBytes() {
  int64_t bytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
  const std::optional<GroupMemory> group = MemoryOfGroup();
  return group && group->limit_bytes > 0 ? std::min(bytes, group->limit_bytes) : bytes;
}

DeviceMemory::~DeviceMemory() {
  for (auto& [ptr, allocation] : allocations_) {
    if (allocation.mapping != nullptr) munmap(allocation.mapping, allocation.mapping_bytes);
  }
}

absl::StatusOr<DevicePtr> DeviceMemory::Allocate(size_t bytes) {
  if (bytes == 0) return InvalidArgument("Allocate: the size must be above 0, got 0 bytes");
  const int64_t unused = capacity_ - allocated_;
  const int64_t left = std::min(unused, AvailableMemoryBytes().value_or(unused));
  if (bytes > static_cast<size_t>(std::max<int64_t>(left, 0))) {
    return ResourceExhausted(absl::StrCat("Allocate: ", bytes, " bytes, but only ", left, " are left"));
  }
  const size_t usable = RoundUp(bytes, kPageBytes);
  Allocation allocation{bytes, nullptr, usable + kGuardBytes};
  const size_t huge = usable / kHugePageBytes * kHugePageBytes;
  allocation.mapping = Map(allocation.mapping_bytes, huge > 0 ? kHugePageBytes : kPageBytes);
  if (allocation.mapping == nullptr) {
    return ResourceExhausted(absl::StrCat("Allocate: ", bytes, " bytes: ", std::strerror(errno)));
  }
  // Whole huge pages only, so that no memory is used that was not asked for. Failure leaves small pages.
  if (huge > 0) madvise(allocation.mapping, huge, MADV_HUGEPAGE);
  mprotect(allocation.mapping + usable, kGuardBytes, PROT_NONE);
  const auto ptr = reinterpret_cast<DevicePtr>(allocation.mapping + usable - RoundUp(bytes, kAlignment));
  // Memory that was registered at these addresses has been freed by the host since.
  const auto begin = reinterpret_cast<DevicePtr>(allocation.mapping);
  allocations_.erase(allocations_.lower_bound(begin), allocations_.lower_bound(begin + allocation.mapping_bytes));
  allocations_.emplace(ptr, allocation);
  allocated_ += static_cast<int64_t>(bytes);
  return ptr;
}

absl::Status DeviceMemory::Free(DevicePtr ptr) {
  if (ptr == 0) return absl::OkStatus();
  auto it = allocations_.find(ptr);
  if (it == allocations_.end() || it->second.mapping == nullptr) {
    return InvalidArgument(
        absl::StrCat("Free: ", Hex(ptr), " is not an allocation of this device, or was freed before"));
  }
  munmap(it->second.mapping, it->second.mapping_bytes);
  allocated_ -= static_cast<int64_t>(it->second.bytes);
  allocations_.erase(it);
  return absl::OkStatus();
}

absl::Status DeviceMemory::Register(DevicePtr ptr, size_t bytes) {
  auto next = allocations_.lower_bound(ptr);
  const bool overlaps_next = next != allocations_.end() && next->first - ptr < bytes;
  const bool overlaps_last =
      next != allocations_.begin() && ptr - std::prev(next)->first < std::prev(next)->second.bytes;
  if (overlaps_next || overlaps_last) {
    return InvalidArgument(absl::StrCat(bytes, " bytes at ", Hex(ptr),
                                        " overlap another registered range or an allocation of the device: register "
                                        "each buffer once, as a whole, or unregister the other range first "
                                        "(gpu.host_unregister)"));
  }
  allocations_.emplace(ptr, Allocation{bytes, nullptr, 0});
  return absl::OkStatus();
}

absl::Status DeviceMemory::Unregister(DevicePtr ptr) {
  auto it = allocations_.find(ptr);
  if (it == allocations_.end() || it->second.mapping != nullptr) {
    return InvalidArgument(absl::StrCat("UnregisterHost: ", Hex(ptr), " is not registered"));
  }
  allocations_.erase(it);
  return absl::OkStatus();
}

absl::Status DeviceMemory::Check(DevicePtr ptr, size_t bytes, std::string_view call) const {
  auto it = allocations_.upper_bound(ptr);
  if (it != allocations_.begin()) {
    --it;
    const size_t offset = ptr - it->first;
    if (offset <= it->second.bytes && bytes <= it->second.bytes - offset) return absl::OkStatus();
  }
  return InvalidArgument(absl::StrCat(ToAbsl(call), ": ", bytes, " bytes at ", Hex(ptr), " are not in one allocation (",
                                      Describe(reinterpret_cast<const void*>(ptr)), ")"));
}

absl::Status DeviceMemory::SetReadOnly(DevicePtr ptr) {
  auto it = allocations_.find(ptr);
  if (it == allocations_.end()) {
    return InvalidArgument(absl::StrCat("SetReadOnly: ", Hex(ptr), " is not the beginning of an allocation"));
  }
  it->second.is_read_only = true;
  return absl::OkStatus();
}

std::vector<DeviceMemory::Range> DeviceMemory::Allocations() const {
  std::vector<Range> all;
  for (const auto& [ptr, allocation] : allocations_) all.push_back({ptr, allocation.bytes, allocation.is_read_only});
  return all;
}

std::string DeviceMemory::Describe(const void* address) const {
  const auto at = reinterpret_cast<DevicePtr>(address);
  auto next = allocations_.upper_bound(at);
  if (next != allocations_.begin()) {
    auto before = std::prev(next);
    const size_t offset = at - before->first;
    const bool own = before->second.mapping != nullptr;
    const std::string name = absl::StrCat(own ? "an allocation" : "registered host memory", " of ",
                                          before->second.bytes, " bytes at ", Hex(before->first));
    if (offset < before->second.bytes) return absl::StrCat("byte ", offset, " of ", name);
    if (offset < before->second.bytes + kGuardBytes) {
      return absl::StrCat(offset - before->second.bytes, " bytes past the end of ", name);
    }
  }
  if (next != allocations_.end() && next->first - at <= kGuardBytes) {
    return absl::StrCat(next->first - at, " bytes before an allocation of ", next->second.bytes, " bytes at ",
                        Hex(next->first));
  }
  return "in no allocation";
}

SharedArena::~SharedArena() {
  if (mapping_ != nullptr) munmap(mapping_, kMappingBytes);
}

absl::Status SharedArena::Resize(size_t bytes, uint32_t blocks) {
  if (bytes > kArenaAlignment) {
    return InvalidArgument(
        absl::StrCat(bytes, " bytes of shared memory exceed the limit of the SIMT device, ", kArenaAlignment));
  }
  if (mapping_ == nullptr) {
    void* mapping = mmap(nullptr, kMappingBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return MemoryError(bytes);
    mapping_ = static_cast<char*>(mapping);
    // Never at the begin of the mapping, so that accesses just before the arena are recognised.
    base_ = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(mapping_) + kArenaAlignment) & ~(kArenaAlignment - 1));
  }
  for (uint32_t rank = 0; rank < kMaxClusterBlocks; ++rank) {
    const size_t wanted = rank < blocks ? RoundUp(bytes, kPageBytes) : 0;
    size_t& accessible = accessible_[rank];
    const size_t from = std::min(wanted, accessible), to = std::max(wanted, accessible);
    const int protection = wanted > accessible ? PROT_READ | PROT_WRITE : PROT_NONE;
    if (from != to && mprotect(base(rank) + from, to - from, protection) != 0) return MemoryError(bytes);
    accessible = wanted;
  }
  return absl::OkStatus();
}

}  // namespace mmtune::simt
