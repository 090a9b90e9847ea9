// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies of the simulator (cp.async.bulk) and tensor copies (cp.async.bulk.tensor, TMA), which move boxes of
// tensors between global and shared memory. In shared memory a box is packed, its innermost dimension first, and its
// 16-byte units are permuted (swizzled) by the bits of their addresses. abi/abi.h declares the functions.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/ops/block_ops.h"
#include "kernels/simulator/ops/mbarriers.h"
#include "kernels/simulator/ops/tensor_map.h"
#include "kernels/simulator/ops/warp_matrix.h"
#include "kernels/simulator/ops/wgmma.h"

namespace mmtune::simt {
namespace {

constexpr uint32_t kUnitBytes = 16;
constexpr uint32_t kSharedAlignment = 128;
constexpr uint32_t kMaxRowBytes = 256 * 8;
constexpr int kNan = 0xFF;  ///< The byte of NaNs in every floating-point type.

struct TensorBox {
  TensorMap map;
  std::array<int32_t, kMaxTensorRank> at = {};  ///< Coordinates of the first element.

  uint32_t rows() const { return map.box_bytes() / map.row_bytes(); }
  /// Swizzled units stay within 128 bytes.
  uint32_t shared_bytes() const {
    return map.swizzle == 0 ? map.box_bytes() : (map.box_bytes() + kSharedAlignment - 1) & ~(kSharedAlignment - 1);
  }
};

/// Elements [begin, end) of row `row` of a box lie inside the tensor, the first of them at `global`.
struct BoxRow {
  uint32_t row;
  uint32_t begin;
  uint32_t end;
  char* global;
};

template <typename Visit>
void ForEachRow(const TensorBox& box, Visit visit) {
  const TensorMap& map = box.map;
  const int64_t width = map.box[0], extent = static_cast<int64_t>(map.extents[0]);
  const int64_t begin = std::clamp<int64_t>(-int64_t{box.at[0]}, 0, width);
  const int64_t end = std::clamp<int64_t>(extent - box.at[0], begin, width);
  const uint32_t rows = box.rows();
  for (uint32_t row = 0; row < rows; ++row) {
    bool inside = begin < end;
    int64_t offset = (box.at[0] + begin) * int64_t{map.element_bytes()};
    for (uint32_t i = 1, left = row; i < map.rank; left /= map.box[i], ++i) {
      const int64_t at = int64_t{box.at[i]} + left % map.box[i];
      inside = inside && at >= 0 && at < static_cast<int64_t>(map.extents[i]);
      offset += at * static_cast<int64_t>(map.strides[i]);
    }
    char* global = reinterpret_cast<char*>(map.address) + (inside ? offset : 0);
    visit(BoxRow{row, static_cast<uint32_t>(begin), static_cast<uint32_t>(inside ? end : begin), global});
  }
}

/// Returns by how many bytes the swizzle moves the unit at `address`.
std::ptrdiff_t Move(const char* address, uint32_t swizzle) {
  const auto low = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(address) & 0x3ff);
  return static_cast<std::ptrdiff_t>(Swizzle(low, swizzle)) - static_cast<std::ptrdiff_t>(low);
}

/// Rounds `count` f32 at `data` to the nearest tf32, ties to even. NVIDIA does not document how a load rounds.
void RoundToTf32(char* data, uint32_t count) {
  constexpr uint32_t kDropped = 13, kExponent = 0x7f800000;
  for (uint32_t i = 0; i < count; ++i, data += sizeof(uint32_t)) {
    uint32_t bits;
    std::memcpy(&bits, data, sizeof(bits));
    // Infinity and NaN stay; NaN keeps a bit that makes it one.
    const bool is_finite = (bits & kExponent) != kExponent;
    const uint32_t half = (1u << (kDropped - 1)) - 1 + (bits >> kDropped & 1);
    if (is_finite) bits += half;
    if (!is_finite && (bits & ~(kExponent | 1u << 31)) != 0) bits |= 1u << 22;
    bits &= ~((1u << kDropped) - 1);
    std::memcpy(data, &bits, sizeof(bits));
  }
}

void LoadBox(const TensorBox& box, char* shared) {
  const TensorMap& map = box.map;
  const uint32_t row_bytes = map.row_bytes(), element = map.element_bytes();
  ForEachRow(box, [&](const BoxRow& row) {
    alignas(16) char data[kMaxRowBytes];
    if (row.end - row.begin != map.box[0]) std::memset(data, map.fill_is_nan != 0 ? kNan : 0, row_bytes);
    std::memcpy(data + row.begin * element, row.global, (row.end - row.begin) * element);
    if (map.element == TensorElement::kTf32) RoundToTf32(data + row.begin * element, row.end - row.begin);
    char* to = shared + row.row * row_bytes;
    for (uint32_t at = 0; at < row_bytes; at += kUnitBytes) {
      std::memcpy(to + at + Move(to + at, map.swizzle), data + at, kUnitBytes);
    }
  });
}

template <typename T>
T CombineIntegers(CopyReduction reduction, T old, T value) {
  using U = std::make_unsigned_t<T>;
  switch (reduction) {
    case CopyReduction::kNone:
      return value;
    case CopyReduction::kAdd:
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(value));
    case CopyReduction::kMin:
      return std::min(old, value);
    case CopyReduction::kMax:
      return std::max(old, value);
    case CopyReduction::kInc:
      return old >= value ? T{0} : static_cast<T>(old + 1);
    case CopyReduction::kDec:
      return old == 0 || old > value ? value : static_cast<T>(old - 1);
    case CopyReduction::kAnd:
      return old & value;
    case CopyReduction::kOr:
      return old | value;
    case CopyReduction::kXor:
      return old ^ value;
  }
  return value;
}

