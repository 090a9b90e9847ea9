// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/data_type.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/element_bits.h"

namespace mmtune {
namespace {

template <typename Element, auto to_element>
void Encode(const float* values, int64_t count, void* elements) {
  std::transform(values, values + count, static_cast<Element*>(elements), to_element);
}
template <typename Element, auto from_element>
void Decode(const void* elements, int64_t count, float* values) {
  const auto* first = static_cast<const Element*>(elements);
  std::transform(first, first + count, values, from_element);
}
float AsIs(float value) { return value; }

constexpr DataTypeTraits kTypes[] = {
    {DataType::kF32, "f32", 4, 24, 0x1.fffffep127, Encode<float, AsIs>, Decode<float, AsIs>},
    {DataType::kF16, "f16", 2, 11, 65504, Encode<uint16_t, ToF16>, Decode<uint16_t, FromF16>},
    {DataType::kBf16, "bf16", 2, 8, 0x1.fep127, Encode<uint16_t, ToBf16>, Decode<uint16_t, FromBf16>},
};

struct MathModeLine {
  MathMode value;
  std::string_view name;
};
constexpr MathModeLine kMathModes[] = {{MathMode::kIeee, "ieee"}, {MathMode::kTf32, "tf32"}};

struct OutputTypeLine {
  OutputType value;
  std::string_view name;
};
constexpr OutputTypeLine kOutputTypes[] = {{OutputType::kSame, "same"}, {OutputType::kF32, "f32"}};

template <typename Lines>
std::string KnownNames(const Lines& lines) {
  std::string names;
  for (const auto& line : lines) absl::StrAppend(&names, names.empty() ? "" : ", ", ToAbsl(line.name));
  return names;
}

}  // namespace

const DataTypeTraits& TraitsOf(DataType type) { return kTypes[static_cast<size_t>(type)]; }

std::string_view DataTypeName(DataType type) { return TraitsOf(type).name; }

absl::StatusOr<DataType> ParseDataType(std::string_view name) {
  for (const DataTypeTraits& traits : kTypes) {
    if (traits.name == name) return traits.type;
  }
  return InvalidArgument(absl::StrCat("unknown data type '", ToAbsl(name), "'; known: ", KnownNames(kTypes)));
}

std::string_view MathModeName(MathMode mode) { return kMathModes[static_cast<size_t>(mode)].name; }

absl::StatusOr<MathMode> ParseMathMode(std::string_view name) {
  for (const MathModeLine& line : kMathModes) {
    if (line.name == name) return line.value;
  }
  return InvalidArgument(absl::StrCat("unknown math mode '", ToAbsl(name), "'; known: ", KnownNames(kMathModes)));
}

std::string_view OutputTypeName(OutputType type) { return kOutputTypes[static_cast<size_t>(type)].name; }

absl::StatusOr<OutputType> ParseOutputType(std::string_view name) {
  for (const OutputTypeLine& line : kOutputTypes) {
    if (line.name == name) return line.value;
  }
  return InvalidArgument(absl::StrCat("unknown output type '", ToAbsl(name), "'; known: ", KnownNames(kOutputTypes)));
}

}  // namespace mmtune
