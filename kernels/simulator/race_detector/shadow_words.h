// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadow memory of the race detector: a cell of data for each 4-byte word of the memory whose accesses are checked. If
// the bytes of a word are accessed separately, the word gets a cell for each byte.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::simt {

/// A thread at a program point, packed into 32 bits. Threads (GpuThread::number) are below 8192, as a cluster has at
/// most 8 blocks of 1024 threads; sites (the numbers of program points, abi/abi.h) are below 2^19.
class AccessPoint {
 public:
  AccessPoint() = default;
  AccessPoint(uint32_t thread, uint32_t site) : bits_(site << kThreadBits | thread) {}

  uint32_t thread() const { return bits_ & ((1u << kThreadBits) - 1); }
  uint32_t site() const { return bits_ >> kThreadBits; }

  bool operator==(const AccessPoint&) const = default;

 private:
  static constexpr uint32_t kThreadBits = 13;
  uint32_t bits_ = 0;
};

/// The cells of a range of memory. `Cell` must be trivially copyable and equality-comparable, and all zeros when fresh.
/// Its member `uint32_t split` is managed by this class. Memory is used only for cells that are touched. Not
/// thread-safe.
template <typename Cell>
class ShadowWords {
 public:
  static constexpr size_t kWordBytes = 4;

  ShadowWords() = default;
  ShadowWords(ShadowWords&& other) noexcept
      : cells_(std::exchange(other.cells_, nullptr)), words_(other.words_), splits_(std::move(other.splits_)) {}
  ShadowWords& operator=(ShadowWords&&) = delete;
  ~ShadowWords() {
    if (cells_ != nullptr) munmap(cells_, words_ * sizeof(Cell));
  }

  /// Reserves the cells for `bytes` of memory. Must be called once. Returns ResourceExhausted if there is no address
  /// space.
  absl::Status Create(size_t bytes) {
    words_ = (bytes + kWordBytes - 1) / kWordBytes;
    if (words_ == 0) return absl::OkStatus();
    void* memory = mmap(nullptr, words_ * sizeof(Cell), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return ResourceExhausted(absl::StrCat("no memory for the race detector's shadow of ", bytes, " bytes"));
    cells_ = static_cast<Cell*>(memory);
    return absl::OkStatus();
  }

  /// Makes all cells fresh again.
  void Clear() {
    if (cells_ != nullptr) std::memset(static_cast<void*>(cells_), 0, words_ * sizeof(Cell));
    splits_.clear();
    free_.clear();
  }

  /// Calls visit(Cell&, offset) for the cells of [offset, offset + bytes), which must lie in the memory. `visit` must
  /// not call this class.
  template <typename Visit>
  void ForEach(size_t offset, size_t bytes, const Visit& visit) {
    const size_t end = offset + bytes;
    while (offset < end) {
      const size_t next = std::min((offset / kWordBytes + 1) * kWordBytes, end);
      Cell& cell = cells_[offset / kWordBytes];
      if (next - offset == kWordBytes && cell.split == 0) {
        visit(cell, offset);
      } else {
        VisitBytes(cell, offset, next, visit);
      }
      offset = next;
    }
  }

 private:
  using Bytes = std::array<Cell, kWordBytes>;

  template <typename Visit>
  [[gnu::noinline]] void VisitBytes(Cell& cell, size_t offset, size_t end, const Visit& visit) {
    if (cell.split == 0) {
      const Bytes bytes = {cell, cell, cell, cell};
      cell.split = TakeSplit();
      splits_[cell.split - 1] = bytes;
    }
    Bytes& bytes = splits_[cell.split - 1];
    const bool whole = end - offset == kWordBytes;
    for (; offset < end; ++offset) visit(bytes[offset % kWordBytes], offset);
    if (whole && bytes[0] == bytes[1] && bytes[0] == bytes[2] && bytes[0] == bytes[3]) {
      free_.push_back(cell.split);
      cell = bytes[0];
      cell.split = 0;
    }
  }

  /// Returns the number, from 1, of a free entry of splits_.
  uint32_t TakeSplit() {
    if (free_.empty()) {
      splits_.emplace_back();
      return static_cast<uint32_t>(splits_.size());
    }
    const uint32_t split = free_.back();
    free_.pop_back();
    return split;
  }

  Cell* cells_ = nullptr;
  size_t words_ = 0;
  std::vector<Bytes> splits_;   ///< The cells of single bytes; Cell::split is an index in it, plus 1.
  std::vector<uint32_t> free_;  ///< Values of Cell::split that no word uses.
};

}  // namespace mmtune::simt
