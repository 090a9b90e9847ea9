// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/exact_operands.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "proto/base/split_mix64.h"
#include "worker/measure/element_types.h"
#include "worker/measure/epilogue_reference.h"
#include "worker/measure/operand_plan.h"

namespace mmtune {
namespace {

/// The largest bias and addend, before the scales: enough to tell neighbours apart, and to move sums across zero; where
/// sums are rounded to 16 bits, enough to be seen beside them.
constexpr int64_t kLargestAddend = 4096, kLargestAddendOf16Bits = 16384;
/// Rows of B that are not each other's copy up to the sign, where the whole product is computed.
constexpr int64_t kDistinctRows = 128;
/// Binary exponents that the scales of an epilogue may span before B makes up for them.
constexpr double kTameExponent = 32;
constexpr double kLargestExponent = 90;
constexpr double kLargestEpilogueOperand = 1e38;
/// The standard deviation of arguments of a transcendental activation: nine of ten are within 4 of 0, where it is
/// curved.
constexpr double kCurvedDeviation = 2.5;
/// The distance from 0 of the farther bound of a clamp, in standard deviations: one value of eight is beyond it.
constexpr double kClampDeviations = 1.5;

/// A, row-major.
template <typename Real>
void FillA(const MatmulProblem& problem, const OperandPlan& plan, SplitMix64& random, std::vector<Real>& a) {
  const int64_t k = problem.k, period = plan.period();
  if (period == 1) {
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<Real>(plan.Draw(plan.SizeA(static_cast<int64_t>(i) % k), random));
    }
    return;
  }
  for (int64_t first_row = 0; first_row < problem.batch * problem.m; first_row += problem.m) {
    for (int64_t start = 0; start < k; start += period) {
      const int64_t length = std::min(period, k - start);
      const int64_t column = start + static_cast<int64_t>(random.Next() % static_cast<uint64_t>(length));
      for (int64_t i = first_row; i < first_row + problem.m; ++i) {
        a[static_cast<size_t>(i * k + column)] = static_cast<Real>(plan.Draw(plan.SizeA(column), random));
      }
    }
  }
}

/// B, as the problem lays it out.
template <typename Real>
void FillB(const MatmulProblem& problem, const OperandPlan& plan, SplitMix64& random, std::vector<Real>& b) {
  const int64_t columns = problem.transpose_b ? problem.k : problem.n;
  for (int64_t row = 0; row < static_cast<int64_t>(b.size()) / columns; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t k = problem.transpose_b ? column : row % problem.k;
      b[static_cast<size_t>(row * columns + column)] = static_cast<Real>(plan.Draw(plan.SizeB(k), random));
    }
  }
}

/// How far from 0 values must lie, as a standard deviation, for a step to show what it does and what it is given: where
/// a curve bends, and for clamp mostly between the bounds, and not always. 0 where any will do.
double TellingDeviation(const EpilogueOp& op) {
  if (IsTranscendental(op)) return kCurvedDeviation;
  return op.kind == EpilogueOp::Kind::kClamp ? std::max(std::fabs(op.low), std::fabs(op.high)) / kClampDeviations : 0;
}

/// The scales of an epilogue, as binary logarithms: of the product of all, and of the least and the largest product of
/// the first ones.
struct Scales {
  double all = 0, low = 0, high = 0;

  void Add(const EpilogueOp& op) {
    if (op.kind != EpilogueOp::Kind::kScale) return;
    all += std::log2(std::fabs(double{op.factor}));
    low = std::min(low, all);
    high = std::max(high, all);
  }
};

