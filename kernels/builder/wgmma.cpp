// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/wgmma.h"

#include <string>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

constexpr int64_t kAtomBytes = 8 * kWgmmaRowBytes;  ///< 8 rows, after which the swizzle repeats.
constexpr int64_t kUnit = 16;                       ///< Descriptors count 16 bytes.
constexpr int kLeadingOffsetBit = 16;
/// The high word of a descriptor: the distance of atoms, and a swizzle of 128 bytes.
constexpr int32_t kHighWord = kAtomBytes / kUnit | 1 << 30;

Type accumulatorType(KernelBuilder& builder, const WgmmaShape& shape) {
  return builder.typeOf(TraitsOf(shape.type).accumulator);
}

LLVM::LLVMStructType accumulatorsType(KernelBuilder& builder, const WgmmaShape& shape) {
  SmallVector<Type> types(shape.accumulators(), accumulatorType(builder, shape));
  return LLVM::LLVMStructType::getLiteral(types.front().getContext(), types);
}

/// Returns the low word: the address in the shared window, and the leading offset.
Value descriptor(KernelBuilder& builder, Value shared, int64_t leadingBytes) {
  Value address = builder.create<LLVM::PtrToIntOp>(builder.i32(), shared);
  // Shared memory has less than 2^18 bytes.
  Value units = builder.div(address, kUnit);
  return builder.add(units, leadingBytes / kUnit << kLeadingOffsetBit);
}

/// Returns an inline assembly with side effects.
LLVM::InlineAsmOp assembly(KernelBuilder& builder, Type result, const Values& operands, const std::string& text,
                           const std::string& constraints) {
  return builder.create<LLVM::InlineAsmOp>(TypeRange(result), operands, text, constraints, /*has_side_effects=*/true,
                                           /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                           LLVM::AsmDialectAttr(), ArrayAttr());
}

/// Appends the constraints of `count` results, and of as many first operands that have their registers.
std::string tiedConstraints(Type element, size_t count) {
  std::string results, operands;
  for (size_t i = 0; i < count; ++i) {
    results += element.isF32() ? "=f," : "=r,";
    operands += std::to_string(i) + ",";
  }
  return results + operands;
}

StringRef nameOf(DataType type) { return type == DataType::kF32 ? "tf32" : DataTypeName(type); }

}  // namespace

Value undefinedAccumulators(KernelBuilder& builder, const WgmmaShape& shape) {
  return builder.create<LLVM::PoisonOp>(accumulatorsType(builder, shape));
}

Value kMajorDescriptor(KernelBuilder& builder, Value shared) {
  return descriptor(builder, shared, kUnit);  // The hardware ignores the leading offset.
}

Value mnMajorDescriptor(KernelBuilder& builder, Value shared, int64_t slabBytes) {
  return descriptor(builder, shared, slabBytes);
}

Value advanceDescriptor(KernelBuilder& builder, Value descriptor, int64_t bytes) {
  return builder.add(descriptor, bytes / kUnit);
}

Value advanceDescriptor(KernelBuilder& builder, Value descriptor, Value bytes) {
  return builder.add(descriptor, builder.div(bytes, kUnit));
}

WgmmaHighWords highWordsForLoop(KernelBuilder& builder, Value variable) {
  Value zeros[] = {builder.create<NVVM::BlockIdYOp>(builder.i32()), builder.blockZ()};
  if (variable)
    for (Value& zero : zeros) zero = builder.mul(zero, variable);
  return {builder.add(zeros[0], kHighWord), builder.add(zeros[1], kHighWord)};
}

void fenceWgmma(KernelBuilder& builder) { builder.create<NVVM::WgmmaFenceAlignedOp>(); }

