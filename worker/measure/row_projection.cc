// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/row_projection.h"

#include <cmath>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace mmtune {
namespace {

#if defined(__SSE2__)
__m128i Load(const uint32_t* words) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(words)); }

/// The even elements' products and the odd ones' are added in pairs.
__m128i MultiplyAdd(__m128i sum, __m128i elements, __m128i x) {
  const __m128i odd = _mm_mul_epu32(_mm_srli_epi64(elements, 32), _mm_srli_epi64(x, 32));
  return _mm_add_epi64(_mm_add_epi64(sum, _mm_mul_epu32(elements, x)), odd);
}

uint64_t Total(__m128i sum) {
  uint64_t halves[2];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(halves), sum);
  return halves[0] + halves[1];
}
#endif

}  // namespace

bool ProjectRow(const float* values, int64_t count, float bound, const uint32_t* const x[2], uint64_t sums[2]) {
  bool possible = true;
  int64_t j = 0;
  sums[0] = sums[1] = 0;
#if defined(__SSE2__)
  const __m128i shift = _mm_set1_epi32(static_cast<int32_t>(kProjectionShift));
  const __m128 most = _mm_set1_ps(bound), sign = _mm_set1_ps(-0.0f);
  __m128 right = _mm_cmpeq_ps(sign, sign);
  __m128i sum0 = _mm_setzero_si128(), sum1 = sum0;
  for (; j + 4 <= count; j += 4) {
    const __m128 element = _mm_loadu_ps(values + j);
    const __m128i integer = _mm_cvttps_epi32(element);
    right = _mm_and_ps(right, _mm_and_ps(_mm_cmpeq_ps(_mm_cvtepi32_ps(integer), element),
                                         _mm_cmple_ps(_mm_andnot_ps(sign, element), most)));
    const __m128i shifted = _mm_add_epi32(integer, shift);
    sum0 = MultiplyAdd(sum0, shifted, Load(x[0] + j));
    sum1 = MultiplyAdd(sum1, shifted, Load(x[1] + j));
  }
  possible = _mm_movemask_ps(right) == 15;
  sums[0] = Total(sum0);
  sums[1] = Total(sum1);
#endif
  for (; j < count && possible; ++j) {
    possible = std::fabs(values[j]) <= bound && std::trunc(values[j]) == values[j];
    if (!possible) break;  // it may have no integer
    const uint64_t shifted = static_cast<uint32_t>(static_cast<int32_t>(values[j]) + int32_t{kProjectionShift});
    sums[0] += shifted * x[0][j];
    sums[1] += shifted * x[1][j];
  }
  return possible;
}

}  // namespace mmtune