/// Returns the binary exponents by which B is scaled, one for each run: they bring the values into the range in which
/// an error in one step of the epilogue is visible. If no step needs that, returns the one exponent that keeps the
/// values away from overflow and underflow of f32 and of the problem's types.
std::vector<int> ExponentsFor(const MatmulProblem& problem, const OperandPlan& plan) {
  if (TraitsOf(problem.dtype).is_integer) return {0};
  Scales scales;
  std::vector<double> wanted;
  for (const EpilogueOp& op : problem.epilogue) {
    scales.Add(op);
    const double deviation = TellingDeviation(op);
    if (deviation > 0) wanted.push_back(std::log2(deviation / plan.Deviation()) - scales.all);
  }
  const bool tame = -kTameExponent <= scales.low && scales.high <= kTameExponent;
  const DataTypeTraits &factor = TraitsOf(problem.dtype), &result = TraitsOf(problem.TypeOfC());
  const double finite = std::ilogb(result.largest) - std::ilogb(ExactLimit(problem)) - std::ceil(scales.all);
  // Integers of as many bits as a factor's significand has stay exact and finite.
  const double least = std::max<double>(std::ilogb(factor.smallest), -kLargestExponent);
  const double most = std::min<double>(std::ilogb(factor.largest) - factor.significand_bits, kLargestExponent);
  if (wanted.empty()) {
    wanted = {tame ? 0 : -(scales.low + scales.high) / 2};
    if (HasSmallRange(result.type)) wanted = {finite};
  }
  std::vector<int> exponents;
  for (double exponent : wanted) {
    if (HasSmallRange(result.type)) exponent = std::min(exponent, finite);
    const int whole = static_cast<int>(std::round(std::clamp(exponent, least, most)));
    if (std::ranges::none_of(exponents, [whole](int other) { return std::abs(whole - other) <= 1; })) {
      exponents.push_back(whole);
    }
  }
  return exponents;
}

/// Never 0, which would not show whether it was added. Of `type`.
template <typename Real>
Real EpilogueOperand(DataType type, SplitMix64& random, double scale) {
  const DataTypeTraits& traits = TraitsOf(type);
  const int64_t most_integer = traits.bytes > 2 ? kLargestAddend : kLargestAddendOf16Bits;
  const double integer = SmallInteger(random, most_integer);
  double value = scale * (integer == 0 ? static_cast<double>(most_integer) : integer);
  const double most = std::min(kLargestEpilogueOperand, traits.largest);
  value = std::clamp(value, -most, most);
  const double least_normal = std::ldexp(traits.smallest, traits.significand_bits - 1);
  if (std::fabs(value) < least_normal) value = std::copysign(least_normal, value);
  auto rounded = static_cast<Real>(value);
  RoundToType(type, 1, &rounded);
  return rounded;
}

/// Bias and addend, multiplied with the scales before them, as the sums that they are added to are.
template <typename Real>
void FillEpilogueOperands(const MatmulProblem& problem, int exponent, SplitMix64& random,
                          TypedExactOperands<Real>& operands) {
  double scale = std::ldexp(1.0, exponent);
  operands.bias.resize(static_cast<size_t>(problem.ElementsBias()));
  operands.addend.resize(static_cast<size_t>(problem.ElementsAddend()));
  for (const EpilogueOp& op : problem.epilogue) {
    if (op.kind == EpilogueOp::Kind::kScale) scale *= op.factor;
    if (op.kind == EpilogueOp::Kind::kBias) {
      for (Real& value : operands.bias) value = EpilogueOperand<Real>(problem.TypeOfC(), random, scale);
    } else if (op.ReadsAddend()) {
      for (Real& value : operands.addend) value = EpilogueOperand<Real>(problem.TypeOfC(), random, scale);
    }
  }
}

/// One matrix B as rows of a smaller one: row k is sign[k] * rows[choice[k]].
template <typename Real>
struct FactoredB {
  FactoredB(int64_t k, int64_t n)
      : distinct(std::min(k, kDistinctRows)),
        rows(static_cast<size_t>(distinct * n)),
        choice(static_cast<size_t>(k)),
        sign(static_cast<size_t>(k)) {}

  void Draw(const OperandPlan& plan, int exponent, SplitMix64& random) {
    const bool all_distinct = distinct == static_cast<int64_t>(choice.size());
    // Where rows are copied, as many of them are of each size.
    const int64_t per_size = std::max<int64_t>(1, distinct / plan.sizes());
    const auto n = static_cast<int64_t>(rows.size()) / distinct;
    const Real unit = std::ldexp(Real{1}, exponent);
    for (size_t i = 0; i < rows.size(); ++i) {
      const int64_t row = static_cast<int64_t>(i) / n;
      const OperandPlan::Size size =
          all_distinct ? plan.SizeB(row) : static_cast<OperandPlan::Size>(std::min(row / per_size, plan.sizes() - 1));
      rows[i] = static_cast<Real>(plan.Draw(size, random)) * unit;
    }
    for (size_t k = 0; k < choice.size(); ++k) {
      const uint64_t bits = random.Next();
      const auto first = static_cast<uint64_t>(per_size) * static_cast<uint64_t>(plan.SizeB(static_cast<int64_t>(k)));
      choice[k] = all_distinct ? k : first + (bits >> 32) % static_cast<uint64_t>(per_size);
      sign[k] = static_cast<Real>((bits & 1) != 0 ? -1 : 1);
    }
  }

