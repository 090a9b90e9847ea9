// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMT device's global memory.
//
// The shared memory of the block that an OS thread runs.
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

/// Physical memory of the machine, or what a control group leaves of it.
int64_t PhysicalMemoryBytes();

/// Allocations of their own pages, 256-byte aligned, each ending (to the alignment) at an inaccessible page. Large ones
/// are of huge pages where the system has them: a 4 MiB buffer is then filled in a quarter of the time.
/// Not thread-safe.
class DeviceMemory {
 public:
  /// All allocations together stay below `capacity`.
  explicit DeviceMemory(int64_t capacity) : capacity_(capacity) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Zeroed. ResourceExhausted, without touching any memory, when the machine has not enough left. InvalidArgument for
  /// 0 bytes, as the CUDA driver has it.
  absl::StatusOr<DevicePtr> Allocate(size_t bytes);
  absl::Status Free(DevicePtr ptr);

  /// Counts the host's own memory among the allocations, until Unregister(). InvalidArgument when it overlaps one.
  absl::Status Register(DevicePtr ptr, size_t bytes);
  absl::Status Unregister(DevicePtr ptr);

  /// InvalidArgument unless [ptr, ptr + bytes) lies in one allocation. `call` names the operation.
  absl::Status Check(DevicePtr ptr, size_t bytes, std::string_view call) const;

  /// Addresses and sizes, by address.
  std::vector<std::pair<DevicePtr, size_t>> Allocations() const;

  /// Where an address lies: "64 bytes past an allocation of 4096 bytes at 0x…".
  std::string Describe(const void* address) const;

 private:
  struct Allocation {
    size_t bytes = 0;
    char* mapping = nullptr;  ///< Null: the host's own memory.
    size_t mapping_bytes = 0;
  };

  const int64_t capacity_;
  int64_t allocated_ = 0;
  std::map<DevicePtr, Allocation> allocations_;
};


/// Aligned to kArenaAlignment, so that the low 18 bits of an address are its offset, as matrix descriptors of tensor
/// cores expect. Pages past the size set are inaccessible. Not thread-safe.
class SharedArena {
 public:
  SharedArena() = default;
  ~SharedArena();
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  /// Makes the first `bytes` (at most kArenaAlignment) accessible and the pages after them inaccessible. Contents of
  /// pages that stay accessible are kept.
  absl::Status Resize(size_t bytes);

  /// Null before the first Resize.
  char* base() const { return base_; }
  /// Whether `address` lies in the arena or in the inaccessible pages around it.
  bool Contains(const void* address) const;

 private:
  char* mapping_ = nullptr;
  char* base_ = nullptr;
  size_t accessible_ = 0;
};

}  // namespace mmtune::simt
