// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/rounding_checker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "proto/base/split_mix64.h"
#include "proto/base/status.h"
#include "proto/base/whole_numbers.h"
#include "worker/measure/checker.h"
#include "worker/measure/element_types.h"

namespace mmtune {
namespace {

constexpr double kUnitRoundoff = 0x1p-24;
constexpr double kDoubleRoundoff = 0x1p-53;
constexpr auto kLongDoubleRoundoff = static_cast<double>(std::numeric_limits<long double>::epsilon() / 2);
constexpr double kTruncation = 0x1p-23;  // of a tensor core's addend
/// No element of normal operands is so many times larger than those sampled; of a type of small range less is asked.
constexpr double kFarFromOverflow = 1024, kFarFromOverflowOfSmallRange = 64;
/// How much of B is made at a time, and of C read back at a time, in whole rows: stays in the cache.
constexpr int64_t kPanelElements = int64_t{1} << 15;

/// Returns the bound of truncations in a sum of `k` products on tensor cores.
double Truncations(int64_t k) { return static_cast<double>(k + 2 * CeilDiv(k, 4)) * kTruncation; }

/// The relative errors of f32 in split precision.
struct SplitErrors {
  double dropped;  ///< Left out of a product.
  double smaller;  ///< The relative increase of truncations by products other than those of first parts.
};
double SumOfSplitErrors(int64_t k, const SplitErrors& errors) {
  const double additions = static_cast<double>(CeilDiv(k, kMinTensorCoreSum)) * kUnitRoundoff;
  return errors.dropped + (1 + errors.smaller) * Truncations(std::min(k, kMaxTensorCoreSum)) + additions;
}

/// How many errors a sum of the problem's products has, times the largest one.
double SumOfErrors(const MatmulProblem& problem) {
  constexpr double kSecondOrder = 1 + 0x1p-8;
  const int64_t k = problem.k;
  if (problem.math == MathMode::kTf32x3) return SumOfSplitErrors(k, {0x1p-21 * kSecondOrder, 0x1p-7});
  if (problem.math == MathMode::kBf16x6) return SumOfSplitErrors(k, {0x1p-24 * kSecondOrder, 0x1p-4});
  if (TraitsOf(problem.dtype).is_integer) return 0;
  if (problem.dtype == DataType::kF64) return static_cast<double>(k) * kDoubleRoundoff;
  if (problem.IsPlainF32()) return static_cast<double>(k) * kUnitRoundoff;
  return Truncations(k);
}

/// gamma, and the error of the reference itself.
double BoundFactor(const MatmulProblem& problem) {
  if (TraitsOf(problem.dtype).is_integer) return 0;
  const double errors = SumOfErrors(problem), k = static_cast<double>(problem.k);
  const bool is_f64 = problem.dtype == DataType::kF64;
  return errors / (1 - errors) + (is_f64 ? k * kLongDoubleRoundoff + kDoubleRoundoff : k * kDoubleRoundoff);
}

/// Adds the error of storing an element.
void RoundOutput(DataType type, BoundedValue& r) {
  if (type == DataType::kF32) return;
  const DataTypeTraits& traits = TraitsOf(type);
  if (traits.accumulator != type) {
    r.bound += std::ldexp(std::fabs(r.value) + r.bound, -traits.significand_bits);
    r.bound += traits.smallest / 2;
  }
  if (!(std::fabs(r.value) + r.bound < traits.largest)) r.bound = std::numeric_limits<double>::infinity();
}

/// A BoundedValue with more bits.
struct WideSum {
  long double value = 0, bound = 0;
};

/// The value, and the magnitudes that its bound is made of.
template <typename Sum, typename Real>
void AddProduct(Real a, Real b, Sum& sum) {
  using Wide = decltype(sum.value);
  const Wide product = Wide{a} * Wide{b};
  sum.value += product;
  sum.bound += std::fabs(product);
}

template <typename Sum, typename Real>
void AddDotProduct(const Real* a, const Real* b, int64_t k, Sum& sum) {
  Sum own = sum;
  for (int64_t i = 0; i < k; ++i) AddProduct(a[i], b[i], own);
  sum = own;
}

template <typename Sum, typename Real>
void AddScaledRow(Real a, const Real* b, int64_t n, Sum* sums) {
  for (int64_t j = 0; j < n; ++j) AddProduct(a, b[j], sums[j]);
}

template <typename Real>
bool AllFinite(const Real* values, int64_t count) {
  int wrong = 0;
  for (int64_t i = 0; i < count; ++i) wrong |= !(std::fabs(values[i]) <= std::numeric_limits<Real>::max());
  return wrong == 0;
}

constexpr std::string_view kTier = "rounding";

}  // namespace

bool RoundingChecker::Applies(const MatmulProblem& problem) { return SumOfErrors(problem) < 0.5; }

RoundingChecker::RoundingChecker(const MatmulProblem& problem, uint64_t seed, int operand_bits)
    : problem_(problem), operands_(problem, seed, operand_bits) {
  ChooseRows(seed);
  references_.resize(rows_.size() * static_cast<size_t>(problem.n));
  for (size_t first = 0, end = 0; first < rows_.size(); first = end) {
    while (end < rows_.size() && rows_[end] / problem.m == rows_[first] / problem.m) ++end;
    SumRows(first, end);
  }
  for (size_t i = 0; i < rows_.size(); ++i) {
    BoundedValue* row = &references_[i * static_cast<size_t>(problem.n)];
    NeedsDoubles(problem) ? FinishRow<double>(rows_[i], row) : FinishRow<float>(rows_[i], row);
  }
  const DataType type = problem.TypeOfC();
  const double far = TraitsOf(type).largest / (HasSmallRange(type) ? kFarFromOverflowOfSmallRange : kFarFromOverflow);
  for (const BoundedValue& reference : references_) {
    may_overflow_ |= !(std::fabs(reference.value) < far);
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
  SplitMix64 random(seed ^ 0x6a09e667f3bcc908);
  while (static_cast<int64_t>(rows.size()) < most) {
    rows.insert(static_cast<int64_t>(random.Next() % static_cast<uint64_t>(all)));
  }
  rows_.assign(rows.begin(), rows.end());
}

template <typename Real>
std::vector<Real> RoundingChecker::RowsOfA(size_t first, size_t end) const {
  const int64_t m = problem_.m, k = problem_.k, sampled = static_cast<int64_t>(end - first);
  std::vector<Real> a(static_cast<size_t>(sampled * k));
  if (!problem_.transpose_a) {
    for (int64_t i = 0; i < sampled; ++i) {
      operands_.Values(PlanBuffer::kA, rows_[first + static_cast<size_t>(i)] * k, k, &a[static_cast<size_t>(i * k)]);
    }
    return a;
  }
  const int64_t matrix = rows_[first] / m;
  std::vector<Real> run(static_cast<size_t>(m));
  for (size_t begin = first, next = first; begin < end; begin = next) {
    while (next < end && rows_[next] - rows_[begin] == static_cast<int64_t>(next - begin)) ++next;  // one after another
    const auto count = static_cast<int64_t>(next - begin);
    for (int64_t j = 0; j < k; ++j) {
      operands_.Values(PlanBuffer::kA, (matrix * k + j) * m + rows_[begin] % m, count, run.data());
      for (int64_t i = 0; i < count; ++i) {
        a[(begin - first + static_cast<size_t>(i)) * static_cast<size_t>(k) + static_cast<size_t>(j)] =
            run[static_cast<size_t>(i)];
      }
    }
  }
  return a;
}

void RoundingChecker::SumRows(size_t first, size_t end) {
  BoundedValue* references = &references_[first * static_cast<size_t>(problem_.n)];
  if (problem_.dtype != DataType::kF64) return AddProducts<float>(first, end, references);
  std::vector<WideSum> sums((end - first) * static_cast<size_t>(problem_.n));
  AddProducts<double>(first, end, sums.data());
  std::ranges::transform(sums, references, [](const WideSum& sum) {
    return BoundedValue{static_cast<double>(sum.value), static_cast<double>(sum.bound)};
  });
}

template <typename Real, typename Sum>
void RoundingChecker::AddProducts(size_t first, size_t end, Sum* sums) const {
  const int64_t n = problem_.n, k = problem_.k, sampled = static_cast<int64_t>(end - first);
  const std::vector<Real> a = RowsOfA<Real>(first, end);
  const int64_t rows = problem_.transpose_b ? n : k, columns = problem_.transpose_b ? k : n;
  const int64_t panel = std::min(rows, std::max<int64_t>(1, kPanelElements / columns));
  const int64_t matrix = rows_[first] / problem_.m * k * n;
  std::vector<Real> b(static_cast<size_t>(panel * columns));
  for (int64_t row = 0; row < rows; row += panel) {
    const int64_t count = std::min(panel, rows - row);
    operands_.Values(PlanBuffer::kB, matrix + row * columns, count * columns, b.data());
    for (int64_t i = 0; i < sampled; ++i) {
      Sum* row_sums = sums + i * n;
      const Real* a_row = &a[static_cast<size_t>(i * k)];
      for (int64_t r = 0; r < count; ++r) {
        if (problem_.transpose_b) {
          AddDotProduct(a_row, &b[static_cast<size_t>(r * k)], k, row_sums[row + r]);
        } else {
          AddScaledRow(a_row[row + r], &b[static_cast<size_t>(r * n)], n, row_sums);
        }
      }
    }
  }
}

template <typename Real>
void RoundingChecker::FinishRow(int64_t row, BoundedValue* references) const {
  const int64_t n = problem_.n;
  const double factor = BoundFactor(problem_);
  for (int64_t j = 0; j < n; ++j) references[j].bound *= factor;
  std::vector<Real> operand(static_cast<size_t>(n));
  for (const EpilogueOp& op : problem_.epilogue) {
    if (op.kind == EpilogueOp::Kind::kBias) operands_.Values(PlanBuffer::kBias, 0, n, operand.data());
    if (op.ReadsAddend()) operands_.Values(PlanBuffer::kAddend, row * n, n, operand.data());
    for (int64_t j = 0; j < n; ++j) {
      ApplyStep(op, double{operand[static_cast<size_t>(j)]}, problem_.AccumulatorType(), references[j]);
    }
  }
  for (int64_t j = 0; j < n; ++j) RoundOutput(problem_.TypeOfC(), references[j]);
}

template <typename Real>
void RoundingChecker::ResultComparison::AddRows(const Real* rows, int64_t count) {
  const int64_t n = checker_.problem_.n;
  for (const Real* end = rows + count * n; rows != end; rows += n, ++row_) {
    if (sampled_ < checker_.rows_.size() && checker_.rows_[sampled_] == row_) {
      Compare(rows);
      ++sampled_;
    }
    if (checker_.may_overflow_ || not_finite_ || AllFinite(rows, n)) continue;
    int64_t column = 0;
    while (std::isfinite(rows[column])) ++column;
    not_finite_ = WrongElement(kTier, checker_.problem_, row_, column, rows[column],
                               "no sum of these operands (perhaps never written)");
  }
}

template void RoundingChecker::ResultComparison::AddRows<float>(const float*, int64_t);
template void RoundingChecker::ResultComparison::AddRows<double>(const double*, int64_t);

void RoundingChecker::ResultComparison::AddElements(const void* elements, int64_t count) {
  const MatmulProblem& problem = checker_.problem_;
  const DataType type = problem.TypeOfC();
  auto add = [&](auto zero) {
    using Real = decltype(zero);
    if (IsTypeOf<Real>(type)) return AddRows(static_cast<const Real*>(elements), count);
    std::vector<Real> values(static_cast<size_t>(count * problem.n));
    DecodeElements(type, elements, count * problem.n, values.data());
    AddRows(values.data(), count);
  };
  NeedsDoubles(problem) ? add(0.0) : add(0.0f);
}

template <typename Real>
void RoundingChecker::ResultComparison::Compare(const Real* row) {
  for (int64_t j = 0; j < checker_.problem_.n; ++j) {
    const BoundedValue& expected = checker_.reference(sampled_, j);
    if (!std::isfinite(expected.bound)) continue;
    const double off = std::fabs(double{row[j]} - expected.value);
    if (off <= expected.bound) {
      error_ = std::max(error_, off);
      if (off > 0) fraction_ = std::max(fraction_, off / expected.bound);
    } else if (!mismatch_) {
      const std::string what = absl::StrCat("off by ", off, " from ", expected.value,
                                            "; any order of summation stays within ", expected.bound);
      mismatch_ = WrongElement(kTier, checker_.problem_, row_, j, row[j], what);
      mismatch_->expected = expected.value;
    }
  }
}

CheckReport RoundingChecker::ResultComparison::Report() const {
  if (mismatch_) return *mismatch_;
  if (not_finite_) return *not_finite_;
  CheckReport report = ReportOf(kTier, true);
  report.bound_fraction = fraction_;
  report.relative_error = checker_.largest_ > 0 ? error_ / checker_.largest_ : 0;
  return report;
}

namespace {

struct JudgedRun {
  CheckReport report;
  size_t hash = 0;  ///< A hash of the bits of C.
};

/// C is read back once, in panels.
absl::StatusOr<JudgedRun> RunOnce(KernelTimer& timer, const RoundingChecker& checker) {
  RETURN_IF_ERROR(timer.WarmUpOnce());
  const MatmulProblem& problem = checker.problem();
  const int64_t rows = problem.batch * problem.m;
  const int64_t panel = std::clamp<int64_t>(kPanelElements / problem.n, 1, rows);
  const int64_t row_bytes = problem.n * DataTypeBytes(problem.TypeOfC());
  std::vector<char> c(static_cast<size_t>(panel * row_bytes));
  RoundingChecker::ResultComparison comparison(checker);
  JudgedRun run;
  for (int64_t row = 0; row < rows; row += panel) {
    const int64_t count = std::min(panel, rows - row);
    RETURN_IF_ERROR(timer.buffers().Download(row * problem.n, count * problem.n, c.data()));
    comparison.AddElements(c.data(), count);
    run.hash = absl::HashOf(run.hash, absl::string_view(c.data(), static_cast<size_t>(count * row_bytes)));
  }
  run.report = comparison.Report();
  return run;
}

}  // namespace

absl::StatusOr<CheckReport> CheckRounding(KernelTimer& timer, const RoundingChecker& checker) {
  ASSIGN_OR_RETURN(const JudgedRun first, RunOnce(timer, checker));
  if (!first.report.passed) return first.report;
  ASSIGN_OR_RETURN(JudgedRun second, RunOnce(timer, checker));
  CheckReport report = std::move(second.report);
  report.deterministic = second.hash == first.hash;
  ASSIGN_OR_RETURN(std::string damage, timer.Damage());
  if (!damage.empty()) {
    report.passed = false;
    report.detail = damage;
  }
  return report;
}

}  // namespace mmtune
