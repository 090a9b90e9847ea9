// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/data_type.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "proto/types/fields.h"

namespace mmtune {
namespace {

/// Elements that C++ has a type for.
template <typename T>
struct Plain {
  using Element = T;
  template <typename Real>
  static Element To(Real value) {
    if constexpr (!std::is_integral_v<T>) return static_cast<T>(value);
    if (std::isnan(value)) return 0;
    using Limits = std::numeric_limits<T>;
    return static_cast<T>(std::clamp(std::nearbyint(double{value}), double{Limits::min()}, double{Limits::max()}));
  }
  template <typename Real>
  static Real From(Element element) {
    return static_cast<Real>(element);
  }
};

/// Others, of 16 bits.
template <uint16_t (*to)(float), float (*from)(uint16_t)>
struct Narrow {
  using Element = uint16_t;
  template <typename Real>
  static Element To(Real value) {
    return to(static_cast<float>(value));
  }
  template <typename Real>
  static Real From(Element element) {
    return Real{from(element)};
  }
};

template <typename Form, typename Real>
void Encode(const Real* values, int64_t count, void* elements) {
  std::transform(values, values + count, static_cast<typename Form::Element*>(elements),
                 [](Real value) { return Form::To(value); });
}
template <typename Form, typename Real>
void Decode(const void* elements, int64_t count, Real* values) {
  const auto* first = static_cast<const typename Form::Element*>(elements);
  std::transform(first, first + count, values,
                 [](typename Form::Element element) { return Form::template From<Real>(element); });
}

template <typename Form>
constexpr DataTypeTraits Traits(DataType type, std::string_view name, DataType accumulator, int significand_bits,
                                double largest, double smallest, int cuda) {
  using Element = typename Form::Element;
  return {type,
          name,
          sizeof(Element),
          accumulator,
          std::is_same_v<Form, Plain<Element>> && std::is_integral_v<Element>,
          significand_bits,
          largest,
          smallest,
          cuda,
          Encode<Form, float>,
          Decode<Form, float>,
          Encode<Form, double>,
          Decode<Form, double>};
}

using enum DataType;

constexpr DataTypeTraits kTypes[] = {
    Traits<Plain<float>>(kF32, "f32", kF32, 24, 0x1.fffffep127, 0x1p-149, 0),
    Traits<Narrow<ToF16, FromF16>>(kF16, "f16", kF32, 11, 65504, 0x1p-24, 2),
    Traits<Narrow<ToBf16, FromBf16>>(kBf16, "bf16", kF32, 8, 0x1.fep127, 0x1p-133, 14),
    Traits<Plain<int8_t>>(kS8, "s8", kS32, 7, 127, 1, 3),
    Traits<Plain<double>>(kF64, "f64", kF64, 53, std::numeric_limits<double>::max(), 0x1p-1074, 1),
    Traits<Plain<int32_t>>(kS32, "s32", kS32, 31, 0x7fffffff, 1, 10),
};

struct TypeNames {
  Named<DataType> table[std::size(kTypes)];
};
constexpr TypeNames kTypeNames = [] {
  TypeNames names = {};
  for (size_t i = 0; i < std::size(kTypes); ++i) names.table[i] = {kTypes[i].type, kTypes[i].name};
  return names;
}();
constexpr Named<MathMode> kMathModes[] = {
    {MathMode::kIeee, "ieee"}, {MathMode::kTf32, "tf32"}, {MathMode::kTf32x3, "tf32x3"}, {MathMode::kBf16x6, "bf16x6"}};
constexpr Named<OutputType> kOutputTypes[] = {{OutputType::kSame, "same"}, {OutputType::kF32, "f32"}};

}  // namespace

const DataTypeTraits& TraitsOf(DataType type) { return kTypes[static_cast<size_t>(type)]; }

std::string_view DataTypeName(DataType type) { return TraitsOf(type).name; }
absl::StatusOr<DataType> ParseDataType(std::string_view name) { return ValueIn(kTypeNames.table, name, "data type"); }

std::string_view MathModeName(MathMode mode) { return NameIn(kMathModes, mode); }
absl::StatusOr<MathMode> ParseMathMode(std::string_view name) { return ValueIn(kMathModes, name, "math mode"); }

std::string_view OutputTypeName(OutputType type) { return NameIn(kOutputTypes, type); }
absl::StatusOr<OutputType> ParseOutputType(std::string_view name) { return ValueIn(kOutputTypes, name, "output type"); }

}  // namespace mmtune
