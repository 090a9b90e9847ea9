// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/checker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/split_mix64.h"
#include "proto/base/status.h"
#include "worker/measure/element_types.h"
#include "worker/measure/epilogue_reference.h"

namespace mmtune {
namespace {

/// An element that no correct result of a problem without epilogue has.
template <typename Real>
bool IsImpossible(Real value, Real bound) {
  return !(std::fabs(value) <= bound) || value != std::trunc(value);  // the first part is true for NaN, too
}

/// True if the step maps many numbers to one, or nearly one.
bool Hides(const EpilogueOp& op) {
  return op.kind == EpilogueOp::Kind::kRelu || op.kind == EpilogueOp::Kind::kClamp || IsTranscendental(op);
}

template <typename Real>
void Negate(std::vector<Real>& values) {
  for (Real& value : values) value = -value;
}

constexpr std::string_view kTier = "exact";

}  // namespace

CheckReport ReportOf(std::string_view tier, bool passed) {
  CheckReport report;
  report.performed = true;
  report.passed = passed;
  report.tier = tier;
  return report;
}

CheckReport WrongElement(std::string_view tier, const MatmulProblem& problem, int64_t row, int64_t column, double got,
                         std::string_view what) {
  CheckReport report = ReportOf(tier, false);
  report.wrong_row = row;
  report.wrong_col = column;
  report.got = got;
  const std::string matrix = problem.batch > 1 ? absl::StrCat("[", row / problem.m, "]") : "";
  report.detail = absl::StrCat("C", matrix, "[", row % problem.m, "][", column, "] is ", got, ", ", ToAbsl(what));
  return report;
}

std::unique_ptr<ExactCheck> ExactCheck::Create(const MatmulProblem& problem, uint64_t seed, int64_t elementwise_limit,
                                               int operand_bits) {
  if (NeedsDoubles(problem))
    return std::make_unique<TypedExactChecker<double>>(problem, seed, elementwise_limit, operand_bits);
  return std::make_unique<ExactChecker>(problem, seed, elementwise_limit, operand_bits);
}

template <typename Real>
TypedExactChecker<Real>::TypedExactChecker(const MatmulProblem& problem, uint64_t seed, int64_t elementwise_limit,
                                           int operand_bits)
    : problem_(problem),
      seed_(seed),
      operand_bits_(operand_bits),
      operands_(MakeExactOperands<Real>(problem, seed, 0, operand_bits)),
      signs_(std::ranges::any_of(problem.epilogue, Hides) ? 2 : 1) {
  if (!operands_.product.empty()) return;
  if (rows() * problem_.n > elementwise_limit / problem_.k) {
    Project(seed);
    return;
  }
  operands_.product.reserve(static_cast<size_t>(problem_.ElementsC()));
  for (int64_t row = 0; row < rows(); ++row) {
    const std::vector<Real> product = ProductRow(row);
    operands_.product.insert(operands_.product.end(), product.begin(), product.end());
  }
}

template <typename Real>
void TypedExactChecker<Real>::SetPass(int pass) {
  const bool negate = pass % signs_ != pass_ % signs_, rescale = pass / signs_ != pass_ / signs_;
  pass_ = pass;
  if (rescale) operands_ = MakeExactOperands<Real>(problem_, seed_, pass / signs_, operand_bits_);
  if (!(rescale ? IsNegated() : negate)) return;
  Negate(operands_.a);
  Negate(operands_.bias);
  Negate(operands_.addend);
}

template <typename Real>
void TypedExactChecker<Real>::Project(uint64_t seed) {
  SplitMix64 random(seed ^ 0x5bf0f1c3a2d4e697);
  for (Projection& projection : projections_) {
    projection.x.resize(static_cast<size_t>(problem_.n));
    for (uint32_t& x : projection.x) x = static_cast<uint32_t>(random.Next() >> 32);
    projection.abx.reserve(static_cast<size_t>(rows()));
    for (int64_t matrix = 0; matrix < problem_.batch; ++matrix) ProjectMatrix(matrix, projection);
  }
}

template <typename Real>
void TypedExactChecker<Real>::ProjectMatrix(int64_t matrix, Projection& projection) const {
  const int64_t n = problem_.n, k = problem_.k;
  const Real* b = &operands_.b[static_cast<size_t>(matrix * k * n)];
  std::vector<uint64_t> bx(static_cast<size_t>(k));
  auto product = [](Real b, uint32_t x) { return static_cast<uint64_t>(static_cast<int32_t>(b)) * x; };
  if (problem_.transpose_b) {
    for (int64_t j = 0; j < n; ++j) {
      const uint32_t x = projection.x[static_cast<size_t>(j)];
      for (int64_t i = 0; i < k; ++i) bx[static_cast<size_t>(i)] += product(b[j * k + i], x);
    }
  } else {
    for (int64_t i = 0; i < k; ++i) {
      uint64_t sum = 0;
      for (int64_t j = 0; j < n; ++j) sum += product(b[i * n + j], projection.x[static_cast<size_t>(j)]);
      bx[static_cast<size_t>(i)] = sum;
    }
  }
  uint64_t shift = 0;
  for (uint32_t x : projection.x) shift += uint64_t{kProjectionShift} * x;
  const int64_t m = problem_.m;
  const Real* a = &operands_.a[static_cast<size_t>(matrix * m * k)];
  auto add = [&](Real element, int64_t j, uint64_t& sum) {
    sum += static_cast<uint64_t>(int64_t{static_cast<int32_t>(element)}) * bx[static_cast<size_t>(j)];
  };
  std::vector<uint64_t> sums(static_cast<size_t>(m), shift);
  if (problem_.transpose_a) {
    for (int64_t j = 0; j < k; ++j) {
      for (int64_t i = 0; i < m; ++i) add(a[j * m + i], j, sums[static_cast<size_t>(i)]);
    }
  } else {
    for (int64_t i = 0; i < m; ++i) {
      uint64_t sum = sums[static_cast<size_t>(i)];
      for (int64_t j = 0; j < k; ++j) add(a[i * k + j], j, sum);
      sums[static_cast<size_t>(i)] = sum;
    }
  }
  projection.abx.insert(projection.abx.end(), sums.begin(), sums.end());
}

template <typename Real>
std::vector<Real> TypedExactChecker<Real>::RowOfA(int64_t row) const {
  const int64_t k = problem_.k, m = problem_.m;
  if (!problem_.transpose_a) {
    const Real* first = &operands_.a[static_cast<size_t>(row * k)];
    return std::vector<Real>(first, first + k);
  }
  const Real* matrix = &operands_.a[static_cast<size_t>(row / m * m * k)];
  std::vector<Real> values(static_cast<size_t>(k));
  for (int64_t i = 0; i < k; ++i) values[static_cast<size_t>(i)] = matrix[i * m + row % m];
  return values;
}

template <typename Real>
bool TypedExactChecker<Real>::RowIsRight(const Real* values, int64_t row) const {
  const int64_t n = problem_.n;
  if (!operands_.product.empty()) {
    const Row expected = ExpectedRow(row);
    bool right = true;
    for (int64_t j = 0; j < n; ++j) right &= expected.Has(j, values[j]);
    return right;
  }
  if constexpr (std::is_same_v<Real, float>) {
    const uint32_t* const x[2] = {projections_[0].x.data(), projections_[1].x.data()};
    uint64_t sums[2];
    return ProjectRow(values, n, operands_.bound, x, sums) &&
           sums[0] == projections_[0].abx[static_cast<size_t>(row)] &&
           sums[1] == projections_[1].abx[static_cast<size_t>(row)];
  }
  return false;  // of doubles the product is known
}

template <typename Real>
std::vector<Real> TypedExactChecker<Real>::ProductRow(int64_t row) const {
  const int64_t n = problem_.n, k = problem_.k;
  std::vector<Real> sums(static_cast<size_t>(n));
  const std::vector<Real> a = RowOfA(row);
  const Real* b = &operands_.b[static_cast<size_t>(row / problem_.m * k * n)];
  if (!problem_.transpose_b) {
    MultiplyExact(a.data(), b, sums.data(), 1, n, k);
    return sums;
  }
  for (int64_t j = 0; j < n; ++j) {
    Real sum = 0;
    for (int64_t i = 0; i < k; ++i) sum += a[static_cast<size_t>(i)] * b[j * k + i];
    sums[static_cast<size_t>(j)] = sum;
  }
  return sums;
}

template <typename Real>
const Real* TypedExactChecker<Real>::OperandOf(const EpilogueOp& op, int64_t row) const {
  if (op.kind == EpilogueOp::Kind::kBias) return operands_.bias.data();
  return op.ReadsAddend() ? &operands_.addend[static_cast<size_t>(row * problem_.n)] : nullptr;
}

template <typename Real>
typename TypedExactChecker<Real>::Row TypedExactChecker<Real>::ExpectedRow(int64_t row) const {
  if (operands_.product.empty()) return {ProductRow(row), {}};
  const int64_t n = problem_.n;
  const Real* product = &operands_.product[static_cast<size_t>(row * n)];
  std::vector<Real> expected(product, product + n);
  if (IsNegated()) Negate(expected);
  for (size_t step = 0; step < problem_.epilogue.size(); ++step) {
    const EpilogueOp& op = problem_.epilogue[step];
    if (IsTranscendental(op)) return BoundedRow(step, row, expected);
    ApplyRoundedStep(op, OperandOf(op, row), n, expected.data());
  }
  RoundToType(problem_.TypeOfC(), n, expected.data());
  return {std::move(expected), {}};
}

template <typename Real>
typename TypedExactChecker<Real>::Row TypedExactChecker<Real>::BoundedRow(size_t step, int64_t row,
                                                                          const std::vector<Real>& exact) const {
  const int64_t n = problem_.n;
  std::vector<BoundedValue> elements(exact.size());
  for (size_t j = 0; j < exact.size(); ++j) elements[j].value = double{exact[j]};
  for (; step < problem_.epilogue.size(); ++step) {
    const EpilogueOp& op = problem_.epilogue[step];
    const Real* operand = OperandOf(op, row);
    for (size_t j = 0; j < elements.size(); ++j)
      ApplyStep(op, operand != nullptr ? double{operand[j]} : 0, problem_.AccumulatorType(), elements[j]);
  }
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  Row expected;
  for (const BoundedValue& element : elements) {
    const bool bounded = std::isfinite(element.bound);
    // What a kernel stores is a number of f32 between the two: rounding is monotonic, to f32 and to the type of C.
    expected.low.push_back(bounded ? static_cast<Real>(element.value - element.bound) : -kInfinity);
    expected.high.push_back(bounded ? static_cast<Real>(element.value + element.bound) : kInfinity);
  }
  RoundToType(problem_.TypeOfC(), n, expected.low.data());
  RoundToType(problem_.TypeOfC(), n, expected.high.data());
  return expected;
}

template <typename Real>
CheckReport TypedExactChecker<Real>::Mismatch(const Real* c, int64_t row, int64_t wrong_rows) const {
  const Row expected = ExpectedRow(row);
  const Real* values = c + row * problem_.n;
  int64_t column = 0;
  while (column + 1 < problem_.n && expected.Has(column, values[column])) ++column;
  const Real got = values[column], low = expected.low[static_cast<size_t>(column)];
  const float high = expected.high.empty() ? low : expected.high[static_cast<size_t>(column)];
  const std::string range = high == low ? "" : absl::StrCat(" to ", high);
  std::string what = absl::StrCat("not ", low, range, "; ", wrong_rows, " of ", rows(), " rows are wrong");
  if (std::isnan(got)) {
    absl::StrAppend(&what, " (NaN: perhaps never written)");
  } else if (operands_.bound > 0 && IsImpossible(got, operands_.bound)) {
    absl::StrAppend(&what, " (no sum of these operands)");
  }
  CheckReport report = WrongElement(kTier, problem_, row, column, got, what);
  report.expected = (double{low} + double{high}) / 2;
  return report;
}

template <typename Real>
CheckReport TypedExactChecker<Real>::Check(const Real* c) const {
  int64_t first = -1, wrong_rows = 0;
  for (int64_t row = 0; row < rows(); ++row) {
    if (RowIsRight(c + row * problem_.n, row)) continue;
    if (first < 0) first = row;
    ++wrong_rows;
  }
  return first < 0 ? ReportOf(kTier, true) : Mismatch(c, first, wrong_rows);
}

template <typename Real>
CheckReport TypedExactChecker<Real>::CheckElements(const void* c) const {
  const DataType type = problem_.TypeOfC();
  if (IsTypeOf<Real>(type)) return Check(static_cast<const Real*>(c));
  std::vector<Real> values(static_cast<size_t>(problem_.ElementsC()));
  DecodeElements(type, c, problem_.ElementsC(), values.data());
  return Check(values.data());
}

template class TypedExactChecker<float>;
template class TypedExactChecker<double>;

}  // namespace mmtune
