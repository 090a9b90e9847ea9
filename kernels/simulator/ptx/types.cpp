// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Kind = TypeClass;

constexpr ScalarType kTypes[] = {
    {"pred", Kind::kPredicate, 1},    {"b8", Kind::kBits, 8},           {"b16", Kind::kBits, 16},
    {"b32", Kind::kBits, 32},         {"b64", Kind::kBits, 64},         {"b128", Kind::kBits, 128},
    {"u8", Kind::kUnsigned, 8},       {"u16", Kind::kUnsigned, 16},     {"u32", Kind::kUnsigned, 32},
    {"u64", Kind::kUnsigned, 64},     {"s8", Kind::kSigned, 8},         {"s16", Kind::kSigned, 16},
    {"s32", Kind::kSigned, 32},       {"s64", Kind::kSigned, 64},       {"u16x2", Kind::kUnsigned, 16, 2},
    {"s16x2", Kind::kSigned, 16, 2},  {"f16", Kind::kFloat, 16},        {"f16x2", Kind::kFloat, 16, 2},
    {"bf16", Kind::kBfloat, 16},      {"bf16x2", Kind::kBfloat, 16, 2}, {"f32", Kind::kFloat, 32},
    {"f32x2", Kind::kFloat, 32, 2},   {"f64", Kind::kFloat, 64},        {"tf32", Kind::kTf32, 32},
    {"e4m3x2", Kind::kPacked8, 8, 2}, {"e5m2x2", Kind::kPacked8, 8, 2}, {"e4m3", Kind::kPacked8, 8},
    {"e5m2", Kind::kPacked8, 8},
};

}  // namespace

std::optional<ScalarType> findType(llvm::StringRef name) {
  const ScalarType* type = llvm::find_if(kTypes, [&](const ScalarType& entry) { return entry.name == name; });
  if (type == std::end(kTypes)) return std::nullopt;
  return *type;
}

std::optional<uint64_t> literalBits(Literal literal, uint64_t bits, const ScalarType& type) {
  if (literal == Literal::kInteger) return type.isInteger() || type.isPredicate() ? std::optional(bits) : std::nullopt;
  if (type.kind == Kind::kBits) {
    const bool fits = literal == Literal::kFloat ? type.bits() == 32 : type.bits() == 64;
    return fits ? std::optional(bits) : std::nullopt;
  }
  if (type.name == "f32")
    return literal == Literal::kFloat ? bits
                                      : llvm::bit_cast<uint32_t>(static_cast<float>(llvm::bit_cast<double>(bits)));
  if (type.name != "f64") return std::nullopt;
  if (literal == Literal::kDouble) return bits;
  return llvm::bit_cast<uint64_t>(static_cast<double>(llvm::bit_cast<float>(static_cast<uint32_t>(bits))));
}

std::string literalError(Literal literal, const ScalarType& type) {
  if (literal == Literal::kInteger) {
    const bool hasLiterals = type.name == "f32" || type.name == "f64";
    return ("an integer where the type is ." + type.name +
            (hasLiterals ? ": write 0f or 0d and the bits" : ", which has no literals"))
        .str();
  }
  return ("a floating-point literal where the type is ." + type.name).str();
}

bool areCompatible(const ScalarType& ofRegister, const ScalarType& type) {
  if (ofRegister.isPredicate() || type.isPredicate()) return ofRegister.kind == type.kind;
  if (ofRegister.kind == Kind::kBits || type.kind == Kind::kBits || type.name == ofRegister.name) return true;
  return type.isInteger() && (ofRegister.isInteger() || ofRegister.name == "f16x2");
}

ScalarType typeNamed(llvm::StringRef name) {
  if (std::optional<ScalarType> type = findType(name)) return *type;
  llvm::report_fatal_error("a table of PTX names a type that PTX lacks");
}

ScalarType ScalarType::element() const {
  if (lanes == 1) return *this;
  const ScalarType* type = llvm::find_if(kTypes, [&](const ScalarType& entry) {
    return entry.lanes == 1 && entry.kind == kind && entry.elementBits == elementBits && name.starts_with(entry.name);
  });
  return *type;
}

ScalarType ScalarType::untyped() const {
  const ScalarType* type = llvm::find_if(
      kTypes, [&](const ScalarType& entry) { return entry.kind == Kind::kBits && entry.elementBits == bits(); });
  return *type;
}

Type ScalarType::valueType(MLIRContext* context) const {
  Builder builder(context);
  if (!isFloat()) return builder.getIntegerType(bits());
  Type element = kind == Kind::kBfloat ? Type(builder.getBF16Type())
                 : elementBits == 16   ? Type(builder.getF16Type())
                 : elementBits == 32   ? Type(builder.getF32Type())
                                       : Type(builder.getF64Type());
  return lanes == 1 ? element : VectorType::get(lanes, element);
}

}  // namespace mmtune::ptx
