// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the SIMT device: global memory, and the shared memory of the block that an OS thread runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"
#include "kernels/simulator/abi/abi.h"

namespace mmtune::simt {

/// Returns the physical memory of the machine, or the limit of its control group.
int64_t PhysicalMemoryBytes();

/// Global memory. Each allocation has pages of its own, is aligned to 256 bytes and ends, up to that alignment, at an
/// inaccessible page. Large ones use huge pages where the system has them (filling 4 MiB then takes a quarter of the
/// time). Not thread-safe.
class DeviceMemory {
 public:
  /// All allocations together stay below `capacity`.
  explicit DeviceMemory(int64_t capacity) : capacity_(capacity) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Allocates zeroed memory. ResourceExhausted, without touching any memory, when the machine has not enough left;
  /// InvalidArgument for 0 bytes, like the CUDA driver.
  absl::StatusOr<DevicePtr> Allocate(size_t bytes);
  absl::Status Free(DevicePtr ptr);

  /// Counts memory of the host among the allocations, until Unregister(). InvalidArgument when it overlaps one.
  absl::Status Register(DevicePtr ptr, size_t bytes);
  absl::Status Unregister(DevicePtr ptr);

  /// InvalidArgument unless [ptr, ptr + bytes) lies in one allocation. `call` names the operation.
  absl::Status Check(DevicePtr ptr, size_t bytes, std::string_view call) const;

  /// Returns addresses and sizes, by address.
  std::vector<std::pair<DevicePtr, size_t>> Allocations() const;

  /// Returns where an address lies: "64 bytes past an allocation of 4096 bytes at 0x…".
  std::string Describe(const void* address) const;

 private:
  struct Allocation {
    size_t bytes = 0;
    char* mapping = nullptr;  ///< Null: registered memory of the host.
    size_t mapping_bytes = 0;
  };

  const int64_t capacity_;
  int64_t allocated_ = 0;
  std::map<DevicePtr, Allocation> allocations_;
};

/// Shared memory of a block, aligned to kArenaAlignment: the low 18 bits of an address are its offset, as matrix
/// descriptors of tensor cores expect. Pages past its size are inaccessible. Not thread-safe.
class SharedArena {
 public:
  SharedArena() = default;
  ~SharedArena();
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  /// Makes the first `bytes` (at most kArenaAlignment) accessible and the pages after them inaccessible. Pages that
  /// stay accessible keep their contents.
  absl::Status Resize(size_t bytes);

  /// Returns the first byte; null before the first Resize().
  char* base() const { return base_; }
  /// True if `address` lies in the arena or in the inaccessible pages around it.
  bool Contains(const void* address) const;

 private:
  char* mapping_ = nullptr;
  char* base_ = nullptr;
  size_t accessible_ = 0;
};

}  // namespace mmtune::simt