Value wgmma(KernelBuilder& builder, const WgmmaShape& shape, Value accumulators, Value descriptorA, Value descriptorB,
            Value accumulate, WgmmaHighWords high) {
  // The operation of NVVM takes no run-time condition for `accumulate`.
  const size_t count = shape.accumulators();
  Type element = accumulatorType(builder, shape);
  Values operands = builder.structFields(accumulators, static_cast<int64_t>(count));
  std::string list;
  for (size_t i = 0; i < count; ++i) list += (i == 0 ? "$" : ", $") + std::to_string(i);
  auto operand = [&](Value value) {
    operands.push_back(value);
    return "$" + std::to_string(count + operands.size() - 1);
  };
  // The words are packed in the text, because LLVM would compute with 64 bits.
  const auto packed = [&](const char* name, Value low, Value high) {
    const std::string first = operand(low), second = operand(high ? high : builder.constant(kHighWord));
    return std::string(" mov.b64 ") + name + ", {" + first + ", " + second + "};";
  };
  const std::string words = packed("a", descriptorA, high.a) + packed("b", descriptorB, high.b);
  Value condition = accumulate ? accumulate : builder.trueConstant();
  const std::string scale = operand(builder.create<arith::ExtUIOp>(builder.i32(), condition));
  std::string text = "{ .reg .pred p; .reg .b64 a, b;" + words + " setp.ne.b32 p, " + scale +
                     ", 0; wgmma.mma_async.sync.aligned.m64n" + std::to_string(shape.n) + "k" +
                     std::to_string(shape.k());
  const std::string type = nameOf(shape.type).str();
  text += "." + std::string(DataTypeName(TraitsOf(shape.type).accumulator)) + "." + type + "." + type;
  text += " {" + list + "}, a, b, p";
  if (shape.type != DataType::kS8) text += ", 1, 1";
  if (DataTypeBytes(shape.type) == 2)
    text += std::string(", ") + (shape.isMnMajorA ? "1" : "0") + ", " + (shape.isMnMajorB ? "1" : "0");
  text += "; }";
  auto product =
      assembly(builder, accumulators.getType(), operands, text, tiedConstraints(element, count) + "r,r,r,r,r");
  return product.getResult(0);
}

void commitWgmma(KernelBuilder& builder) { builder.create<NVVM::WgmmaGroupSyncAlignedOp>(); }

Values waitWgmma(KernelBuilder& builder, int64_t groups, const Values& accumulators) {
  // MLIR and LLVM see no dependence between the operation of NVVM and the accumulators, and may read them before it.
  Values operands, results;
  for (Value value : accumulators) {
    auto type = cast<LLVM::LLVMStructType>(value.getType());
    operands.append(builder.structFields(value, static_cast<int64_t>(type.getBody().size())));
  }
  if (operands.empty()) {
    builder.create<NVVM::WgmmaWaitGroupSyncOp>(static_cast<uint64_t>(groups));
    return {};
  }
  Type element = operands.front().getType();
  auto type = LLVM::LLVMStructType::getLiteral(element.getContext(), SmallVector<Type>(operands.size(), element));
  std::string constraints = tiedConstraints(element, operands.size());
  constraints.pop_back();
  auto wait =
      assembly(builder, type, operands, "wgmma.wait_group.sync.aligned " + std::to_string(groups) + ";", constraints);
  Values elements = builder.structFields(wait.getResult(0), static_cast<int64_t>(operands.size()));
  ArrayRef<Value> rest = elements;
  for (Value value : accumulators) {
    auto parts = cast<LLVM::LLVMStructType>(value.getType());
    Value whole = builder.create<LLVM::PoisonOp>(parts);
    for (size_t i = 0; i < parts.getBody().size(); ++i)
      whole = builder.create<LLVM::InsertValueOp>(whole, rest[i], ArrayRef<int64_t>{static_cast<int64_t>(i)});
    results.push_back(whole);
    rest = rest.drop_front(parts.getBody().size());
  }
  return results;
}

void storeMatrices(KernelBuilder& builder, Value pointer, const Values& words, bool transposed) {
  auto layout = transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  auto shape = NVVM::LdStMatrixShapeAttr::get(pointer.getContext(), 8, 8);
  builder.create<NVVM::StMatrixOp>(pointer, words, layout, shape, NVVM::LdStMatrixEltType::B16);
}

}  // namespace mmtune
