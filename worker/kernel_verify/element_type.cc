// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/kernel_verify/element_type.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/base/split_mix64.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

using Kind = ElementType::Kind;

constexpr ElementType kTypes[] = {
    {"f16", 2, Kind::kFloat, DataType::kF16, 6},  {"bf16", 2, Kind::kFloat, DataType::kBf16, 9},
    {"f32", 4, Kind::kFloat, DataType::kF32, 7},  {"tf32", 4, Kind::kFloat, DataType::kF32, 7},
    {"f64", 8, Kind::kFloat, DataType::kF64, 8},  {"i8", 1, Kind::kSigned, DataType::kS8, 0},
    {"i16", 2, Kind::kSigned, std::nullopt, 1},   {"i32", 4, Kind::kSigned, DataType::kS32, 3},
    {"i64", 8, Kind::kSigned, std::nullopt, 5},   {"u8", 1, Kind::kUnsigned, std::nullopt, 0},
    {"u16", 2, Kind::kUnsigned, std::nullopt, 1}, {"u32", 4, Kind::kUnsigned, std::nullopt, 2},
    {"u64", 8, Kind::kUnsigned, std::nullopt, 4}, {"e4m3", 1, Kind::kFp8, std::nullopt, 0, 4},
    {"e5m2", 1, Kind::kFp8, std::nullopt, 0, 3},
};

constexpr std::string_view kValue = "value:";

/// Returns the number of an fp8 code without its sign; the codes up to the largest finite number ascend.
double NarrowNumber(const ElementType& type, int code) {
  const int fraction_bits = type.narrow_bits - 1, bias = type.narrow_bits == 4 ? 7 : 15;
  const int exponent = code >> fraction_bits, fraction = code & ((1 << fraction_bits) - 1);
  return std::ldexp(exponent == 0 ? fraction : fraction + (1 << fraction_bits),
                    std::max(exponent, 1) - bias - fraction_bits);
}

/// Returns the code of the nearest fp8 number, ties to even; numbers that are too large become the largest one.
char NarrowCode(const ElementType& type, double number) {
  if (std::isnan(number)) return 0x7F;
  const int most = type.narrow_bits == 4 ? 0x7E : 0x7B;
  int code = 0;
  while (code < most && NarrowNumber(type, code + 1) <= std::fabs(number)) ++code;
  if (code < most) {
    const double below = std::fabs(number) - NarrowNumber(type, code),
                 above = NarrowNumber(type, code + 1) - std::fabs(number);
    if (above < below || (above == below && code % 2 != 0)) ++code;
  }
  return static_cast<char>(code | (std::signbit(number) ? 0x80 : 0));
}

/// Returns the largest integer of a type; of u64, the largest that int64_t has.
int64_t LargestOf(const ElementType& type) {
  const int64_t bits = 8 * type.bytes - (type.kind == Kind::kSigned ? 1 : 0);
  return bits >= 63 ? INT64_MAX : (int64_t{1} << bits) - 1;
}

int64_t SmallestOf(const ElementType& type) { return type.kind == Kind::kUnsigned ? 0 : -LargestOf(type) - 1; }

/// True if the number is one of the type's, or the type is a floating-point one, which rounds.
bool Fits(const ElementType& type, double number) {
  if (type.IsFloat()) return true;
  // 2^63 is the double next to INT64_MAX, and the first that has no int64_t.
  return number == std::trunc(number) && number >= static_cast<double>(SmallestOf(type)) && number < 0x1p63 &&
         number <= static_cast<double>(LargestOf(type));
}

/// Writes a number between -2 and 2, or a small integer.
void WriteRandom(const ElementType& type, SplitMix64& random, char* element) {
  if (type.IsFloat()) return WriteNumber(type, (static_cast<double>(random.Below(256)) - 128) / 64, element);
  WriteNumber(type, random.Below(17) - (type.kind == Kind::kSigned ? 8.0 : 0.0), element);
}

}  // namespace

void WriteNumber(const ElementType& type, double number, char* element) {
  if (type.kind == Kind::kFp8) return void(*element = NarrowCode(type, number));
  if (type.kind == Kind::kFloat) return TraitsOf(*type.data_type).encode_double(&number, 1, element);
  const auto integer = static_cast<int64_t>(number);
  std::memcpy(element, &integer, static_cast<size_t>(type.bytes));
}

absl::StatusOr<const ElementType*> FindElementType(std::string_view name) {
  std::string known;
  for (const ElementType& type : kTypes) {
    if (type.name == name ||
        (type.kind == Kind::kSigned && name.starts_with('s') && type.name.substr(1) == name.substr(1)))
      return &type;
    absl::StrAppend(&known, known.empty() ? "" : ", ", ToAbsl(type.name));
  }
  return InvalidArgument(absl::StrCat("there is no type '", ToAbsl(name), "'; types are ", known));
}

absl::Status CheckFill(const ElementType& type, std::string_view fill) {
  if (fill.empty() || fill == "random" || fill == "zeros") return absl::OkStatus();
  double number = 0;
  const bool is_value = fill.starts_with(kValue) && absl::SimpleAtod(ToAbsl(fill.substr(kValue.size())), &number);
  if (is_value && !Fits(type, number))
    return InvalidArgument(absl::StrCat("'", ToAbsl(fill), "' does not fit ", ToAbsl(type.name)));
  if (fill == "iota" || is_value) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("'", ToAbsl(fill), "' is not random, zeros, iota or value:NUMBER"));
}

void FillElements(const ElementType& type, std::string_view fill, uint64_t seed, int64_t count, char* elements) {
  const auto bytes = static_cast<size_t>(type.bytes * count);
  if (fill.empty()) std::memset(elements, 0xff, bytes);
  if (fill == "zeros") std::memset(elements, 0, bytes);
  double number = 0;
  const bool is_value = fill.starts_with(kValue) && absl::SimpleAtod(ToAbsl(fill.substr(kValue.size())), &number);
  SplitMix64 random(seed);
  for (int64_t i = 0; i < count; ++i) {
    char* element = elements + type.bytes * i;
    if (fill == "random") WriteRandom(type, random, element);
    if (fill == "iota") WriteNumber(type, static_cast<double>(i), element);
    if (is_value) WriteNumber(type, number, element);
  }
}

absl::StatusOr<std::string> EncodeScalar(const ElementType& type, std::string_view text, int64_t value) {
  std::string bytes(static_cast<size_t>(type.bytes), '\0');
  if (type.IsFloat()) {
    double number = 0;
    if (!absl::SimpleAtod(ToAbsl(text), &number))
      return InvalidArgument(absl::StrCat("'", ToAbsl(text), "' is no number"));
    WriteNumber(type, number, bytes.data());
    return bytes;
  }
  if (value < SmallestOf(type) || value > LargestOf(type))
    return InvalidArgument(absl::StrCat(value, " does not fit ", ToAbsl(type.name)));
  std::memcpy(bytes.data(), &value, bytes.size());
  return bytes;
}

}  // namespace mmtune