float CombineFloats(CopyReduction reduction, float old, float value) {
  if (reduction == CopyReduction::kAdd) return old + value;
  return MinMax(old, value, reduction == CopyReduction::kMin, /*propagate_nan=*/false);
}

/// Combines atomically, as blocks run on several OS threads.
template <typename T, typename Combine>
void CombineEach(char* global, const char* values, size_t count, Combine combine) {
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, values + i * sizeof(T), sizeof(T));
    std::atomic_ref<T> target(*reinterpret_cast<T*>(global + i * sizeof(T)));
    T old = target.load(std::memory_order_relaxed);
    while (!target.compare_exchange_weak(old, combine(old, value), std::memory_order_relaxed)) {
    }
  }
}

/// True if PTX has the reduction for elements of this type.
bool IsCopyReduction(CopyReduction reduction, TensorElement element) {
  using E = TensorElement;
  const bool half = element == E::kF16 || element == E::kBf16;
  const bool integer = element == E::kU32 || element == E::kS32 || element == E::kU64 || element == E::kS64;
  switch (reduction) {
    case CopyReduction::kNone:
      return true;
    case CopyReduction::kAdd:
      return half || element == E::kF32 || element == E::kF64 || (integer && element != E::kS64);
    case CopyReduction::kMin:
    case CopyReduction::kMax:
      return half || integer;
    case CopyReduction::kInc:
    case CopyReduction::kDec:
      return element == E::kU32;
    case CopyReduction::kAnd:
    case CopyReduction::kOr:
    case CopyReduction::kXor:
      return integer;
  }
  return false;
}

/// Combines `count` elements of `values` into those at `global`, each atomically. IsCopyReduction() holds.
void ReduceInto(CopyReduction reduction, TensorElement element, char* global, const char* values, size_t count) {
  auto integers = [&]<typename T>(T) {
    CombineEach<T>(global, values, count, [&](T old, T value) { return CombineIntegers(reduction, old, value); });
  };
  switch (element) {
    case TensorElement::kU32:
      return integers(uint32_t{});
    case TensorElement::kS32:
      return integers(int32_t{});
    case TensorElement::kU64:
      return integers(uint64_t{});
    case TensorElement::kS64:
      return integers(int64_t{});
    case TensorElement::kF16:
      return CombineEach<uint16_t>(global, values, count, [&](uint16_t old, uint16_t value) {
        return ToF16(CombineFloats(reduction, FromF16(old), FromF16(value)));
      });
    case TensorElement::kBf16:
      return CombineEach<uint16_t>(global, values, count, [&](uint16_t old, uint16_t value) {
        return ToBf16(CombineFloats(reduction, FromBf16(old), FromBf16(value)));
      });
    case TensorElement::kF32:
      return CombineEach<uint32_t>(global, values, count, [&](uint32_t old, uint32_t value) {
        return std::bit_cast<uint32_t>(std::bit_cast<float>(old) + std::bit_cast<float>(value));
      });
    case TensorElement::kF64:
      return CombineEach<uint64_t>(global, values, count, [&](uint64_t old, uint64_t value) {
        return std::bit_cast<uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(value));
      });
    case TensorElement::kU8:
    case TensorElement::kU16:
    case TensorElement::kTf32:
      return;
  }
}

/// Writes a box to global memory; `data` is a copy of the box at `shared`.
void WriteBox(const TensorBox& box, const char* shared, const char* data, CopyReduction reduction) {
  const TensorMap& map = box.map;
  const uint32_t row_bytes = map.row_bytes(), element = map.element_bytes();
  ForEachRow(box, [&](const BoxRow& row) {
    if (row.begin == row.end) return;
    alignas(16) char packed[kMaxRowBytes];
    for (uint32_t at = 0; at < row_bytes; at += kUnitBytes) {
      const uint32_t from = row.row * row_bytes + at;
      std::memcpy(packed + at, data + from + Move(shared + from, map.swizzle), kUnitBytes);
    }
    const char* values = packed + row.begin * element;
    if (reduction == CopyReduction::kNone) {
      std::memcpy(row.global, values, (row.end - row.begin) * element);
    } else {
      ReduceInto(reduction, map.element, row.global, values, row.end - row.begin);
    }
  });
}

