#include "worker/checker.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "worker/random_bits.h"

namespace mmtune {
namespace {

constexpr int64_t kExactLimit = int64_t{1} << 24;
constexpr int64_t kLargestOperand = 127;

/// Largest v with `terms`*v*v <= 2^24, at most kLargestOperand.
int64_t OperandRange(int64_t terms) {
  int64_t v = 1;
  while (v < kLargestOperand && terms * (v + 1) * (v + 1) <= kExactLimit) ++v;
  return v;
}

/// Uniform in [-v, v], from 32 random bits.
float SmallInteger(uint32_t bits, int64_t v) {
  auto span = static_cast<uint64_t>(2 * v + 1);
  return static_cast<float>(static_cast<int64_t>((bits * span) >> 32) - v);
}

void FillSmallIntegers(std::vector<float>& values, int64_t v, RandomBits& random) {
  for (float& value : values) value = SmallInteger(static_cast<uint32_t>(random.Next() >> 32), v);
}

/// An element that no correct result has.
bool IsImpossible(float value, float bound) {
  return !(std::fabs(value) <= bound) || value != std::trunc(value);  // the first also for NaN
}

CheckReport ExactReport(bool passed) {
  CheckReport report;
  report.performed = true;
  report.passed = passed;
  report.tier = "exact";
  return report;
}

}  // namespace

ExactChecker::ExactChecker(const MatmulProblem& problem, uint64_t seed) : problem_(problem) {
  FillOperands(seed);
  if (problem_.m * problem_.n <= kElementwiseLimit / problem_.k) {
    for (int64_t i = 0; i < problem_.m; ++i) {
      std::vector<int32_t> row = TrueRow(i);
      product_.insert(product_.end(), row.begin(), row.end());
    }
  } else {
    Project(seed);
  }
}

void ExactChecker::FillOperands(uint64_t seed) {
  const int64_t k = problem_.k;
  const int64_t period = (k + kExactLimit - 1) / kExactLimit;
  const int64_t terms = (k + period - 1) / period;  // nonzero products in one element of C, at most
  const int64_t v = OperandRange(terms);
  bound_ = static_cast<float>(terms * v * v);
  RandomBits random(seed);
  a_.resize(static_cast<size_t>(problem_.ElementsA()));
  b_.resize(static_cast<size_t>(problem_.ElementsB()));
  FillSmallIntegers(b_, v, random);
  if (period == 1) return FillSmallIntegers(a_, v, random);
  for (int64_t start = 0; start < k; start += period) {
    const int64_t length = std::min(period, k - start);
    const int64_t column = start + static_cast<int64_t>(random.Next() % static_cast<uint64_t>(length));
    for (int64_t i = 0; i < problem_.m; ++i) {
      a_[static_cast<size_t>(i * k + column)] = SmallInteger(static_cast<uint32_t>(random.Next() >> 32), v);
    }
  }
}

void ExactChecker::Project(uint64_t seed) {
  const auto [m, n, k] = std::tuple(problem_.m, problem_.n, problem_.k);
  RandomBits random(seed ^ 0x5bf0f1c3a2d4e697);
  for (Projection& projection : projections_) {
    projection.x.resize(static_cast<size_t>(n));
    for (int32_t& x : projection.x) x = static_cast<int32_t>(random.Next() >> 32);
    std::vector<uint64_t> bx(static_cast<size_t>(k));
    for (int64_t i = 0; i < k; ++i) {
      uint64_t sum = 0;
      const float* row = &b_[static_cast<size_t>(i * n)];
      for (int64_t j = 0; j < n; ++j) {
        sum += static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(row[j])) * projection.x[j]);
      }
      bx[static_cast<size_t>(i)] = sum;
    }
    projection.abx.resize(static_cast<size_t>(m));
    for (int64_t i = 0; i < m; ++i) {
      uint64_t sum = 0;
      const float* row = &a_[static_cast<size_t>(i * k)];
      for (int64_t j = 0; j < k; ++j) sum += static_cast<uint64_t>(static_cast<int64_t>(row[j])) * bx[j];
      projection.abx[static_cast<size_t>(i)] = sum;
    }
  }
}

bool ExactChecker::RowIsRight(const float* c, int64_t row) const {
  const int64_t n = problem_.n;
  const float* values = c + row * n;
  if (!product_.empty()) {
    const int32_t* expected = &product_[static_cast<size_t>(row * n)];
    bool right = true;
    for (int64_t j = 0; j < n; ++j) right &= values[j] == static_cast<float>(expected[j]);
    return right;
  }
  const int32_t* x0 = projections_[0].x.data();
  const int32_t* x1 = projections_[1].x.data();
  uint64_t sum0 = 0, sum1 = 0;
  bool possible = true;
  for (int64_t j = 0; j < n; ++j) {
    // An impossible element is replaced before it is converted, which would be undefined.
    const bool in_range = std::fabs(values[j]) <= bound_;
    const auto integer = static_cast<int32_t>(in_range ? values[j] : 0.0f);
    possible &= in_range & (static_cast<float>(integer) == values[j]);
    sum0 += static_cast<uint64_t>(static_cast<int64_t>(integer) * x0[j]);
    sum1 += static_cast<uint64_t>(static_cast<int64_t>(integer) * x1[j]);
  }
  return possible && sum0 == projections_[0].abx[static_cast<size_t>(row)] &&
         sum1 == projections_[1].abx[static_cast<size_t>(row)];
}

std::vector<int32_t> ExactChecker::TrueRow(int64_t row) const {
  const auto n = static_cast<size_t>(problem_.n);
  std::vector<int32_t> sums(n);
  for (int64_t k = 0; k < problem_.k; ++k) {
    const auto a = static_cast<int32_t>(a_[static_cast<size_t>(row * problem_.k + k)]);
    if (a == 0) continue;
    const float* b = &b_[static_cast<size_t>(k) * n];
    for (size_t j = 0; j < n; ++j) sums[j] += a * static_cast<int32_t>(b[j]);
  }
  return sums;
}

CheckReport ExactChecker::Mismatch(const float* c, int64_t row, int64_t wrong_rows) const {
  CheckReport report = ExactReport(false);
  const std::vector<int32_t> expected = TrueRow(row);
  const float* values = c + row * problem_.n;
  int64_t column = 0;
  while (column + 1 < problem_.n && values[column] == static_cast<float>(expected[static_cast<size_t>(column)])) {
    ++column;
  }
  const float got = values[column];
  report.wrong_row = row;
  report.wrong_col = column;
  report.expected = expected[static_cast<size_t>(column)];
  report.got = got;
  report.detail = absl::StrCat("C[", row, "][", column, "] is ", got, ", not ", report.expected, "; ", wrong_rows,
                               " of ", problem_.m, " rows are wrong");
  if (std::isnan(got)) {
    absl::StrAppend(&report.detail, " (NaN: perhaps never written)");
  } else if (IsImpossible(got, bound_)) {
    absl::StrAppend(&report.detail, " (no sum of these operands)");
  }
  return report;
}

CheckReport ExactChecker::Check(const float* c) const {
  int64_t first = -1, wrong_rows = 0;
  for (int64_t row = 0; row < problem_.m; ++row) {
    if (RowIsRight(c, row)) continue;
    if (first < 0) first = row;
    ++wrong_rows;
  }
  if (first >= 0) return Mismatch(c, first, wrong_rows);
  return ExactReport(true);
}

}  // namespace mmtune
