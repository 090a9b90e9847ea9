// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/exact_operands.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "proto/base/split_mix64.h"

namespace mmtune {
namespace {

constexpr int64_t kLargestOperand = 127;
/// The largest bias and addend, before the scales: enough to tell neighbours apart, and to move sums across zero.
constexpr int64_t kLargestAddend = 4096;
/// Rows of B that are not each other's copy up to the sign, where the whole product is computed.
constexpr int64_t kDistinctRows = 128;
/// Binary exponents that the scales of an epilogue may span before B makes up for them.
constexpr double kTameExponent = 32;
constexpr double kLargestExponent = 90;
constexpr double kLargestEpilogueOperand = 1e38;

/// Largest v with `terms`*v*v <= 2^24, at most kLargestOperand.
int64_t OperandRange(int64_t terms) {
  int64_t v = 1;
  while (v < kLargestOperand && terms * (v + 1) * (v + 1) <= kExactLimit) ++v;
  return v;
}

/// Uniform in [-v, v].
float SmallInteger(SplitMix64& random, int64_t v) {
  const uint64_t bits = random.Next() >> 32;
  return static_cast<float>(static_cast<int64_t>((bits * static_cast<uint64_t>(2 * v + 1)) >> 32) - v);
}

void FillSmallIntegers(std::vector<float>& values, int64_t v, SplitMix64& random) {
  for (float& value : values) value = SmallInteger(random, v);
}

/// A; of each `period` columns in a row, one is not zero.
void FillA(const MatmulProblem& problem, int64_t period, int64_t v, SplitMix64& random, std::vector<float>& a) {
  if (period == 1) return FillSmallIntegers(a, v, random);
  const int64_t k = problem.k;
  for (int64_t first_row = 0; first_row < problem.batch * problem.m; first_row += problem.m) {
    for (int64_t start = 0; start < k; start += period) {
      const int64_t length = std::min(period, k - start);
      const int64_t column = start + static_cast<int64_t>(random.Next() % static_cast<uint64_t>(length));
      for (int64_t i = first_row; i < first_row + problem.m; ++i) {
        a[static_cast<size_t>(i * k + column)] = SmallInteger(random, v);
      }
    }
  }
}

/// The power of two for B with which the scales keep the values away from the ends of f32.
int ExponentFor(const Epilogue& epilogue) {
  double exponent = 0, low = 0, high = 0;
  for (const EpilogueOp& op : epilogue) {
    if (op.kind != EpilogueOp::Kind::kScale) continue;
    exponent += std::log2(std::fabs(double{op.factor}));
    low = std::min(low, exponent);
    high = std::max(high, exponent);
  }
  if (-kTameExponent <= low && high <= kTameExponent) return 0;
  return static_cast<int>(std::clamp(-(low + high) / 2, -kLargestExponent, kLargestExponent));
}

/// Never 0, which would not show whether it was added.
float EpilogueOperand(SplitMix64& random, double scale) {
  const float integer = SmallInteger(random, kLargestAddend);
  const double value = scale * (integer == 0 ? kLargestAddend : static_cast<double>(integer));
  return static_cast<float>(std::clamp(value, -kLargestEpilogueOperand, kLargestEpilogueOperand));
}

/// Bias and addend, multiplied with the scales before them, as the sums that they are added to are.
void FillEpilogueOperands(const MatmulProblem& problem, int exponent, SplitMix64& random, ExactOperands& operands) {
  double scale = std::ldexp(1.0, exponent);
  operands.bias.resize(static_cast<size_t>(problem.ElementsBias()));
  operands.addend.resize(static_cast<size_t>(problem.ElementsAddend()));
  for (const EpilogueOp& op : problem.epilogue) {
    if (op.kind == EpilogueOp::Kind::kScale) scale *= op.factor;
    if (op.kind == EpilogueOp::Kind::kBias) {
      for (float& value : operands.bias) value = EpilogueOperand(random, scale);
    } else if (op.kind == EpilogueOp::Kind::kAdd) {
      for (float& value : operands.addend) value = EpilogueOperand(random, scale);
    }
  }
}

/// One matrix B as rows of a smaller one: row k is sign[k] * rows[choice[k]].
struct FactoredB {
  FactoredB(int64_t k, int64_t n)
      : distinct(std::min(k, kDistinctRows)),
        rows(static_cast<size_t>(distinct * n)),
        choice(static_cast<size_t>(k)),
        sign(static_cast<size_t>(k)) {}

  void Draw(int64_t v, int exponent, SplitMix64& random) {
    FillSmallIntegers(rows, v, random);
    const float unit = std::ldexp(1.0f, exponent);
    for (float& value : rows) value *= unit;
    const bool all_distinct = distinct == static_cast<int64_t>(choice.size());
    for (size_t k = 0; k < choice.size(); ++k) {
      const uint64_t bits = random.Next();
      choice[k] = all_distinct ? k : (bits >> 32) % static_cast<uint64_t>(distinct);
      sign[k] = (bits & 1) != 0 ? -1.0f : 1.0f;
    }
  }

  void Store(int64_t n, bool transpose, float* b) const {
    const auto extent = static_cast<int64_t>(choice.size());
    for (int64_t k = 0; k < extent; ++k) {
      const float* row = &rows[choice[static_cast<size_t>(k)] * static_cast<size_t>(n)];
      float* to = transpose ? b + k : b + k * n;
      const int64_t stride = transpose ? extent : 1;
      for (int64_t j = 0; j < n; ++j) to[j * stride] = sign[static_cast<size_t>(k)] * row[j];
    }
  }

