// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/constant_tensor.h"

#include <cstring>

#include "kernels/compiler/passes/buffers/passes.h"
#include "mlir/IR/Matchers.h"
#include "proto/types/data_type.h"

using namespace mlir;

namespace mmtune {
namespace {

template <typename T>
T loadAs(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T>
void storeAs(char* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

constexpr unsigned kIndexBits = 64;

}  // namespace

std::optional<ElementFormat> ElementFormat::of(Type type) {
  if (type.isF64()) return ElementFormat(Kind::kF64, 64);
  if (type.isF32()) return ElementFormat(Kind::kF32, 32);
  if (type.isF16()) return ElementFormat(Kind::kF16, 16);
  if (type.isBF16()) return ElementFormat(Kind::kBf16, 16);
  if (type.isIndex()) return ElementFormat(Kind::kInteger, kIndexBits);
  if (type.isSignlessInteger() && llvm::is_contained({1, 8, 16, 32, 64}, type.getIntOrFloatBitWidth()))
    return ElementFormat(Kind::kInteger, type.getIntOrFloatBitWidth());
  return std::nullopt;
}

// Rounding twice is harmless: a sum, difference, product, quotient or square root rounded to 53 bits and then to f32,
// or to 24 bits and then to 16 bits, is the same as when rounded once.
ConstantElement ElementFormat::rounded(double exact) const {
  const auto single = static_cast<float>(exact);
  switch (kind) {
    case Kind::kF32:
      return {.number = single};
    case Kind::kF16:
      return {.number = FromF16(ToF16(single))};
    case Kind::kBf16:
      return {.number = FromBf16(ToBf16(single))};
    default:
      return {.number = exact};
  }
}

ConstantElement ElementFormat::wrapped(int64_t exact) const {
  return {.integer = bits == 64 ? exact : llvm::SignExtend64(static_cast<uint64_t>(exact), bits)};
}

uint64_t ElementFormat::asUnsigned(ConstantElement element) const {
  return static_cast<uint64_t>(element.integer) & llvm::maskTrailingOnes<uint64_t>(bits);
}

ConstantElement ElementFormat::load(const char* from) const {
  switch (kind) {
    case Kind::kF64:
      return {.number = loadAs<double>(from)};
    case Kind::kF32:
      return {.number = loadAs<float>(from)};
    case Kind::kF16:
      return {.number = FromF16(loadAs<uint16_t>(from))};
    case Kind::kBf16:
      return {.number = FromBf16(loadAs<uint16_t>(from))};
    case Kind::kInteger:
      break;
  }
  uint64_t value = 0;
  std::memcpy(&value, from, bytes());
  return wrapped(static_cast<int64_t>(value));
}

void ElementFormat::store(char* to, ConstantElement element) const {
  switch (kind) {
    case Kind::kF64:
      return storeAs(to, element.number);
    case Kind::kF32:
      return storeAs(to, static_cast<float>(element.number));
    case Kind::kF16:
      return storeAs(to, ToF16(static_cast<float>(element.number)));
    case Kind::kBf16:
      return storeAs(to, ToBf16(static_cast<float>(element.number)));
    case Kind::kInteger:
      std::memcpy(to, &element.integer, bytes());
  }
}

std::optional<ConstantElement> constantElement(Attribute scalar) {
  if (auto number = dyn_cast<FloatAttr>(scalar)) {
    if (!ElementFormat::of(number.getType())) return std::nullopt;
    return ConstantElement{.number = number.getValueAsDouble()};
  }
  auto integer = dyn_cast<IntegerAttr>(scalar);
  if (!integer || !ElementFormat::of(integer.getType())) return std::nullopt;
  return ConstantElement{.integer = integer.getValue().getSExtValue()};
}

std::optional<ConstantElement> constantElement(Value value) {
  Attribute constant;
  return matchPattern(value, m_Constant(&constant)) ? constantElement(constant) : std::nullopt;
}

ConstantTensor::ConstantTensor(RankedTensorType type, int64_t stride, size_t bytes)
    : type(type), format(*ElementFormat::of(type.getElementType())), stride(stride), own(bytes) {}

ConstantTensor::ConstantTensor(RankedTensorType type)
    : ConstantTensor(type, ElementFormat::of(type.getElementType())->bytes(),
                     type.getNumElements() * ElementFormat::of(type.getElementType())->bytes()) {}

ConstantTensor ConstantTensor::splat(RankedTensorType type, ConstantElement element) {
  ConstantTensor made(type, /*stride=*/0, ElementFormat::of(type.getElementType())->bytes());
  made.set(0, element);
  return made;
}

std::optional<ConstantTensor> ConstantTensor::of(ElementsAttr value) {
  auto type = dyn_cast<RankedTensorType>(value.getShapedType());
  std::optional<ElementFormat> format = type ? ElementFormat::of(type.getElementType()) : std::nullopt;
  if (!format || !type.hasStaticShape() || type.getNumElements() == 0) return std::nullopt;
  auto dense = dyn_cast<DenseElementsAttr>(unpackedBooleans(value));
  if (dense && dense.isSplat()) {
    std::optional<ConstantElement> element = constantElement(dense.getSplatValue<Attribute>());
    return element ? std::optional(splat(type, *element)) : std::nullopt;
  }
  if (type.getElementType().isInteger(1)) {
    if (!dense) return std::nullopt;
    ConstantTensor made(type);
    for (auto [i, element] : llvm::enumerate(dense.getValues<bool>())) made.set(i, {.integer = element ? -1 : 0});
    return made;
  }
  ConstantTensor made(type, format->bytes(), /*bytes=*/0);
  made.others = rawBytesOf(value);
  if (made.others.size() != type.getNumElements() * format->bytes()) return std::nullopt;
  return made;
}

ConstantTensor ConstantTensor::reshaped(RankedTensorType other) const {
  ConstantTensor made = *this;
  made.type = other;
  return made;
}

DenseElementsAttr ConstantTensor::attribute() const {
  if (isSplat() && type.getElementType().isInteger(1)) return DenseElementsAttr::get(type, at(0).integer != 0);
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> values;
    for (int64_t i = 0; i < type.getNumElements(); ++i) values.push_back(at(i).integer != 0);
    return DenseElementsAttr::get(type, values);
  }
  return DenseElementsAttr::getFromRawBuffer(type, own.empty() ? others : ArrayRef<char>(own));
}

}  // namespace mmtune
