// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/values.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "kernels/compiler/model/model_runner.h"
#include "kernels/tools/output_files.h"
#include "proto/base/digest.h"
#include "proto/base/split_mix64.h"
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
  return InvalidArgument(absl::StrCat("elements of type ", ToAbsl(element),
                                      " cannot be created or printed: use integers or floats of at most 64 bits"));
}

/// Copies of an argument while a function runs: the value, the call's copy, the function's operand, the device's copy.
constexpr int64_t kCopies = 4;
constexpr char kForms[] = "random:SEED, ones, zeros, iota, value:X or file:PATH, with @4x5 for dynamic sizes";

struct ArgumentText {
  std::string form, value;
  std::vector<int64_t> sizes;
  bool has_sizes = false;
};

absl::StatusOr<ArgumentText> Split(std::string_view text) {
  ArgumentText argument;
  const size_t at = text.rfind('@');
  if (at != std::string_view::npos) {
    argument.has_sizes = true;
    for (absl::string_view size : absl::StrSplit(ToAbsl(text.substr(at + 1)), 'x')) {
      int64_t number = 0;
      if (!absl::SimpleAtoi(size, &number) || number < 0) {
        return InvalidArgument(
            absl::StrCat("the sizes '", ToAbsl(text.substr(at + 1)), "' are invalid: write, for example, 4x5"));
      }
      argument.sizes.push_back(number);
    }
    text = text.substr(0, at);
  }
  const size_t colon = text.find(':');
  argument.form = std::string(text.substr(0, colon));
  if (colon != std::string_view::npos) argument.value = std::string(text.substr(colon + 1));
  return argument;
}

/// Refuses a value that does not fit into memory, before the system ends the process.
absl::Status CheckFits(const ModelType& type, int64_t elements) {
  ASSIGN_OR_RETURN(int64_t element_bytes, ModelElementBytes(type.element));
  const int64_t memory = int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  if (elements <= memory / kCopies / element_bytes) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("too many elements: ", elements, " of ", element_bytes,
                                      " bytes, of which a run holds ", kCopies, " copies, and this machine has ",
                                      memory, " bytes of memory"));
}

absl::StatusOr<std::vector<int64_t>> SizesOf(const ArgumentText& argument, const ModelType& type) {
  std::vector<int64_t> sizes = type.shape;
  if (argument.has_sizes) {
    bool fits = argument.sizes.size() == type.shape.size();
    for (size_t i = 0; fits && i < sizes.size(); ++i) fits = sizes[i] < 0 || sizes[i] == argument.sizes[i];
    if (!fits) return InvalidArgument(absl::StrCat("the sizes behind the @ do not match ", type.text));
    sizes = argument.sizes;
  }
  int64_t elements = 1;
  for (int64_t size : sizes) {
    if (size < 0)
      return InvalidArgument(absl::StrCat(type.text, " has dynamic sizes: give all of them, as in ones@4x5"));
    if (__builtin_mul_overflow(elements, size, &elements)) {
      return InvalidArgument(
          absl::StrCat(type.text, " has too many elements: the product of its sizes exceeds 2^63 - 1"));
    }
  }
  RETURN_IF_ERROR(CheckFits(type, elements));
  return sizes;
}

absl::StatusOr<std::vector<char>> ReadElements(const std::string& path, const ModelType& type, int64_t elements) {
  ASSIGN_OR_RETURN(int64_t element_bytes, ModelElementBytes(type.element));
  if (path.empty()) return InvalidArgument("file: needs a path: write, for example, file:data.bin");
  ASSIGN_OR_RETURN(std::string content, ReadInput(path, elements * element_bytes));
  if (static_cast<int64_t>(content.size()) != elements * element_bytes) {
    return InvalidArgument(absl::StrCat(path, " has ", content.size(), " bytes; ", type.text, " of ", elements,
                                        " elements needs ", elements * element_bytes));
  }
  return std::vector<char>(content.begin(), content.end());
}

