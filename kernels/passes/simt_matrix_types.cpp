// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/simt_matrix_types.h"

#include "kernels/runtime/simt/abi/abi.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace mmtune {

using simt::ElementType;

namespace {

bool isByte(ElementType type) { return type == ElementType::kS8 || type == ElementType::kU8; }

}  // namespace

ElementType elementType(StringRef name) {
  return llvm::StringSwitch<ElementType>(name)
      .Case("f16", ElementType::kF16)
      .Case("bf16", ElementType::kBf16)
      .Case("tf32", ElementType::kTf32)
      .Case("f32", ElementType::kF32)
      .Case("f64", ElementType::kF64)
      .Case("s8", ElementType::kS8)
      .Case("u8", ElementType::kU8)
      .Case("s32", ElementType::kS32)
      .Case("e4m3", ElementType::kF8E4M3)
      .Case("e5m2", ElementType::kF8E5M2)
      .Default(ElementType::kNone);
}

ElementType elementType(std::optional<NVVM::MMATypes> type) {
  return type ? elementType(NVVM::stringifyMMATypes(*type)) : ElementType::kNone;
}

ElementType elementType(NVVM::WGMMATypes type) { return elementType(NVVM::stringifyWGMMATypes(type)); }

bool isMmaShape(const simt::WarpOp& op) {
  auto is = [&](uint32_t m, uint32_t n, std::initializer_list<uint32_t> ks) {
    return op.m == m && op.n == n && llvm::is_contained(ks, op.k);
  };
  bool floats32 = op.c == ElementType::kF32 && op.d == ElementType::kF32;
  bool floats = floats32 || (op.c == ElementType::kF16 && op.d == ElementType::kF16);
  bool sameInputs = op.a == op.b;
  switch (op.a) {
    case ElementType::kF16:
      return sameInputs && floats && is(16, 8, {8, 16});
    case ElementType::kBf16:
      return sameInputs && floats32 && is(16, 8, {8, 16});
    case ElementType::kTf32:
      return sameInputs && floats32 && is(16, 8, {4, 8});
    case ElementType::kS8:
    case ElementType::kU8:
      return isByte(op.b) && op.c == ElementType::kS32 && op.d == ElementType::kS32 &&
             (is(16, 8, {16, 32}) || is(8, 8, {16}));
    case ElementType::kF64:
      return sameInputs && op.c == op.a && op.d == op.a && is(8, 8, {4});
    default:
      return false;
  }
}

bool isWgmmaShape(const simt::WarpOp& op) {
  if (op.m != 64 || !simt::IsWgmmaColumns(op.a, op.n) || (op.a != op.b && !(isByte(op.a) && isByte(op.b))))
    return false;
  switch (op.a) {
    case ElementType::kF16:
      return op.k == 16 && (op.d == ElementType::kF32 || op.d == ElementType::kF16);
    case ElementType::kBf16:
      return op.k == 16 && op.d == ElementType::kF32;
    case ElementType::kTf32:
      return op.k == 8 && op.d == ElementType::kF32;
    case ElementType::kS8:
    case ElementType::kU8:
      return op.k == 32 && op.d == ElementType::kS32;
    default:
      return false;
  }
}

size_t wgmmaAccumulatorWords(const simt::WarpOp& op) { return op.n / (op.d == ElementType::kF16 ? 4 : 2); }

}  // namespace mmtune
