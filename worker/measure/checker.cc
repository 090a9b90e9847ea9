// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/checker.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/split_mix64.h"
#include "proto/base/status.h"
#include "worker/measure/element_types.h"

namespace mmtune {
namespace {

/// An element that no correct result of a problem without epilogue has.
bool IsImpossible(float value, float bound) {
  return !(std::fabs(value) <= bound) || value != std::trunc(value);  // the first part is true for NaN, too
}

bool IsRelu(const EpilogueOp& op) { return op.kind == EpilogueOp::Kind::kRelu; }

void Negate(std::vector<float>& values) {
  for (float& value : values) value = -value;
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

CheckReport WrongElement(std::string_view tier, const MatmulProblem& problem, int64_t row, int64_t column, float got,
                         std::string_view what) {
  CheckReport report = ReportOf(tier, false);
  report.wrong_row = row;
  report.wrong_col = column;
  report.got = got;
  const std::string matrix = problem.batch > 1 ? absl::StrCat("[", row / problem.m, "]") : "";
  report.detail = absl::StrCat("C", matrix, "[", row % problem.m, "][", column, "] is ", got, ", ", ToAbsl(what));
  return report;
}

ExactChecker::ExactChecker(const MatmulProblem& problem, uint64_t seed, int64_t elementwise_limit)
    : problem_(problem),
      operands_(MakeExactOperands(problem, seed)),
      passes_(std::ranges::any_of(problem.epilogue, IsRelu) ? 2 : 1) {
  if (!operands_.product.empty()) return;
  if (rows() * problem_.n > elementwise_limit / problem_.k) {
    Project(seed);
    return;
  }
  operands_.product.reserve(static_cast<size_t>(problem_.ElementsC()));
  for (int64_t row = 0; row < rows(); ++row) {
    const std::vector<float> product = ProductRow(row);
    operands_.product.insert(operands_.product.end(), product.begin(), product.end());
  }
}

void ExactChecker::SetPass(int pass) {
  if (pass == pass_) return;
  pass_ = pass;
  Negate(operands_.a);
  Negate(operands_.bias);
  Negate(operands_.addend);
}

void ExactChecker::Project(uint64_t seed) {
  SplitMix64 random(seed ^ 0x5bf0f1c3a2d4e697);
  for (Projection& projection : projections_) {
    projection.x.resize(static_cast<size_t>(problem_.n));
    for (uint32_t& x : projection.x) x = static_cast<uint32_t>(random.Next() >> 32);
    projection.abx.reserve(static_cast<size_t>(rows()));
    for (int64_t matrix = 0; matrix < problem_.batch; ++matrix) ProjectMatrix(matrix, projection);
  }
}

void ExactChecker::ProjectMatrix(int64_t matrix, Projection& projection) const {
  const int64_t n = problem_.n, k = problem_.k;
  const float* b = &operands_.b[static_cast<size_t>(matrix * k * n)];
  std::vector<uint64_t> bx(static_cast<size_t>(k));
  auto product = [](float b, uint32_t x) { return static_cast<uint64_t>(static_cast<int32_t>(b)) * x; };
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
  const float* a = &operands_.a[static_cast<size_t>(matrix * m * k)];
  auto add = [&](float element, int64_t j, uint64_t& sum) {
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

std::vector<float> ExactChecker::RowOfA(int64_t row) const {
  const int64_t k = problem_.k, m = problem_.m;
  if (!problem_.transpose_a) {
    const float* first = &operands_.a[static_cast<size_t>(row * k)];
    return std::vector<float>(first, first + k);
  }
  const float* matrix = &operands_.a[static_cast<size_t>(row / m * m * k)];
  std::vector<float> values(static_cast<size_t>(k));
  for (int64_t i = 0; i < k; ++i) values[static_cast<size_t>(i)] = matrix[i * m + row % m];
  return values;
}

bool ExactChecker::RowIsRight(const float* values, int64_t row) const {
  const int64_t n = problem_.n;
  if (!operands_.product.empty()) {
    const std::vector<float> expected = ExpectedRow(row);
    bool right = true;
    for (int64_t j = 0; j < n; ++j) right &= values[j] == expected[static_cast<size_t>(j)];
    return right;
  }
  const uint32_t* const x[2] = {projections_[0].x.data(), projections_[1].x.data()};
  uint64_t sums[2];
  return ProjectRow(values, n, operands_.bound, x, sums) && sums[0] == projections_[0].abx[static_cast<size_t>(row)] &&
         sums[1] == projections_[1].abx[static_cast<size_t>(row)];
}

std::vector<float> ExactChecker::ProductRow(int64_t row) const {
  const int64_t n = problem_.n, k = problem_.k;
  std::vector<float> sums(static_cast<size_t>(n));
  const std::vector<float> a = RowOfA(row);
  const float* b = &operands_.b[static_cast<size_t>(row / problem_.m * k * n)];
  if (!problem_.transpose_b) {
    MultiplyExact(a.data(), b, sums.data(), 1, n, k);
    return sums;
  }
  for (int64_t j = 0; j < n; ++j) {
    float sum = 0;
    for (int64_t i = 0; i < k; ++i) sum += a[static_cast<size_t>(i)] * b[j * k + i];
    sums[static_cast<size_t>(j)] = sum;
  }
  return sums;
}

std::vector<float> ExactChecker::ExpectedRow(int64_t row) const {
  if (operands_.product.empty()) return ProductRow(row);
  const int64_t n = problem_.n;
  const float* product = &operands_.product[static_cast<size_t>(row * n)];
  std::vector<float> expected(product, product + n);
  if (pass_ != 0) Negate(expected);
  const float* addend = problem_.HasAddend() ? &operands_.addend[static_cast<size_t>(row * n)] : nullptr;
  ApplyEpilogue(problem_.epilogue, operands_.bias.data(), addend, n, expected.data());
  RoundToType(problem_.TypeOfC(), n, expected.data());
  return expected;
}

CheckReport ExactChecker::Mismatch(const float* c, int64_t row, int64_t wrong_rows) const {
  const std::vector<float> expected = ExpectedRow(row);
  const float* values = c + row * problem_.n;
  int64_t column = 0;
  while (column + 1 < problem_.n && values[column] == expected[static_cast<size_t>(column)]) ++column;
  const float got = values[column], right = expected[static_cast<size_t>(column)];
  std::string what = absl::StrCat("not ", right, "; ", wrong_rows, " of ", rows(), " rows are wrong");
  if (std::isnan(got)) {
    absl::StrAppend(&what, " (NaN: perhaps never written)");
  } else if (operands_.bound > 0 && IsImpossible(got, operands_.bound)) {
    absl::StrAppend(&what, " (no sum of these operands)");
  }
  CheckReport report = WrongElement(kTier, problem_, row, column, got, what);
  report.expected = double{right};
  return report;
}

CheckReport ExactChecker::Check(const float* c) const {
  int64_t first = -1, wrong_rows = 0;
  for (int64_t row = 0; row < rows(); ++row) {
    if (RowIsRight(c + row * problem_.n, row)) continue;
    if (first < 0) first = row;
    ++wrong_rows;
  }
  return first < 0 ? ReportOf(kTier, true) : Mismatch(c, first, wrong_rows);
}

}  // namespace mmtune
