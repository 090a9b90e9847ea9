// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/warp_matrix.h"

#if !defined(__x86_64__)
#error "mmtune is built on x86-64 hosts: the SIMT device computes with its instructions"
#endif
#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/ops/block_ops.h"

#define MMTUNE_AVX2 [[gnu::target("avx2,fma,f16c")]]

namespace mmtune::simt {
namespace {

void WidenF16(const uint16_t* from, float* to, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = FromF16(from[i]);
}

void WidenBf16(const uint16_t* from, float* to, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = FromBf16(from[i]);
}

void MultiplyAccumulate(const float* a, const float* b, float* c, size_t m, size_t n, size_t k) {
  for (size_t i = 0; i < m; ++i) {
    for (size_t p = 0; p < k; ++p) {
      for (size_t j = 0; j < n; ++j) c[i * n + j] = std::fma(a[i * k + p], b[p * n + j], c[i * n + j]);
    }
    for (size_t j = 0; j < n; ++j) c[i * n + j] = Canonical(c[i * n + j]);
  }
}

MMTUNE_AVX2 void WidenF16Avx2(const uint16_t* from, float* to, size_t count) {
  for (size_t i = 0; i < count; i += 8) {
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  }
}

MMTUNE_AVX2 void WidenBf16Avx2(const uint16_t* from, float* to, size_t count) {
  for (size_t i = 0; i < count; i += 8) {
    const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
    _mm256_storeu_ps(to + i, _mm256_castsi256_ps(_mm256_slli_epi32(words, 16)));
  }
}

/// Computes 4 rows of 8 * kVectors columns, whose accumulators fit into registers.
template <int kVectors>
MMTUNE_AVX2 inline void MultiplyPanel(const float* a, const float* b, float* c, size_t n, size_t k) {
  __m256 sums[4][kVectors];
  for (int i = 0; i < 4; ++i) {
    for (int v = 0; v < kVectors; ++v) sums[i][v] = _mm256_loadu_ps(c + i * n + 8 * v);
  }
  for (size_t p = 0; p < k; ++p) {
    __m256 row[kVectors];
    for (int v = 0; v < kVectors; ++v) row[v] = _mm256_loadu_ps(b + p * n + 8 * v);
    for (int i = 0; i < 4; ++i) {
      const __m256 element = _mm256_broadcast_ss(a + i * k + p);
      for (int v = 0; v < kVectors; ++v) sums[i][v] = _mm256_fmadd_ps(element, row[v], sums[i][v]);
    }
  }
  const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(kCanonicalNan)));
  for (int i = 0; i < 4; ++i) {
    for (int v = 0; v < kVectors; ++v) {
      const __m256 is_nan = _mm256_cmp_ps(sums[i][v], sums[i][v], _CMP_UNORD_Q);
      _mm256_storeu_ps(c + i * n + 8 * v, _mm256_blendv_ps(sums[i][v], nan, is_nan));
    }
  }
}

MMTUNE_AVX2 void MultiplyAccumulateAvx2(const float* a, const float* b, float* c, size_t m, size_t n, size_t k) {
  for (size_t i = 0; i < m; i += 4) {
    size_t j = 0;
    for (; j + 16 <= n; j += 16) MultiplyPanel<2>(a + i * k, b + j, c + i * n + j, n, k);
    if (j < n) MultiplyPanel<1>(a + i * k, b + j, c + i * n + j, n, k);
  }
}

/// Returns the sum of products of bytes that are read as A and B, int8_t or uint8_t.
template <typename A, typename B>
int32_t DotProduct(const uint8_t* a, const uint8_t* b, uint32_t k) {
  int32_t sum = 0;
  for (uint32_t i = 0; i < k; ++i) sum += int32_t{static_cast<A>(a[i])} * int32_t{static_cast<B>(b[i])};
  return sum;
}

