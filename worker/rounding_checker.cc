#include "worker/rounding_checker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "worker/random_bits.h"

namespace mmtune {
namespace {

constexpr double kUnitRoundoff = 0x1p-24;
constexpr double kDoubleRoundoff = 0x1p-53;
constexpr double kHalfSubnormal = 0x1p-150;
constexpr double kLargestFloat = std::numeric_limits<float>::max();
/// No element of normal operands is so much larger than those sampled.
constexpr double kFarFromOverflow = kLargestFloat / 1024;

/// gamma_K for f32, and the error of the reference itself.
double BoundFactor(int64_t k) {
  const double ku = static_cast<double>(k) * kUnitRoundoff;
  return ku / (1 - ku) + static_cast<double>(k) * kDoubleRoundoff;
}

void ApplyStep(const EpilogueOp& op, double operand, RoundingChecker::Reference& r) {
  switch (op.kind) {
    case EpilogueOp::Kind::kBias:
    case EpilogueOp::Kind::kAdd:
      r.value += operand;
      r.bound += kUnitRoundoff * (std::fabs(r.value) + r.bound);
      break;
    case EpilogueOp::Kind::kRelu:
      r.value = std::max(r.value, 0.0);
      break;
    case EpilogueOp::Kind::kScale: {
      const double factor = std::fabs(double{op.factor});
      r.bound = factor * r.bound + kUnitRoundoff * factor * (std::fabs(r.value) + r.bound) + kHalfSubnormal;
      r.value *= op.factor;
      break;
    }
  }
  if (!(std::fabs(r.value) + r.bound < kLargestFloat)) r.bound = std::numeric_limits<double>::infinity();
}

}  // namespace

RoundingChecker::RoundingChecker(const MatmulProblem& problem, uint64_t seed)
    : problem_(problem), operands_(MakeRandomOperands(problem, seed)) {
  ChooseRows(seed);
  references_.reserve(rows_.size() * static_cast<size_t>(problem.n));
  for (int64_t row : rows_) AddReferenceRow(row);
  for (const Reference& reference : references_) {
    may_overflow_ |= !(std::fabs(reference.value) < kFarFromOverflow);
    if (std::isfinite(reference.bound)) largest_ = std::max(largest_, std::fabs(reference.value));
  }
}

void RoundingChecker::ChooseRows(uint64_t seed) {
  const int64_t all = problem_.batch * problem_.m;
  const int64_t most = std::min(kReferenceProducts / problem_.n / problem_.k, kReferenceElements / problem_.n);
  if (all <= most) {
    for (int64_t row = 0; row < all; ++row) rows_.push_back(row);
    return;
  }
  std::set<int64_t> rows{0, all - 1};
  RandomBits random(seed ^ 0x6a09e667f3bcc908);
  while (static_cast<int64_t>(rows.size()) < most) {
    rows.insert(static_cast<int64_t>(random.Next() % static_cast<uint64_t>(all)));
  }
  rows_.assign(rows.begin(), rows.end());
}

void RoundingChecker::AddReferenceRow(int64_t row) {
  const int64_t n = problem_.n, k = problem_.k;
  const float* a = &operands_.a[static_cast<size_t>(row * k)];
  const float* b = &operands_.b[static_cast<size_t>(row / problem_.m * k * n)];
  std::vector<double> values(static_cast<size_t>(n)), magnitudes(values.size());
  double* value = values.data();
  double* magnitude = magnitudes.data();
  for (int64_t outer = 0; outer < (problem_.transpose_b ? n : k); ++outer) {
    if (problem_.transpose_b) {
      for (int64_t i = 0; i < k; ++i) {
        const double product = double{a[i]} * double{b[outer * k + i]};
        value[outer] += product;
        magnitude[outer] += std::fabs(product);
      }
      continue;
    }
    for (int64_t j = 0; j < n; ++j) {
      const double product = double{a[outer]} * double{b[outer * n + j]};
      value[j] += product;
      magnitude[j] += std::fabs(product);
    }
  }
  const double factor = BoundFactor(k);
  const size_t first = references_.size();
  for (int64_t j = 0; j < n; ++j) references_.push_back({value[j], factor * magnitude[j]});
  ApplyEpilogue(row, &references_[first]);
}

void RoundingChecker::ApplyEpilogue(int64_t row, Reference* references) const {
  for (const EpilogueOp& op : problem_.epilogue) {
    const float* operand = nullptr;
    if (op.kind == EpilogueOp::Kind::kBias) operand = operands_.bias.data();
    if (op.kind == EpilogueOp::Kind::kAdd) operand = &operands_.addend[static_cast<size_t>(row * problem_.n)];
    for (int64_t j = 0; j < problem_.n; ++j) ApplyStep(op, operand == nullptr ? 0 : double{operand[j]}, references[j]);
  }
}

CheckReport RoundingChecker::Check(const float* c) const {
  CheckReport report;
  report.performed = true;
  report.passed = true;
  report.tier = "rounding";
  double fraction = 0, error = 0;
  auto fail = [&](int64_t row, int64_t column, std::string_view what) {
    if (!report.passed) return;
    report.passed = false;
    report.wrong_row = row;
    report.wrong_col = column;
    report.got = c[row * problem_.n + column];
    const std::string matrix = problem_.batch > 1 ? absl::StrCat("[", row / problem_.m, "]") : "";
    report.detail = absl::StrCat("C", matrix, "[", row % problem_.m, "][", column, "] is ", report.got, ", ",
                                 absl::string_view(what.data(), what.size()));
  };
  for (size_t sampled = 0; sampled < rows_.size(); ++sampled) {
    const float* got = c + rows_[sampled] * problem_.n;
    for (int64_t j = 0; j < problem_.n; ++j) {
      const Reference& expected = reference(sampled, j);
      if (!std::isfinite(expected.bound)) continue;
      const double off = std::fabs(double{got[j]} - expected.value);
      if (off <= expected.bound) {
        error = std::max(error, off);
        if (off > 0) fraction = std::max(fraction, off / expected.bound);
        continue;
      }
      if (report.passed) report.expected = expected.value;
      fail(rows_[sampled], j,
           absl::StrCat("off by ", off, " from ", expected.value, "; any order of summation stays within ",
                        expected.bound));
    }
  }
  if (!report.passed) return report;
  report.bound_fraction = fraction;
  report.relative_error = largest_ > 0 ? error / largest_ : 0;
  if (may_overflow_) return report;
  const int64_t elements = problem_.ElementsC();
  for (int64_t i = 0; i < elements; ++i) {
    if (!std::isfinite(c[i])) fail(i / problem_.n, i % problem_.n, "no sum of these operands (perhaps never written)");
  }
  return report;
}

}  // namespace mmtune
