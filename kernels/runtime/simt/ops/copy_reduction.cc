// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/ops/copy_reduction.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <type_traits>

#include "kernels/runtime/simt/ops/float_bits.h"

namespace mmtune::simt {
namespace {

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

/// Blocks run on several OS threads.
template <typename T, typename Combine>
void ForEach(char* global, const char* values, size_t count, Combine combine) {
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, values + i * sizeof(T), sizeof(T));
    std::atomic_ref<T> target(*reinterpret_cast<T*>(global + i * sizeof(T)));
    T old = target.load(std::memory_order_relaxed);
    while (!target.compare_exchange_weak(old, combine(old, value), std::memory_order_relaxed)) {
    }
  }
}

}  // namespace

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

void ReduceInto(CopyReduction reduction, TensorElement element, char* global, const char* values, size_t count) {
  auto integers = [&]<typename T>(T) {
    ForEach<T>(global, values, count, [&](T old, T value) { return CombineIntegers(reduction, old, value); });
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
      return ForEach<uint16_t>(global, values, count, [&](uint16_t old, uint16_t value) {
        return ToF16(CombineFloats(reduction, FromF16(old), FromF16(value)));
      });
    case TensorElement::kBf16:
      return ForEach<uint16_t>(global, values, count, [&](uint16_t old, uint16_t value) {
        return ToBf16(CombineFloats(reduction, FromBf16(old), FromBf16(value)));
      });
    case TensorElement::kF32:
      return ForEach<uint32_t>(global, values, count, [&](uint32_t old, uint32_t value) {
        return std::bit_cast<uint32_t>(std::bit_cast<float>(old) + std::bit_cast<float>(value));
      });
    case TensorElement::kF64:
      return ForEach<uint64_t>(global, values, count, [&](uint64_t old, uint64_t value) {
        return std::bit_cast<uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(value));
      });
    case TensorElement::kU8:
    case TensorElement::kU16:
      return;
  }
}

}  // namespace mmtune::simt