TensorBox FindBox(GpuThread& thread, const void* map, const void* shared, uint32_t rank, const int32_t* coordinates,
                  uint32_t site) {
  std::optional<TensorMap> read = ReadTensorMap(map);
  if (!read) FailOperation(thread, site, "the operand of a tensor copy is not a tensor map");
  if (read->rank != rank) {
    FailOperation(thread, site,
                  absl::StrCat("a tensor copy of ", rank, " dimensions with a tensor map of ", int{read->rank}));
  }
  if (reinterpret_cast<uintptr_t>(shared) % kSharedAlignment != 0) {
    FailOperation(thread, site,
                  absl::StrCat("a tensor copy at ", SharedAddress(thread, shared), ", which is not aligned to ",
                               kSharedAlignment));
  }
  TensorBox box;
  box.map = *read;
  std::copy(coordinates, coordinates + rank, box.at.begin());
  return box;
}

void AccessGlobal(GpuThread& thread, const TensorBox& box, AccessKind kind, uint32_t site) {
  ForEachRow(box, [&](const BoxRow& row) {
    const size_t bytes = size_t{row.end - row.begin} * box.map.element_bytes();
    if (bytes != 0) thread.runner->monitor()->Access(thread, row.global, bytes, kind, site);
  });
}

/// Posts a copy into shared memory that completes `bytes` of the barrier's transactions. `copy` gets the destination.
template <typename Copy>
void PostLoad(GpuThread& thread, char* shared, uint32_t shared_bytes, void* barrier, uint32_t bytes, uint32_t site,
              Copy copy) {
  ClusterRunner& runner = *thread.runner;
  RequireMbarrier(thread, barrier, "an asynchronous copy", site);
  AsyncToken token = 0;
  if (Monitor* monitor = runner.monitor()) {
    thread.ops->Access(thread, barrier, sizeof(MbarrierWord), AccessKind::kAtomic, site);
    MbarrierClocks* clocks = thread.ops->FindMbarrier(barrier);
    clocks->waited_for = &thread;
    clocks->copy_site = site;
    if (!clocks->is_seen_by_copies) {
      monitor->Report("async-race", thread, site,
                      absl::StrCat("an asynchronous copy may not see ", MbarrierText(thread, barrier),
                                   ": the thread that initialised it executed no fence.mbarrier_init or "
                                   "fence.proxy.async after that"));
    }
    token = BeginProxyWrite(thread, shared, shared_bytes, site);
  }
  if (runner.scheduler().copies_complete_late()) std::memset(shared, kPoison, shared_bytes);
  auto work = [=, &thread, &runner, copy = std::move(copy)] {
    copy(shared);
    if (Monitor* monitor = runner.monitor()) {
      monitor->EndAsyncWrite(token, /*by_issuer=*/false, &ArrivedClock(thread, barrier, site));
    }
    CompleteTransaction(thread, barrier, bytes, site);
  };
  runner.scheduler().PostAsync(std::move(work), nullptr);
}

/// Posts the same copy to each block of the cluster whose rank is a bit of `multicast`: destination and barrier have
/// the same offsets in each. A mask of 0 posts only the copy to `shared`.
template <typename Copy>
void PostLoads(GpuThread& thread, void* shared, uint32_t shared_bytes, void* barrier, uint32_t bytes,
               uint32_t multicast, uint32_t site, const Copy& copy) {
  auto* to = static_cast<char*>(shared);
  if (multicast == 0) return PostLoad(thread, to, shared_bytes, barrier, bytes, site, copy);
  ClusterRunner& runner = *thread.runner;
  if (multicast >> runner.blocks() != 0) {
    FailOperation(
        thread, site,
        absl::StrCat("a multicast copy to the blocks 0x", absl::Hex(multicast), " of a cluster of ", runner.blocks()));
  }
  for (uint32_t rank = 0; rank < runner.blocks(); ++rank) {
    if ((multicast >> rank & 1) == 0) continue;
    auto in_block = [&](void* address) {
      const char* own = runner.SharedOf(runner.RankOf(thread, address));
      return runner.SharedOf(rank) + (static_cast<char*>(address) - own);
    };
    PostLoad(thread, in_block(to), shared_bytes, in_block(barrier), bytes, site, copy);
  }
}

