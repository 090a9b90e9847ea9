// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync. Floating point: products and sums in fma, k ascending, each rounded to nearest even in f32, from the
// accumulator on; f16 accumulators are rounded once at the end. A GPU adds several products at a time and truncates, so
// results agree bit for bit only where all partial sums are exact, as with small integers. Integers are exact.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/runtime/simt/ops/accumulators.h"
#include "kernels/runtime/simt/ops/float_bits.h"
#include "kernels/runtime/simt/ops/fragments.h"
#include "kernels/runtime/simt/ops/vector_math.h"
#include "kernels/runtime/simt/ops/warp_ops.h"

namespace mmtune::simt {
namespace {

bool IsShape(const WarpOp& op, uint32_t m, uint32_t n, uint32_t k) { return op.m == m && op.n == n && op.k == k; }

bool IsHalf(ElementType type) { return type == ElementType::kF16 || type == ElementType::kBf16; }
bool IsByte(ElementType type) { return type == ElementType::kS8 || type == ElementType::kU8; }

/// f16 or bf16, m16n8k8 and m16n8k16.
void MultiplyHalves(const WarpOp& op, const WarpCall& call) {
  alignas(32) uint16_t a_bits[16 * 16], b_bits[16 * 8];
  alignas(32) float a[16 * 16], b[16 * 8], c[16 * 8];
  const uint32_t k = op.k, a_words = k / 4, b_words = k / 8;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t* in = call.in[lane];
    for (uint32_t r = 0; r < a_words; ++r) {
      const Place place = PlaceInA(lane, r, 0, 2);
      std::memcpy(&a_bits[place.row * k + place.column], &in[r], 4);
    }
    for (uint32_t r = 0; r < b_words; ++r) {
      const Place place = PlaceInB(lane, r, 0, 2);
      b_bits[place.row * 8 + place.column] = static_cast<uint16_t>(in[a_words + r]);
      b_bits[(place.row + 1) * 8 + place.column] = static_cast<uint16_t>(in[a_words + r] >> 16);
    }
  }
  const VectorMath& math = BestVectorMath();
  const auto widen = op.a == ElementType::kF16 ? math.widen_f16 : math.widen_bf16;
  widen(a_bits, a, 16 * k);
  widen(b_bits, b, 8 * k);
  LoadAccumulators(call, a_words + b_words, op.c, 8, c);
  math.multiply_accumulate(a, b, c, 16, 8, k);
  StoreAccumulators(call, op.d, 8, c);
}

/// tf32, m16n8k4 and m16n8k8.
void MultiplyTf32(const WarpOp& op, const WarpCall& call) {
  float a[16 * 8], b[8 * 8], c[16 * 8];
  const uint32_t k = op.k, a_words = k / 2, b_words = k / 4;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t* in = call.in[lane];
    for (uint32_t r = 0; r < a_words; ++r) {
      const Place place = PlaceInA(lane, r, 0, 1);
      a[place.row * k + place.column] = FromTf32(in[r]);
    }
    for (uint32_t r = 0; r < b_words; ++r) {
      const Place place = PlaceInB(lane, r, 0, 1);
      b[place.row * 8 + place.column] = FromTf32(in[a_words + r]);
    }
  }
  LoadAccumulators(call, a_words + b_words, op.c, 8, c);
  BestVectorMath().multiply_accumulate(a, b, c, 16, 8, k);
  StoreAccumulators(call, op.d, 8, c);
}

int32_t ByteOf(uint32_t word, uint32_t j, ElementType type) {
  const auto byte = static_cast<uint8_t>(word >> 8 * j);
  return type == ElementType::kS8 ? static_cast<int8_t>(byte) : byte;
}

uint32_t Narrow(int64_t sum, bool saturate) {
  if (!saturate) return static_cast<uint32_t>(sum);
  using Limits = std::numeric_limits<int32_t>;
  return static_cast<uint32_t>(std::clamp<int64_t>(sum, Limits::min(), Limits::max()));
}

/// s8 and u8, m8n8k16, m16n8k16 and m16n8k32.
void MultiplyBytes(const WarpOp& op, const WarpCall& call) {
  int32_t a[16][32], b[32][8];
  const uint32_t a_words = op.m * op.k / 128, b_words = op.k / 16, c_words = op.m / 4;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t* in = call.in[lane];
    for (uint32_t j = 0; j < 4; ++j) {
      for (uint32_t r = 0; r < a_words; ++r) {
        const Place place = PlaceInA(lane, op.m == 8 ? 2 * r : r, j, 4);
        a[place.row][place.column] = ByteOf(in[r], j, op.a);
      }
      for (uint32_t r = 0; r < b_words; ++r) {
        const Place place = PlaceInB(lane, r, j, 4);
        b[place.row][place.column] = ByteOf(in[a_words + r], j, op.b);
      }
    }
  }
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < c_words; ++i) {
      const Place place = PlaceInC(lane, i);
      int64_t sum = static_cast<int32_t>(call.in[lane][a_words + b_words + i]);
      for (uint32_t k = 0; k < op.k; ++k) sum += a[place.row][k] * b[k][place.column];
      call.out[lane][i] = Narrow(sum, (op.flags & kSaturate) != 0);
    }
  }
}

double DoubleAt(const uint32_t* words) {
  double value;
  std::memcpy(&value, words, sizeof(value));
  return value;
}

/// f64, m8n8k4: one element of A and of B a lane, two of C.
void MultiplyDoubles(const WarpCall& call) {
  double a[8][4], b[4][8];
  for (uint32_t lane = 0; lane < 32; ++lane) {
    a[lane / 4][lane % 4] = DoubleAt(call.in[lane]);
    b[lane % 4][lane / 4] = DoubleAt(call.in[lane] + 2);
  }
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < 2; ++i) {
      double sum = DoubleAt(call.in[lane] + 4 + 2 * i);
      for (uint32_t k = 0; k < 4; ++k) sum = std::fma(a[lane / 4][k], b[k][lane % 4 * 2 + i], sum);
      if (std::isnan(sum)) sum = std::bit_cast<double>(uint64_t{0x7fffffffffffffff});
      std::memcpy(call.out[lane] + 2 * i, &sum, sizeof(sum));
    }
  }
}

}  // namespace

void ExecuteMma(const WarpOp& op, const WarpCall& call) {
  RequireWholeWarp(op, call);
  const bool to_float = op.c == ElementType::kF32 && op.d == ElementType::kF32;
  const bool to_f16 = op.a == ElementType::kF16 && op.c == ElementType::kF16 && op.d == ElementType::kF16;
  const bool to_integer = op.c == ElementType::kS32 && op.d == ElementType::kS32;
  if (IsHalf(op.a) && op.a == op.b && (to_float || to_f16) && (IsShape(op, 16, 8, 8) || IsShape(op, 16, 8, 16))) {
    MultiplyHalves(op, call);
  } else if (op.a == ElementType::kTf32 && op.b == op.a && to_float &&
             (IsShape(op, 16, 8, 4) || IsShape(op, 16, 8, 8))) {
    MultiplyTf32(op, call);
  } else if (IsByte(op.a) && IsByte(op.b) && to_integer &&
             (IsShape(op, 8, 8, 16) || IsShape(op, 16, 8, 16) || IsShape(op, 16, 8, 32))) {
    MultiplyBytes(op, call);
  } else if (op.a == ElementType::kF64 && op.b == op.a && op.c == op.a && op.d == op.a && IsShape(op, 8, 8, 4)) {
    MultiplyDoubles(call);
  } else {
    FailWarpOp(op, call, "this shape with these types is not modelled");
  }
}

}  // namespace mmtune::simt