  void Store(int64_t n, bool transpose, Real* b) const {
    const auto extent = static_cast<int64_t>(choice.size());
    for (int64_t k = 0; k < extent; ++k) {
      const Real* row = &rows[choice[static_cast<size_t>(k)] * static_cast<size_t>(n)];
      Real* to = transpose ? b + k : b + k * n;
      const int64_t stride = transpose ? extent : 1;
      for (int64_t j = 0; j < n; ++j) to[j * stride] = sign[static_cast<size_t>(k)] * row[j];
    }
  }

  /// Turns a row of A into one that is to be multiplied with `rows` in place of B: `folded` has `distinct` elements.
  void Fold(const Real* a_row, Real* folded) const {
    std::fill_n(folded, distinct, Real{0});
    for (size_t k = 0; k < choice.size(); ++k) folded[choice[k]] += sign[k] * a_row[k];
  }

  int64_t distinct;
  std::vector<Real> rows;
  std::vector<size_t> choice;
  std::vector<Real> sign;
};

/// B, and A*B, which is computed from the distinct rows of B; A is still row-major.
template <typename Real>
void FillFactoredB(const MatmulProblem& problem, const OperandPlan& plan, int exponent, SplitMix64& random,
                   TypedExactOperands<Real>& operands) {
  const auto [m, n, k] = std::tuple(problem.m, problem.n, problem.k);
  FactoredB<Real> factored(k, n);
  std::vector<Real> folded(static_cast<size_t>(m * factored.distinct));
  operands.product.resize(static_cast<size_t>(problem.ElementsC()));
  for (int64_t matrix = 0; matrix < problem.batch; ++matrix) {
    factored.Draw(plan, exponent, random);
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
template <typename Real>
void AddRows(const Real* __restrict a, const Real* __restrict b, int64_t stride, int64_t steps, int64_t n,
             Real* __restrict out) {
  if (steps == 4) {
    const Real *b0 = b, *b1 = b + stride, *b2 = b + 2 * stride, *b3 = b + 3 * stride;
    const Real a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    for (int64_t j = 0; j < n; ++j) out[j] += (a0 * b0[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j]);
    return;
  }
  for (int64_t r = 0; r < steps; ++r) {
    for (int64_t j = 0; j < n; ++j) out[j] += a[r] * b[r * stride + j];
  }
}

/// Returns the transpose of a matrix of `rows` rows of `columns` elements.
template <typename Real>
std::vector<Real> Transposed(const Real* matrix, int64_t rows, int64_t columns) {
  constexpr int64_t kBlock = 32;  // rows: the written block stays in the cache
  std::vector<Real> transposed(static_cast<size_t>(rows * columns));
  for (int64_t first = 0; first < rows; first += kBlock) {
    const int64_t end = std::min(rows, first + kBlock);
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = first; i < end; ++i) transposed[static_cast<size_t>(j * rows + i)] = matrix[i * columns + j];
    }
  }
  return transposed;
}

}  // namespace

