// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of the SIMT device (the simulator): global memory with bounds checks and a capacity, and the shared memory
// of a block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"
#include "kernels/simulator/abi/abi.h"

namespace mmtune::simt {

/// Returns the memory of the machine in bytes, or the limit of its control group if that is less.
int64_t PhysicalMemoryBytes();

/// Global memory. Each allocation has pages of its own and is aligned to 256 bytes. An inaccessible page follows it, so
/// that most accesses beyond its end fault. Large allocations use huge pages where possible, which makes filling them
/// about four times as fast. Not thread-safe.
class DeviceMemory {
 public:
  /// Limits the sum of all allocations to `capacity` bytes.
  explicit DeviceMemory(int64_t capacity) : capacity_(capacity) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Allocates zeroed memory. Returns ResourceExhausted if the capacity or the machine has not enough memory left, and
  /// InvalidArgument for 0 bytes, as the CUDA driver does.
  absl::StatusOr<DevicePtr> Allocate(size_t bytes);
  /// Frees an allocation. Returns InvalidArgument if `ptr` is not one.
  absl::Status Free(DevicePtr ptr);

  /// Makes host memory accessible to kernels, until Unregister(). Returns InvalidArgument if it overlaps an allocation
  /// or registered memory.
  absl::Status Register(DevicePtr ptr, size_t bytes);
  /// Ends the access of kernels to host memory. Returns InvalidArgument if no registered memory begins at `ptr`.
  absl::Status Unregister(DevicePtr ptr);

  /// Returns InvalidArgument unless [ptr, ptr + bytes) lies in one allocation. `call` names the operation in the error.
  absl::Status Check(DevicePtr ptr, size_t bytes, std::string_view call) const;

  /// Declares that kernels only read an allocation, or registered memory, from now on. The race detector then reports
  /// every write to it, and need not record the reads. Returns InvalidArgument if `ptr` is not the beginning of an
  /// allocation or of registered memory.
  absl::Status SetReadOnly(DevicePtr ptr);

  /// An allocation, or registered host memory.
  struct Range {
    DevicePtr ptr = 0;
    size_t bytes = 0;
    bool is_read_only = false;
  };
  /// Returns all allocations and all registered host memory, sorted by address.
  std::vector<Range> Allocations() const;

  /// Describes where an address lies, for reports: "64 bytes past an allocation of 4096 bytes at 0x…".
  std::string Describe(const void* address) const;

 private:
  struct Allocation {
    size_t bytes = 0;
    char* mapping = nullptr;  ///< Null for registered host memory.
    size_t mapping_bytes = 0;
    bool is_read_only = false;
  };

  const int64_t capacity_;
  int64_t allocated_ = 0;
  std::map<DevicePtr, Allocation> allocations_;
};

/// The shared memory of a block, or that of each block of a cluster. It is aligned to kArenaAlignment (256 KiB), so the
/// low 18 bits of an address are its offset, as the matrix descriptors of tensor cores expect. Pages behind its end are
/// inaccessible. Not thread-safe.
class SharedArena {
 public:
  SharedArena() = default;
  ~SharedArena();
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  /// Makes the first `bytes` (at most kArenaAlignment) of `blocks` blocks (at most kMaxClusterBlocks) accessible, and
  /// the pages after them inaccessible. Pages that stay accessible keep their contents. Returns ResourceExhausted if
  /// the system has no memory for them.
  absl::Status Resize(size_t bytes, uint32_t blocks = 1);

  /// Returns the address of the first byte of block `rank`; null before the first Resize().
  char* base(uint32_t rank = 0) const { return base_ + rank * kArenaAlignment; }
  /// True if `address` lies in the arena or in the inaccessible pages around it.
  bool Contains(const void* address) const {
    return mapping_ != nullptr && static_cast<size_t>(static_cast<const char*>(address) - mapping_) < kMappingBytes;
  }

 private:
  /// The arenas with the bytes lost to their alignment and an inaccessible range behind them.
  static constexpr size_t kMappingBytes = (kMaxClusterBlocks + 2) * kArenaAlignment;

  char* mapping_ = nullptr;
  char* base_ = nullptr;
  std::array<size_t, kMaxClusterBlocks> accessible_ = {};
};

}  // namespace mmtune::simt
