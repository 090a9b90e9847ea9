// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/kernel_verify/element_type.h"

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
    {"u64", 8, Kind::kUnsigned, std::nullopt, 4}, {"e4m3", 1, Kind::kFp8, std::nullopt, 0},
    {"e5m2", 1, Kind::kFp8, std::nullopt, 0},
};

constexpr std::string_view kValue = "value:";

/// Writes a number, which a floating-point type rounds.
void WriteNumber(const ElementType& type, double number, char* element) {
  if (type.kind == Kind::kFloat) return TraitsOf(*type.data_type).encode_double(&number, 1, element);
  const auto integer = static_cast<int64_t>(number);
  std::memcpy(element, &integer, static_cast<size_t>(type.bytes));
}

/// Returns the largest integer of a type; of u64, the largest that int64_t has.
int64_t LargestOf(const ElementType& type) {
  const int64_t bits = 8 * type.bytes - (type.kind == Kind::kSigned ? 1 : 0);
  return bits >= 63 ? INT64_MAX : (int64_t{1} << bits) - 1;
}

int64_t SmallestOf(const ElementType& type) { return type.kind == Kind::kUnsigned ? 0 : -LargestOf(type) - 1; }

/// True if the number is one of the type's, or the type is a floating-point one, which rounds.
bool Fits(const ElementType& type, double number) {
  if (type.kind == Kind::kFloat) return true;
  // 2^63 is the double next to INT64_MAX, and the first that has no int64_t.
  return number == std::trunc(number) && number >= static_cast<double>(SmallestOf(type)) && number < 0x1p63 &&
         number <= static_cast<double>(LargestOf(type));
}

/// Writes a number between -2 and 2 that all floating-point types represent, or a small integer.
void WriteRandom(const ElementType& type, SplitMix64& random, char* element) {
  if (type.kind == Kind::kFp8) {
    // Magnitudes from 1/8 to 2 (e4m3), or from 1/4 to 2 (e5m2).
    const bool is_e4m3 = type.name == "e4m3";
    const uint32_t magnitude = is_e4m3 ? 0x20 + random.Below(0x20) : 0x34 + random.Below(0x0c);
    element[0] = static_cast<char>(magnitude | random.Below(2) << 7);
  } else if (type.kind == Kind::kFloat) {
    WriteNumber(type, (static_cast<double>(random.Below(256)) - 128) / 64, element);
  } else {
    WriteNumber(type, random.Below(17) - (type.kind == Kind::kSigned ? 8.0 : 0.0), element);
  }
}

}  // namespace

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
  if (type.kind != Kind::kFp8 && is_value && !Fits(type, number))
    return InvalidArgument(absl::StrCat("'", ToAbsl(fill), "' does not fit ", ToAbsl(type.name)));
  if (type.kind != Kind::kFp8 && (fill == "iota" || is_value)) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("'", ToAbsl(fill), "' is not random, zeros",
                                      type.kind == Kind::kFp8 ? "" : ", iota or value:NUMBER"));
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
  if (type.kind == Kind::kFp8) return InvalidArgument(absl::StrCat("an argument of type ", ToAbsl(type.name)));
  if (type.kind == Kind::kFloat) {
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
