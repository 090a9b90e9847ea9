// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ops/vector_math.h"

#if !defined(__x86_64__)
#error "mmtune is built on x86-64 hosts: the SIMT device computes with its instructions"
#endif
#include <immintrin.h>

#include <algorithm>
#include <cmath>

#include "kernels/simulator/ops/float_bits.h"

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

/// Four rows of 8 * kVectors columns: that many accumulators stay in registers.
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
      const __m256 factor = _mm256_broadcast_ss(a + i * k + p);
      for (int v = 0; v < kVectors; ++v) sums[i][v] = _mm256_fmadd_ps(factor, row[v], sums[i][v]);
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
  const VectorMath& math = BestVectorMath();
  (type == ElementType::kF16 ? math.widen_f16 : math.widen_bf16)(static_cast<const uint16_t*>(from), to, count);
}

}  // namespace mmtune::simt
