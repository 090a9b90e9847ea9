// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/ptx_text.h"
#include "kernels/compiler/passes/simt/rewriting.h"
#include "kernels/compiler/passes/simt/warp_operations.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Words of A in registers.
constexpr size_t kFragmentA = 4;

/// What the text says: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
/// {D}, A, B, scale of D, scale of A, scale of B[, transpose A][, transpose B]. A in registers has
/// no transposition.
class WgmmaParser {
 public:
  WgmmaParser(SimtEmitter& emit, ArrayRef<PtxInstruction> instructions, const PtxInstruction& wgmma)
      : emit(emit),
        assembly(cast<LLVM::InlineAsmOp>(emit.op)),
        instructions(instructions),
        wgmma(wgmma),
        parts(partsOf(emit.op->getNumResults() == 1 ? emit.op->getResult(0).getType() : Type())) {}

  std::optional<WarpOperation> parse() {
    simt::WarpOp& op = operation.op;
    op.kind = simt::WarpOpKind::kWgmma;
    if (!parseMnemonic() || !isWgmmaShape(op) || wgmma.operands.size() < 6 ||
        wordsOf(parts) != wgmmaAccumulatorWords(op) || !takeAccumulator())
      return std::nullopt;
    const PtxOperand& a = wgmma.operands[1];
    if (a.braces) op.flags |= simt::kRegistersA;
    if (a.items.size() != (a.braces ? kFragmentA : 1)) return std::nullopt;
    for (StringRef item : a.items)
      if (!take(item)) return std::nullopt;
    if (!take(wgmma.operands[2].items.front())) return std::nullopt;
    Value scale = scaleOfD(wgmma.operands[3].items.front());
    if (!scale || !parseFlags()) return std::nullopt;
    operation.in.push_back(scale);
    operation.out = parts;
    return operation;
  }

 private:
  bool parseMnemonic() {
    simt::WarpOp& op = operation.op;
    StringRef text = wgmma.mnemonic;
    unsigned m = 0, n = 0, k = 0;
    if (!text.consume_front("wgmma.mma_async.sync.aligned.m") || text.consumeInteger(10, m) ||
        !text.consume_front("n") || text.consumeInteger(10, n) || !text.consume_front("k") ||
        text.consumeInteger(10, k))
      return false;
    op.m = m, op.n = n, op.k = k;
    SmallVector<StringRef> types;
    text.split(types, '.');  // The first is empty: a point is in front of each type.
    if (types.size() != 4) return false;
    op.c = op.d = elementType(types[1]);
    op.a = elementType(types[2]);
    op.b = elementType(types[3]);
    return true;
  }

  /// D is placeholders 0, 1, …, to which the first operands are tied in order.
  bool takeAccumulator() {
    SmallVector<StringRef> constraints;
    assembly.getConstraints().split(constraints, ',');
    const PtxOperand& d = wgmma.operands[0];
    if (d.items.size() != parts.size() || constraints.size() < 2 * parts.size()) return false;
    for (size_t i = 0; i < parts.size(); ++i) {
      unsigned tied = 0;
      if (placeholderNumber(d.items[i]) != i || constraints[parts.size() + i].getAsInteger(10, tied) || tied != i)
        return false;
      operation.in.push_back(assembly.getOperands()[i]);
    }
    return true;
  }

  /// The operand behind a placeholder; null for other text.
  Value operandOf(StringRef item) {
    std::optional<unsigned> number = placeholderNumber(item);
    if (!number || *number < parts.size() || *number - parts.size() >= assembly.getOperands().size()) return Value();
    return assembly.getOperands()[*number - parts.size()];
  }

  bool take(StringRef item) {
    Value value = operandOf(item);
    if (value) operation.in.push_back(value);
    return bool(value);
  }

  /// A literal, or an operand that is a constant.
  std::optional<int64_t> constantOf(StringRef item) {
    int64_t literal = 0;
    if (!item.getAsInteger(10, literal)) return literal;
    APInt value;
    Value operand = operandOf(item);
    if (operand && matchPattern(operand, m_ConstantInt(&value))) return value.getSExtValue();
    return std::nullopt;
  }

  /// A literal, or a predicate that a setp before has set.
  Value scaleOfD(StringRef item) {
    if (std::optional<int64_t> literal = constantOf(item)) return emit.i32(*literal != 0);
    for (const PtxInstruction& instruction : instructions) {
      if (instruction.mnemonic != "setp.ne.b32" || instruction.operands.size() != 3 ||
          instruction.operands[0].items.front() != item || instruction.operands[2].items.front() != "0")
        continue;
      Value source = operandOf(instruction.operands[1].items.front());
      if (!source || !source.getType().isInteger(32)) return Value();
      return LLVM::ICmpOp::create(emit.builder, LLVM::ICmpPredicate::ne, source, emit.i32(0));
    }
    return Value();
  }

  bool parseFlags() {
    simt::WarpOp& op = operation.op;
    bool registers = op.flags & simt::kRegistersA;
    SmallVector<uint32_t> transposes;
    if (!registers) transposes.push_back(simt::kTransposedA);
    transposes.push_back(simt::kTransposedB);
    size_t given = wgmma.operands.size() - 6;
    if (given != 0 && given != transposes.size()) return false;
    for (size_t i = 4; i < wgmma.operands.size(); ++i) {
      std::optional<int64_t> value = constantOf(wgmma.operands[i].items.front());
      if (!value) return false;
      if (i < 6 && *value == -1) op.flags |= i == 4 ? simt::kNegateA : simt::kNegateB;
      if (i >= 6 && *value == 1) op.flags |= transposes[i - 6];
    }
    return true;
  }

  SimtEmitter& emit;
  LLVM::InlineAsmOp assembly;
  ArrayRef<PtxInstruction> instructions;
  const PtxInstruction& wgmma;
  SmallVector<Type> parts;
  WarpOperation operation;
};

}  // namespace

LogicalResult replaceWgmma(SimtEmitter& emit, ArrayRef<PtxInstruction> instructions, const PtxInstruction& wgmma) {
  std::optional<WarpOperation> operation = WgmmaParser(emit, instructions, wgmma).parse();
  if (!operation) return emit.unsupported("inline PTX '" + Twine(wgmma.mnemonic) + "' in this form");
  return replaceByParts(emit, emitWarpOperation(emit, *operation));
}

}  // namespace mmtune