auto FindDotProduct(ElementType a, ElementType b) {
  if (a == ElementType::kS8) return b == ElementType::kS8 ? &DotProduct<int8_t, int8_t> : &DotProduct<int8_t, uint8_t>;
  return b == ElementType::kS8 ? &DotProduct<uint8_t, int8_t> : &DotProduct<uint8_t, uint8_t>;
}

constexpr uint32_t kRowBytes = 16;

void RequireTiles(const WarpOp& op, const WarpCall& call) {
  RequireWholeWarp(op, call);
  const bool is_16_bit = op.a == ElementType::kF16 || op.a == ElementType::kBf16;
  if (op.m != 8 || op.n != 8 || !is_16_bit)
    FailWarpOp(op, call, "the simulator supports only m8n8 tiles of 16-bit elements");
  if (op.tiles != 1 && op.tiles != 2 && op.tiles != 4)
    FailWarpOp(op, call, absl::StrCat("the number of tiles must be 1, 2 or 4, got ", op.tiles));
}

/// Finds the rows of the tiles, checks their alignment and reports their accesses.
void FindRows(const WarpOp& op, const WarpCall& call, AccessKind kind, char* rows[32]) {
  RequireTiles(op, call);
  for (uint32_t lane = 0; lane < 8 * op.tiles; ++lane) {
    std::memcpy(static_cast<void*>(&rows[lane]), call.in[lane], sizeof(char*));
    if (reinterpret_cast<uintptr_t>(rows[lane]) % kRowBytes != 0) {
      FailWarpOp(op, call,
                 absl::StrCat("the row at 0x", absl::Hex(reinterpret_cast<uintptr_t>(rows[lane])), " that lane ", lane,
                              " gives is not aligned to 16 bytes"));
    }
    call.warp->ops->OrdinaryAccess(call.warp[lane], rows[lane], kRowBytes, kind, op.site);
  }
}

/// Calls move(lane, tile, at, shared, bytes) for each part of the tiles: the `bytes` at `shared` belong to the word of
/// `lane` for `tile`, from byte `at` on.
template <typename Move>
void ForEachPart(const WarpOp& op, char* const rows[32], Move move) {
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t major = lane / 4, minor = lane % 4;
    for (uint32_t tile = 0; tile < op.tiles; ++tile) {
      if ((op.flags & kTransposed) == 0) {
        move(lane, tile, 0, rows[8 * tile + major] + 4 * minor, 4);
        continue;
      }
      move(lane, tile, 0, rows[8 * tile + 2 * minor] + 2 * major, 2);
      move(lane, tile, 2, rows[8 * tile + 2 * minor + 1] + 2 * major, 2);
    }
  }
}

bool IsShape(const WarpOp& op, uint32_t m, uint32_t n, uint32_t k) { return op.m == m && op.n == n && op.k == k; }

bool IsHalf(ElementType type) { return type == ElementType::kF16 || type == ElementType::kBf16; }
bool IsByte(ElementType type) { return type == ElementType::kS8 || type == ElementType::kU8; }
bool IsFloat8(ElementType type) { return type == ElementType::kF8E4M3 || type == ElementType::kF8E5M2; }

/// Converts an e4m3 number: 4 bits of exponent with bias 7, no infinity, NaN only where all bits are set.
float FromE4M3(uint8_t bits) {
  const int exponent = bits >> 3 & 15, mantissa = bits & 7;
  if (exponent == 15 && mantissa == 7) return std::bit_cast<float>(kCanonicalNan);
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -9)
                                        : std::ldexp(static_cast<float>(8 + mantissa), exponent - 10);
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

/// Converts an e5m2 number: the upper half of an f16.
float FromE5M2(uint8_t bits) { return FromF16(static_cast<uint16_t>(bits << 8)); }

