// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/data_type.h"

#include <algorithm>

#include "proto/types/element_bits.h"
#include "proto/types/names.h"

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
    {DataType::kF32, "f32", 4, 24, 0x1.fffffep127, 0x1p-149, 0, Encode<float, AsIs>, Decode<float, AsIs>},
    {DataType::kF16, "f16", 2, 11, 65504, 0x1p-24, 2, Encode<uint16_t, ToF16>, Decode<uint16_t, FromF16>},
    {DataType::kBf16, "bf16", 2, 8, 0x1.fep127, 0x1p-133, 14, Encode<uint16_t, ToBf16>, Decode<uint16_t, FromBf16>},
};

constexpr Named<DataType> kTypeNames[] = {
    {kTypes[0].type, kTypes[0].name}, {kTypes[1].type, kTypes[1].name}, {kTypes[2].type, kTypes[2].name}};
static_assert(std::size(kTypeNames) == std::size(kTypes));
constexpr Named<MathMode> kMathModes[] = {
    {MathMode::kIeee, "ieee"}, {MathMode::kTf32, "tf32"}, {MathMode::kTf32x3, "tf32x3"}, {MathMode::kBf16x6, "bf16x6"}};
constexpr Named<OutputType> kOutputTypes[] = {{OutputType::kSame, "same"}, {OutputType::kF32, "f32"}};

}  // namespace

const DataTypeTraits& TraitsOf(DataType type) { return kTypes[static_cast<size_t>(type)]; }

std::string_view DataTypeName(DataType type) { return TraitsOf(type).name; }
absl::StatusOr<DataType> ParseDataType(std::string_view name) { return ValueIn(kTypeNames, name, "data type"); }

std::string_view MathModeName(MathMode mode) { return NameIn(kMathModes, mode); }
absl::StatusOr<MathMode> ParseMathMode(std::string_view name) { return ValueIn(kMathModes, name, "math mode"); }

std::string_view OutputTypeName(OutputType type) { return NameIn(kOutputTypes, type); }
absl::StatusOr<OutputType> ParseOutputType(std::string_view name) { return ValueIn(kOutputTypes, name, "output type"); }

}  // namespace mmtune
