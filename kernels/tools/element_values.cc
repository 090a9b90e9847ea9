// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "kernels/compiler/model/model_elements.h"
#include "proto/base/status.h"
#include "proto/types/data_type.h"

namespace mmtune {
namespace {

/// The upper half of an f32.
struct BFloat16 {
  uint16_t bits;
};

template <typename T>
struct TypeTag {
  using Type = T;
};

template <typename T>
double ToNumber(T value) {
  return static_cast<double>(value);
}
double ToNumber(BFloat16 value) { return FromBf16(value.bits); }

template <typename T>
T FromNumber(double number) {
  if constexpr (std::is_integral_v<T>) {
    if (std::isnan(number)) return 0;
    if (number <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (number >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  }
  return static_cast<T>(number);
}
template <>
bool FromNumber<bool>(double number) {
  return number != 0;
}
template <>
BFloat16 FromNumber<BFloat16>(double number) {
  return {ToBf16(static_cast<float>(number))};
}

/// Calls `visit` with the tag of the type that `element` names.
template <typename Visitor>
absl::Status VisitElement(std::string_view element, Visitor&& visit) {
  if (element == "f32") return visit(TypeTag<float>());
  if (element == "f64") return visit(TypeTag<double>());
  if (element == "f16") return visit(TypeTag<_Float16>());
  if (element == "bf16") return visit(TypeTag<BFloat16>());
  if (element == "i1") return visit(TypeTag<bool>());
  if (element == "i8") return visit(TypeTag<int8_t>());
  if (element == "i16") return visit(TypeTag<int16_t>());
  if (element == "i32") return visit(TypeTag<int32_t>());
  if (element == "i64" || element == "index") return visit(TypeTag<int64_t>());
  return InvalidArgument(absl::StrCat("elements of type ", ToAbsl(element), " have no values here"));
}

}  // namespace

absl::StatusOr<std::vector<double>> ElementsToNumbers(std::string_view element, const std::vector<char>& data) {
  std::vector<double> numbers;
  RETURN_IF_ERROR(VisitElement(element, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    numbers.resize(data.size() / sizeof(T));
    for (size_t i = 0; i < numbers.size(); ++i) {
      T value;
      std::memcpy(&value, &data[i * sizeof(T)], sizeof(T));
      numbers[i] = ToNumber(value);
    }
    return absl::OkStatus();
  }));
  return numbers;
}

absl::StatusOr<std::vector<char>> MakeElements(std::string_view element, int64_t count,
                                               absl::FunctionRef<double(int64_t)> number_of) {
  std::vector<char> data;
  RETURN_IF_ERROR(VisitElement(element, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    data.resize(static_cast<size_t>(count) * sizeof(T));
    for (int64_t i = 0; i < count; ++i) {
      const T value = FromNumber<T>(number_of(i));
      std::memcpy(&data[static_cast<size_t>(i) * sizeof(T)], &value, sizeof(T));
    }
    return absl::OkStatus();
  }));
  return data;
}

absl::StatusOr<std::string> ElementText(std::string_view element, const char* at) {
  std::string text;
  RETURN_IF_ERROR(VisitElement(element, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T value;
    std::memcpy(&value, at, sizeof(T));
    if constexpr (std::is_integral_v<T>) {
      text = absl::StrCat(static_cast<int64_t>(value));
    } else {
      text = absl::StrFormat("%.9g", ToNumber(value));
    }
    return absl::OkStatus();
  }));
  return text;
}

bool IsFloatElement(std::string_view element) {
  const ModelElement* found = FindModelElement(element);
  return found != nullptr && found->is_float;
}

}  // namespace mmtune