/// Loads A row-major, and element (k, n) of B to b[k * k_stride + n * n_stride]; T has the size of their elements.
/// Returns the number of their words, which those of C follow.
template <typename T>
uint32_t LoadOperands(const WarpOp& op, const WarpCall& call, T* a, T* b, uint32_t k_stride, uint32_t n_stride) {
  constexpr uint32_t kElements = 4 / sizeof(T);
  const uint32_t a_words = op.m * op.k / (32 * kElements), b_words = op.k / (4 * kElements);
  LoadA(call, 0, op.m, op.k, a);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t r = 0; r < b_words; ++r) {
      T elements[kElements];
      std::memcpy(elements, call.in[lane] + a_words + r, 4);
      const ElementIndex index = IndexInB(lane, r, 0, kElements);
      for (uint32_t j = 0; j < kElements; ++j) {
        b[(index.row + j) * k_stride + index.column * n_stride] = elements[j];
      }
    }
  }
  return a_words + b_words;
}

/// f16 or bf16, m16n8k8 and m16n8k16; tf32, m16n8k4 and m16n8k8; e4m3 and e5m2, m16n8k16 and m16n8k32.
template <typename T>
void MultiplyFloats(const WarpOp& op, const WarpCall& call) {
  constexpr uint32_t kMaxK = 32 / sizeof(T);
  alignas(32) T a_bits[16 * kMaxK], b_bits[kMaxK * 8];
  alignas(32) float a[16 * kMaxK], b[kMaxK * 8], c[16 * 8];
  const uint32_t c_offset = LoadOperands(op, call, a_bits, b_bits, 8, 1);
  Widen(op.a, a_bits, a, 16 * op.k);
  Widen(op.b, b_bits, b, 8 * op.k);
  LoadAccumulators(call, c_offset, op.c, 8, c);
  BestVectorMath().multiply_accumulate(a, b, c, 16, 8, op.k);
  StoreAccumulators(call, op.d, 8, c);
}

/// s8 and u8, m8n8k16, m16n8k16 and m16n8k32.
void MultiplyBytes(const WarpOp& op, const WarpCall& call) {
  uint8_t a[16 * 32], b[8 * 32];
  const uint32_t c_offset = LoadOperands(op, call, a, b, 1, op.k);
  MultiplyIntegers(op, call, op.m, a, b, c_offset);
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

const VectorMath& PortableVectorMath() {
  static constexpr VectorMath kMath = {&WidenF16, &WidenBf16, &MultiplyAccumulate};
  return kMath;
}

const VectorMath* Avx2VectorMath() {
  static constexpr VectorMath kMath = {&WidenF16Avx2, &WidenBf16Avx2, &MultiplyAccumulateAvx2};
  static const bool supported =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  return supported ? &kMath : nullptr;
}

const VectorMath& BestVectorMath() {
  static const VectorMath& best = Avx2VectorMath() != nullptr ? *Avx2VectorMath() : PortableVectorMath();
  return best;
}

void Widen(ElementType type, const void* from, float* to, size_t count) {
  if (type == ElementType::kTf32) {
    const auto* words = static_cast<const uint32_t*>(from);
    std::transform(words, words + count, to, FromTf32);
    return;
  }
  if (IsFloat8(type)) {
    const auto* bytes = static_cast<const uint8_t*>(from);
    std::transform(bytes, bytes + count, to, type == ElementType::kF8E4M3 ? FromE4M3 : FromE5M2);
    return;
  }
  const VectorMath& math = BestVectorMath();
  (type == ElementType::kF16 ? math.widen_f16 : math.widen_bf16)(static_cast<const uint16_t*>(from), to, count);
}

// The elements of a lane come in pairs of neighbours in a row.

void LoadAccumulators(const WarpCall& call, uint32_t offset, ElementType type, uint32_t n, float* c) {
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t* words = call.in[lane] + offset;
    for (uint32_t i = 0; i < n / 2; i += 2) {
      const ElementIndex index = IndexInC(lane, i);
      float* pair = c + index.row * n + index.column;
      if (type == ElementType::kF32) {
        std::memcpy(pair, words + i, 8);
      } else {
        pair[0] = FromF16(static_cast<uint16_t>(words[i / 2]));
        pair[1] = FromF16(static_cast<uint16_t>(words[i / 2] >> 16));
      }
    }
  }
}