/// Posts a copy to global memory. `report_write` tells the monitor, if there is one, what it writes there.
void PostStore(GpuThread& thread, const char* shared, uint32_t shared_bytes, uint32_t site,
               std::function<void(const char* data)> write, std::function<void()> report_write) {
  auto store =
      std::make_shared<BulkStore>(BulkStore{shared, shared_bytes, std::move(write), nullptr, std::nullopt, {}});
  if (thread.runner->monitor() != nullptr) {
    report_write();
    store->report_write = std::move(report_write);
    store->token = BeginProxyRead(thread, shared, shared_bytes, site);
  }
  thread.ops->bulk_groups(thread).Issue(thread, std::move(store));
}

void RequireAlignedBulk(GpuThread& thread, const char* operation, const void* shared, const void* global,
                        uint32_t bytes, uint32_t site) {
  const auto low_bits = reinterpret_cast<uintptr_t>(shared) | reinterpret_cast<uintptr_t>(global) | bytes;
  if (low_bits % kUnitBytes == 0) return;
  FailOperation(
      thread, site,
      absl::StrCat(operation, " of ", bytes, " bytes between ", SharedAddress(thread, shared), " and 0x",
                   absl::Hex(reinterpret_cast<uintptr_t>(global)), "; all three must be multiples of ", kUnitBytes));
}

}  // namespace

extern "C" {

void mmtune_simt_tensor_load(ThreadContext* context, void* shared, const void* map, uint32_t rank,
                             const int32_t* coordinates, void* barrier, uint32_t multicast, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  const TensorBox box = FindBox(self, map, shared, rank, coordinates, site);
  if (self.runner->monitor() != nullptr) AccessGlobal(self, box, AccessKind::kRead, site);
  PostLoads(self, shared, box.shared_bytes(), barrier, box.map.box_bytes(), multicast, site,
            [box](char* to) { LoadBox(box, to); });
}

void mmtune_simt_tensor_store(ThreadContext* context, const void* map, const void* shared, uint32_t rank,
                              const int32_t* coordinates, CopyReduction reduction, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  const TensorBox box = FindBox(self, map, shared, rank, coordinates, site);
  if (!IsCopyReduction(reduction, box.map.element)) {
    FailOperation(self, site,
                  absl::StrCat("a tensor copy has no reduction ", static_cast<uint32_t>(reduction),
                               " of elements of CUtensorMapDataType ", static_cast<int>(box.map.element)));
  }
  self.bulk_source = shared;
  const auto* from = static_cast<const char*>(shared);
  const AccessKind kind = reduction == CopyReduction::kNone ? AccessKind::kWrite : AccessKind::kAtomicRelaxed;
  PostStore(
      self, from, box.shared_bytes(), site,
      [box, from, reduction](const char* data) { WriteBox(box, from, data, reduction); },
      [&self, box, kind, site] { AccessGlobal(self, box, kind, site); });
}

void mmtune_simt_bulk_load(ThreadContext* context, void* shared, const void* global, uint32_t bytes, void* barrier,
                           uint32_t multicast, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  RequireAlignedBulk(self, "a bulk load", shared, global, bytes, site);
  if (Monitor* monitor = self.runner->monitor()) monitor->Access(self, global, bytes, AccessKind::kRead, site);
  PostLoads(self, shared, bytes, barrier, bytes, multicast, site, [=](char* to) { std::memcpy(to, global, bytes); });
}

void mmtune_simt_bulk_send(ThreadContext* context, void* to, const void* from, uint32_t bytes, void* barrier,
                           uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  RequireAlignedBulk(self, "a bulk copy to another block", to, from, bytes, site);
  if (self.runner->RankOf(self, to) != self.runner->RankOf(self, barrier)) {
    FailOperation(self, site, "a bulk copy to another block whose mbarrier is in a third one");
  }
  // The source is read until somebody has waited for the copy.
  std::optional<AsyncToken> reading;
  if (self.runner->monitor() != nullptr) reading = BeginProxyRead(self, from, bytes, site);
  PostLoad(self, static_cast<char*>(to), bytes, barrier, bytes, site, [=, &self](char* destination) {
    std::memcpy(destination, from, bytes);
    if (!reading) return;
    RequireMbarrier(self, barrier, "an asynchronous copy", site);
    self.ops->FindMbarrier(barrier)->reads.push_back(*reading);
  });
}

void mmtune_simt_bulk_store(ThreadContext* context, void* global, const void* shared, uint32_t bytes, uint32_t site) {
  auto& self = *static_cast<GpuThread*>(context);
  RequireAlignedBulk(self, "a bulk store", shared, global, bytes, site);
  self.bulk_source = shared;
  PostStore(
      self, static_cast<const char*>(shared), bytes, site, [=](const char* data) { std::memcpy(global, data, bytes); },
      [=, &self] { self.runner->monitor()->Access(self, global, bytes, AccessKind::kWrite, site); });
}

}  // extern "C"
}  // namespace mmtune::simt