/// Returns a function that makes the number of each element; called once for each index, in order.
absl::StatusOr<std::function<double(int64_t)>> Numbers(const ArgumentText& argument, const ModelType& type,
                                                       size_t position) {
  const bool plain = argument.value.empty();
  if (argument.form == "random") {
    uint64_t seed = 0;
    if (!absl::SimpleAtoi(argument.value, &seed))
      return InvalidArgument("random needs a seed: write, for example, random:1");
    const bool is_float = IsFloatElement(type.element);
    return [random = SplitMix64(seed * 1000003 + position), is_float](int64_t) mutable {
      return is_float ? static_cast<double>(random.Next() >> 40) / (1 << 23) - 1
                      : static_cast<double>(random.Next() % 17) - 8;
    };
  }
  if (argument.form == "iota" && plain) return [](int64_t i) { return static_cast<double>(i); };
  if (argument.form == "value" || ((argument.form == "ones" || argument.form == "zeros") && plain)) {
    double value = argument.form == "ones" ? 1 : 0;
    if (argument.form == "value" && !absl::SimpleAtod(argument.value, &value)) {
      return InvalidArgument(absl::StrCat("'", argument.value, "' is not a number: write, for example, value:3.5"));
    }
    return [value](int64_t) { return value; };
  }
  return InvalidArgument(kForms);
}

absl::StatusOr<ModelValue> MakeValue(std::string_view text, const ModelType& type, size_t position) {
  ASSIGN_OR_RETURN(ArgumentText argument, Split(text));
  ModelValue value;
  value.type = type;
  ASSIGN_OR_RETURN(value.sizes, SizesOf(argument, type));
  if (argument.form == "file") {
    ASSIGN_OR_RETURN(value.data, ReadElements(argument.value, type, value.Elements()));
    return value;
  }
  ASSIGN_OR_RETURN(std::function<double(int64_t)> number_of, Numbers(argument, type, position));
  try {
    ASSIGN_OR_RETURN(value.data, MakeElements(type.element, value.Elements(), number_of));
  } catch (const std::bad_alloc&) {
    return ResourceExhausted(absl::StrCat("no memory for ", value.Elements(), " elements"));
  }
  return value;
}

constexpr size_t kFirstElements = 8;
constexpr size_t kDigestDigits = 12;

/// Returns the error of one element; a NaN equals a NaN.
double ErrorOf(double value, double expected) {
  if (value == expected || (std::isnan(value) && std::isnan(expected))) return 0;
  const double error = std::fabs(value - expected);
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

/// Returns the difference of two integers that are equal as doubles.
double ErrorOf64BitIntegers(const char* value, const char* expected) {
  uint64_t a, b;
  std::memcpy(&a, value, sizeof(a));
  std::memcpy(&b, expected, sizeof(b));
  return static_cast<double>(std::min(a - b, b - a));
}

/// Returns the indices at which `reference` has NaN and `value` a number.
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

absl::StatusOr<ModelValue> ParseArgument(std::string_view text, const ModelType& type, size_t position) {
  absl::StatusOr<ModelValue> value = MakeValue(text, type, position);
  if (value.ok()) return value;
  return WithContext(value.status(), absl::StrCat("--arg ", ToAbsl(text), " for argument ", position, ", ", type.text));
}

absl::StatusOr<std::vector<ModelValue>> ParseArguments(const std::vector<std::string>& texts,
                                                       const ModelFunction& function) {
  const size_t count = function.arguments.size();
  if (texts.size() != count && texts.size() != 1) {
    return InvalidArgument(absl::StrCat(function.name, " takes ", count, count == 1 ? " argument" : " arguments",
                                        ": give as many --arg, or one for all, not ", texts.size()));
  }
  std::vector<ModelValue> values;
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(ModelValue value, ParseArgument(texts[texts.size() == 1 ? 0 : i], function.arguments[i], i));
    values.push_back(std::move(value));
  }
  return values;
}

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
      return Internal("the two references that were computed have different sizes");
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