void StoreAccumulators(const WarpCall& call, ElementType type, uint32_t n, const float* d) {
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t* words = call.out[lane];
    for (uint32_t i = 0; i < n / 2; i += 2) {
      const ElementIndex index = IndexInC(lane, i);
      const float* pair = d + index.row * n + index.column;
      if (type == ElementType::kF32) {
        std::memcpy(words + i, pair, 8);
      } else {
        words[i / 2] = ToF16(pair[0]) | uint32_t{ToF16(pair[1])} << 16;
      }
    }
  }
}

void MultiplyIntegers(const WarpOp& op, const WarpCall& call, uint32_t rows, const uint8_t* a, const uint8_t* b,
                      std::optional<uint32_t> c_offset) {
  using Limits = std::numeric_limits<int32_t>;
  const auto product = FindDotProduct(op.a, op.b);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < rows * op.n / 32; ++i) {
      const ElementIndex index = IndexInC(lane, i);
      const int64_t start = c_offset ? static_cast<int32_t>(call.in[lane][*c_offset + i]) : 0;
      int64_t sum = start + product(a + index.row * op.k, b + index.column * op.k, op.k);
      if ((op.flags & kSaturate) != 0) sum = std::clamp<int64_t>(sum, Limits::min(), Limits::max());
      call.out[lane][i] = static_cast<uint32_t>(sum);
    }
  }
}

void ExecuteLoadMatrix(const WarpOp& op, const WarpCall& call) {
  char* rows[32];
  FindRows(op, call, AccessKind::kRead, rows);
  ForEachPart(op, rows, [&](uint32_t lane, uint32_t tile, uint32_t at, const char* shared, size_t bytes) {
    std::memcpy(reinterpret_cast<char*>(call.out[lane] + tile) + at, shared, bytes);
  });
}

void ExecuteStoreMatrix(const WarpOp& op, const WarpCall& call) {
  char* rows[32];
  FindRows(op, call, AccessKind::kWrite, rows);
  ForEachPart(op, rows, [&](uint32_t lane, uint32_t tile, uint32_t at, char* shared, size_t bytes) {
    std::memcpy(shared, reinterpret_cast<const char*>(call.in[lane] + 2 + tile) + at, bytes);
  });
}

void ExecuteMma(const WarpOp& op, const WarpCall& call) {
  RequireWholeWarp(op, call);
  const bool to_float = op.c == ElementType::kF32 && op.d == ElementType::kF32;
  const bool to_f16 = op.a == ElementType::kF16 && op.c == ElementType::kF16 && op.d == ElementType::kF16;
  const bool to_integer = op.c == ElementType::kS32 && op.d == ElementType::kS32;
  if (IsHalf(op.a) && op.a == op.b && (to_float || to_f16) && (IsShape(op, 16, 8, 8) || IsShape(op, 16, 8, 16))) {
    MultiplyFloats<uint16_t>(op, call);
  } else if (op.a == ElementType::kTf32 && op.b == op.a && to_float &&
             (IsShape(op, 16, 8, 4) || IsShape(op, 16, 8, 8))) {
    MultiplyFloats<uint32_t>(op, call);
  } else if (IsFloat8(op.a) && IsFloat8(op.b) && (to_float || (op.c == ElementType::kF16 && op.d == op.c)) &&
             (IsShape(op, 16, 8, 16) || IsShape(op, 16, 8, 32))) {
    MultiplyFloats<uint8_t>(op, call);
  } else if (IsByte(op.a) && IsByte(op.b) && to_integer &&
             (IsShape(op, 8, 8, 16) || IsShape(op, 16, 8, 16) || IsShape(op, 16, 8, 32))) {
    MultiplyBytes(op, call);
  } else if (op.a == ElementType::kF64 && op.b == op.a && op.c == op.a && op.d == op.a && IsShape(op, 8, 8, 4)) {
    MultiplyDoubles(call);
  } else {
    FailWarpOp(op, call, "the simulator does not support this shape with these types");
  }
}

}  // namespace mmtune::simt
