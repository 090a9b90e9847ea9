// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/types/data_type.h"

namespace mmtune {
namespace {

constexpr size_t kFirstElements = 8;
constexpr size_t kDigestDigits = 12;

/// The error of one element; a NaN is right where one is expected.
double ErrorOf(double value, double expected) {
  if (value == expected || (std::isnan(value) && std::isnan(expected))) return 0;
  const double error = std::fabs(value - expected);
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

/// What two integers that are the same number as a double differ by.
double ErrorOf64BitIntegers(const char* value, const char* expected) {
  uint64_t a, b;
  std::memcpy(&a, value, sizeof(a));
  std::memcpy(&b, expected, sizeof(b));
  return static_cast<double>(std::min(a - b, b - a));
}

/// Indices at which `reference` has NaN and `value` a number.
absl::StatusOr<std::vector<size_t>> NumbersForNans(const ModelValue& value, const ModelValue& reference) {
  std::vector<size_t> indices;
  if (!IsFloatElement(value.type.element) || value.data.size() != reference.data.size()) return indices;
  ASSIGN_OR_RETURN(std::vector<double> values, ElementsToNumbers(value.type.element, value.data));
  ASSIGN_OR_RETURN(std::vector<double> references, ElementsToNumbers(reference.type.element, reference.data));
  for (size_t i = 0; i < values.size(); ++i)
    if (std::isnan(references[i]) && !std::isnan(values[i])) indices.push_back(i);
  return indices;
}

}  // namespace

absl::StatusOr<std::string> ValueText(const ModelValue& value, bool all_elements) {
  ASSIGN_OR_RETURN(std::vector<double> numbers, ElementsToNumbers(value.type.element, value.data));
  double sum = 0, low = std::numeric_limits<double>::infinity(), high = -low;
  int64_t nans = 0;
  for (double number : numbers) {
    if (std::isnan(number)) {
      ++nans;
      continue;
    }
    sum += number;
    low = std::min(low, number);
    high = std::max(high, number);
  }
  const size_t shown = all_elements ? numbers.size() : std::min(numbers.size(), kFirstElements);
  std::string text = value.type.text;
  if (!value.sizes.empty()) absl::StrAppend(&text, "  ", absl::StrJoin(value.sizes, "x"));
  if (low <= high) absl::StrAppend(&text, absl::StrFormat("  sum %.9g  min %.9g  max %.9g", sum, low, high));
  if (nans > 0) absl::StrAppend(&text, "  ", nans, " NaN");
  const std::string digest = Sha256Hex(std::string_view(value.data.data(), value.data.size()));
  absl::StrAppend(&text, "  sha256 ", digest.substr(0, kDigestDigits), "  [");
  ASSIGN_OR_RETURN(int64_t element_bytes, ModelElementBytes(value.type.element));
  for (size_t i = 0; i < shown; ++i) {
    ASSIGN_OR_RETURN(std::string element,
                     ElementText(value.type.element, &value.data[i * static_cast<size_t>(element_bytes)]));
    absl::StrAppend(&text, i == 0 ? "" : ", ", element);
  }
  return absl::StrCat(text, shown < numbers.size() ? ", ...]" : "]");
}

absl::StatusOr<Difference> Compare(const ModelValue& value, const ModelValue& reference) {
  if (value.sizes != reference.sizes || value.data.size() != reference.data.size()) {
    return InvalidArgument(absl::StrCat("the sizes are ", absl::StrJoin(value.sizes, "x"), ", those of the reference ",
                                        absl::StrJoin(reference.sizes, "x")));
  }
  ASSIGN_OR_RETURN(std::vector<double> values, ElementsToNumbers(value.type.element, value.data));
  ASSIGN_OR_RETURN(std::vector<double> expected, ElementsToNumbers(reference.type.element, reference.data));
  ASSIGN_OR_RETURN(int64_t element_bytes, ModelElementBytes(value.type.element));
  auto element = [&](const ModelValue& of, int64_t i) { return &of.data[static_cast<size_t>(i * element_bytes)]; };
  const bool is_64_bit_integer = element_bytes == 8 && !IsFloatElement(value.type.element);
  Difference difference;
  double magnitude = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(expected[i])) magnitude = std::max(magnitude, std::fabs(expected[i]));
    const auto index = static_cast<int64_t>(i);
    double error = ErrorOf(values[i], expected[i]);
    if (error == 0 && is_64_bit_integer) error = ErrorOf64BitIntegers(element(value, index), element(reference, index));
    if (error <= difference.max_abs) continue;
    difference.max_abs = error;
    difference.worst = index;
  }
  if (difference.max_abs == 0) return difference;
  difference.relative = difference.max_abs / magnitude;
  ASSIGN_OR_RETURN(difference.value, ElementText(value.type.element, element(value, difference.worst)));
  ASSIGN_OR_RETURN(difference.expected, ElementText(value.type.element, element(reference, difference.worst)));
  return difference;
}

absl::Status ReplaceNans(const std::vector<ModelValue>& values,
                         absl::FunctionRef<absl::StatusOr<std::vector<ModelValue>>()> other,
                         std::vector<ModelValue>* references) {
  std::vector<ModelValue> others;
  for (size_t i = 0; i < std::min(values.size(), references->size()); ++i) {
    std::vector<char>& data = (*references)[i].data;
    ASSIGN_OR_RETURN(std::vector<size_t> indices, NumbersForNans(values[i], (*references)[i]));
    if (indices.empty()) continue;
    if (others.empty()) {
      ASSIGN_OR_RETURN(others, other());
    }
    if (others.size() != references->size() || others[i].data.size() != data.size())
      return Internal("the references are of different sizes");
    ASSIGN_OR_RETURN(int64_t element_bytes, ModelElementBytes(values[i].type.element));
    const auto bytes = static_cast<size_t>(element_bytes);
    for (size_t at : indices) std::memcpy(&data[at * bytes], &others[i].data[at * bytes], bytes);
  }
  return absl::OkStatus();
}

double DefaultTolerance(const ModelType& type, MathMode math) {
  constexpr int kTf32Bits = 11;
  const absl::StatusOr<DataType> known = ParseDataType(type.element);
  const bool rounded = known.ok() && *known != DataType::kF32;
  return 1e-4 + (rounded ? std::ldexp(1.0, 1 - TraitsOf(*known).significand_bits) : 0) +
         (math == MathMode::kTf32 ? std::ldexp(1.0, 1 - kTf32Bits) : 0);
}

bool Accepts(const Difference& difference, const ModelType& type, double tolerance) {
  if (!IsFloatElement(type.element)) return difference.max_abs == 0;
  return difference.relative <= tolerance;
}

}  // namespace mmtune