template <typename Real>
void MultiplyExact(const Real* a, const Real* b, Real* c, int64_t m, int64_t n, int64_t k) {
  constexpr int64_t kColumns = 512, kRows = 128;  // a block of B stays in the cache while the rows of A pass
  std::fill_n(c, m * n, Real{0});
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
template <typename Real>
void ApplyRoundedStep(const EpilogueOp& op, const Real* operand, int64_t n, Real* row) {
  switch (op.kind) {
    case EpilogueOp::Kind::kBias:
    case EpilogueOp::Kind::kAdd:
      for (int64_t j = 0; j < n; ++j) row[j] += operand[j];
      break;
    case EpilogueOp::Kind::kSub:
      for (int64_t j = 0; j < n; ++j) row[j] -= operand[j];
      break;
    case EpilogueOp::Kind::kRelu:
      for (int64_t j = 0; j < n; ++j) row[j] = row[j] > 0 ? row[j] : Real{0};
      break;
    case EpilogueOp::Kind::kScale:
      for (int64_t j = 0; j < n; ++j) row[j] *= op.factor;
      break;
    case EpilogueOp::Kind::kClamp:
      for (int64_t j = 0; j < n; ++j) row[j] = std::clamp(row[j], Real{op.low}, Real{op.high});
      break;
    case EpilogueOp::Kind::kGelu:
    case EpilogueOp::Kind::kGeluTanh:
    case EpilogueOp::Kind::kSilu:
    case EpilogueOp::Kind::kTanh:
      break;  // no one result is right
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

template <typename Real>
TypedExactOperands<Real> MakeExactOperands(const MatmulProblem& problem, uint64_t seed, int scale, int operand_bits) {
  const OperandPlan plan(problem, seed, operand_bits);
  SplitMix64 random(seed);
  TypedExactOperands<Real> operands;
  operands.a.resize(static_cast<size_t>(problem.ElementsA()));
  operands.b.resize(static_cast<size_t>(problem.ElementsB()));
  if (problem.epilogue.empty() && problem.TypeOfC() == DataType::kF32) {
    operands.bound = static_cast<Real>(plan.bound());
    FillB(problem, plan, random, operands.b);
    FillA(problem, plan, random, operands.a);
  } else {
    const std::vector<int> exponents = ExponentsFor(problem, plan);
    const int exponent = exponents[static_cast<size_t>(scale)];
    operands.scales = static_cast<int>(exponents.size());
    FillA(problem, plan, random, operands.a);
    // Its negative is none of the type, and rows of B are negated.
    if (problem.dtype == DataType::kS8) std::ranges::replace(operands.a, Real{-127}, Real{-128});
    FillFactoredB(problem, plan, exponent, random, operands);
    FillEpilogueOperands(problem, exponent, random, operands);
  }
  if (!problem.transpose_a) return operands;
  for (int64_t matrix = 0; matrix < problem.batch; ++matrix) {
    Real* a = &operands.a[static_cast<size_t>(matrix * problem.m * problem.k)];
    const std::vector<Real> stored = Transposed(a, problem.m, problem.k);
    std::copy(stored.begin(), stored.end(), a);
  }
  return operands;
}

template <typename Real>
OperandSource TypedExactOperands<Real>::Source(const MatmulProblem& problem) const {
  return [this, problem](PlanBuffer input, int64_t first, int64_t count, void* elements) {
    const std::vector<Real>* const inputs[] = {&a, &b, nullptr, &bias, &addend};
    EncodeElements(TypeOf(problem, input), inputs[static_cast<size_t>(input)]->data() + first, count, elements);
  };
}

template <typename Real>
EncodedOperands::EncodedOperands(const MatmulProblem& problem, const TypedExactOperands<Real>& values) {
  const std::pair<PlanBuffer, const std::vector<Real>*> inputs[] = {{PlanBuffer::kA, &values.a},
                                                                    {PlanBuffer::kB, &values.b},
                                                                    {PlanBuffer::kBias, &values.bias},
                                                                    {PlanBuffer::kAddend, &values.addend}};
  for (const auto& [buffer, numbers] : inputs) {
    const DataType type = TypeOf(problem, buffer);
    Array& array =
        arrays_.emplace_back(Array{numbers->data(), numbers->size() * static_cast<size_t>(DataTypeBytes(type))});
    if (IsTypeOf<Real>(type)) continue;
    array.own.resize(array.bytes);
    EncodeElements(type, numbers->data(), static_cast<int64_t>(numbers->size()), array.own.data());
    array.data = array.own.data();
  }
}

size_t EncodedOperands::HashOfBits() const {
  size_t hash = 0;
  for (const Array& array : arrays_) {
    hash = absl::HashOf(hash, absl::string_view(static_cast<const char*>(array.data), array.bytes));
  }
  return hash;
}

#define MMTUNE_EXACT_OPERANDS_OF(Real)                                                                 \
  template struct TypedExactOperands<Real>;                                                            \
  template TypedExactOperands<Real> MakeExactOperands<Real>(const MatmulProblem&, uint64_t, int, int); \
  template EncodedOperands::EncodedOperands(const MatmulProblem&, const TypedExactOperands<Real>&);    \
  template void MultiplyExact<Real>(const Real*, const Real*, Real*, int64_t, int64_t, int64_t);       \
  template void ApplyRoundedStep<Real>(const EpilogueOp&, const Real*, int64_t, Real*);
MMTUNE_EXACT_OPERANDS_OF(float)
MMTUNE_EXACT_OPERANDS_OF(double)
#undef MMTUNE_EXACT_OPERANDS_OF

}  // namespace mmtune