  /// Turns a row of A into one that is to be multiplied with `rows` in place of B: `folded` has `distinct` elements.
  void Fold(const float* a_row, float* folded) const {
    std::fill_n(folded, distinct, 0.0f);
    for (size_t k = 0; k < choice.size(); ++k) folded[choice[k]] += sign[k] * a_row[k];
  }

  int64_t distinct;
  std::vector<float> rows;
  std::vector<size_t> choice;
  std::vector<float> sign;
};

/// B, and A*B, which is computed from the distinct rows of B.
void FillFactoredB(const MatmulProblem& problem, int64_t v, int exponent, SplitMix64& random, ExactOperands& operands) {
  const auto [m, n, k] = std::tuple(problem.m, problem.n, problem.k);
  FactoredB factored(k, n);
  std::vector<float> folded(static_cast<size_t>(m * factored.distinct));
  operands.product.resize(static_cast<size_t>(problem.ElementsC()));
  for (int64_t matrix = 0; matrix < problem.batch; ++matrix) {
    factored.Draw(v, exponent, random);
    factored.Store(n, problem.transpose_b, &operands.b[static_cast<size_t>(matrix * k * n)]);
    for (int64_t i = 0; i < m; ++i) {
      factored.Fold(&operands.a[static_cast<size_t>((matrix * m + i) * k)],
                    &folded[static_cast<size_t>(i * factored.distinct)]);
    }
    MultiplyExact(folded.data(), factored.rows.data(), &operands.product[static_cast<size_t>(matrix * m * n)], m, n,
                  factored.distinct);
  }
}

/// out[j] += the sum of a[r]*b[r][j] over `steps` rows; four at once are fast.
void AddRows(const float* __restrict a, const float* __restrict b, int64_t stride, int64_t steps, int64_t n,
             float* __restrict out) {
  if (steps == 4) {
    const float *b0 = b, *b1 = b + stride, *b2 = b + 2 * stride, *b3 = b + 3 * stride;
    const float a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    for (int64_t j = 0; j < n; ++j) out[j] += (a0 * b0[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j]);
    return;
  }
  for (int64_t r = 0; r < steps; ++r) {
    for (int64_t j = 0; j < n; ++j) out[j] += a[r] * b[r * stride + j];
  }
}

}  // namespace

void MultiplyExact(const float* a, const float* b, float* c, int64_t m, int64_t n, int64_t k) {
  constexpr int64_t kColumns = 512, kRows = 128;  // a block of B stays in the cache while the rows of A pass
  std::fill_n(c, m * n, 0.0f);
  for (int64_t first = 0; first < n; first += kColumns) {
    const int64_t columns = std::min(kColumns, n - first);
    for (int64_t block = 0; block < k; block += kRows) {
      const int64_t end = std::min(k, block + kRows);
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t r = block; r < end; r += 4) {
          AddRows(a + i * k + r, b + r * n + first, n, std::min<int64_t>(4, end - r), columns, c + i * n + first);
        }
      }
    }
  }
}

// Each step is a loop of its own: its results are rounded, and no step is contracted with the next.
void ApplyEpilogue(const Epilogue& epilogue, const float* bias, const float* addend, int64_t n, float* row) {
  for (const EpilogueOp& op : epilogue) {
    switch (op.kind) {
      case EpilogueOp::Kind::kBias:
        for (int64_t j = 0; j < n; ++j) row[j] += bias[j];
        break;
      case EpilogueOp::Kind::kAdd:
        for (int64_t j = 0; j < n; ++j) row[j] += addend[j];
        break;
      case EpilogueOp::Kind::kRelu:
        for (int64_t j = 0; j < n; ++j) row[j] = row[j] > 0 ? row[j] : 0.0f;
        break;
      case EpilogueOp::Kind::kScale:
        for (int64_t j = 0; j < n; ++j) row[j] *= op.factor;
        break;
    }
  }
}

// Each loop is simple enough for the compiler to take several elements at a time.
bool ProjectRow(const float* values, int64_t count, float bound, const uint32_t* const x[2], uint64_t sums[2]) {
  int wrong = 0;
  for (int64_t j = 0; j < count; ++j) wrong |= !(std::fabs(values[j]) <= bound);
  if (wrong != 0) return false;  // some have no integer
  for (int64_t j = 0; j < count; ++j) wrong |= static_cast<float>(static_cast<int32_t>(values[j])) != values[j];
  if (wrong != 0) return false;
  for (int v = 0; v < 2; ++v) {
    uint64_t sum = 0;
    for (int64_t j = 0; j < count; ++j) {
      const uint32_t shifted = static_cast<uint32_t>(static_cast<int32_t>(values[j])) + kProjectionShift;
      sum += uint64_t{shifted} * x[v][j];
    }
    sums[v] = sum;
  }
  return true;
}

ExactOperands MakeExactOperands(const MatmulProblem& problem, uint64_t seed) {
  const int64_t period = (problem.k + kExactLimit - 1) / kExactLimit;
  const int64_t terms = (problem.k + period - 1) / period;  // nonzero products in one element of C, at most
  const int64_t v = OperandRange(terms);
  SplitMix64 random(seed);
  ExactOperands operands;
  operands.bound = static_cast<float>(terms * v * v);
  operands.a.resize(static_cast<size_t>(problem.ElementsA()));
  operands.b.resize(static_cast<size_t>(problem.ElementsB()));
  if (problem.epilogue.empty()) {
    FillSmallIntegers(operands.b, v, random);
    FillA(problem, period, v, random, operands.a);
    return operands;
  }
  const int exponent = ExponentFor(problem.epilogue);
  FillA(problem, period, v, random, operands.a);
  FillFactoredB(problem, v, exponent, random, operands);
  FillEpilogueOperands(problem, exponent, random, operands);
  return operands;
}

}  // namespace mmtune
