// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/passes.h"
#include "kernels/compiler/passes/simt/warp_operations.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

/// An operand of an instruction, split into the registers of a braced list.
struct PtxOperand {
  SmallVector<StringRef> items;
  bool braces = false;
};

/// One instruction of inline PTX.
struct PtxInstruction {
  std::optional<unsigned> guard;  ///< Number of the placeholder of its predicate: 2 for "@$2".
  StringRef mnemonic;             ///< "mbarrier.init.shared.b64".
  SmallVector<PtxOperand> operands;
};

constexpr StringLiteral kSpace = " \t\n\r";

/// Returns the number of a placeholder "$7", "%7" or "{$r7}"; nothing for other text.
std::optional<unsigned> placeholderNumber(StringRef item) {
  item = item.trim(kSpace);
  if (item.consume_front("{") && !item.consume_back("}")) return std::nullopt;
  if (!item.consume_front("$") && !item.consume_front("%")) return std::nullopt;
  item.consume_front("r");
  unsigned number = 0;
  if (item.getAsInteger(10, number)) return std::nullopt;
  return number;
}

/// Splits an operand list at commas outside of braces and brackets.
SmallVector<PtxOperand> parseOperands(StringRef text) {
  SmallVector<PtxOperand> operands;
  while (!(text = text.trim(kSpace)).empty()) {
    int depth = 0;
    size_t end = 0;
    for (; end < text.size() && (depth > 0 || text[end] != ','); ++end)
      depth += StringRef("{[").contains(text[end]) ? 1 : StringRef("}]").contains(text[end]) ? -1 : 0;
    StringRef piece = text.take_front(end).trim(kSpace);
    text = text.drop_front(std::min(end + 1, text.size()));
    PtxOperand operand;
    operand.braces = piece.starts_with("{") && !placeholderNumber(piece);
    if (operand.braces) piece = piece.drop_front().drop_back();
    SmallVector<StringRef> items;
    piece.split(items, ',');
    for (StringRef item : items) operand.items.push_back(item.trim(kSpace));
    operands.push_back(std::move(operand));
  }
  return operands;
}

/// Returns the instructions of a text, without labels, declarations and scopes.
SmallVector<PtxInstruction> parsePtx(StringRef text) {
  SmallVector<PtxInstruction> instructions;
  SmallVector<StringRef> statements;
  text.split(statements, ';');
  for (StringRef statement : statements) {
    // A statement may follow the end or the beginning of a scope, or labels.
    statement = statement.trim(kSpace);
    while (statement.starts_with("}") || (statement.starts_with("{") && !statement.contains('}')))
      statement = statement.drop_front().trim(kSpace);
    PtxInstruction instruction;
    if (statement.consume_front("@")) {
      StringRef guard = statement.take_until([](char c) { return llvm::isSpace(c); });
      instruction.guard = placeholderNumber(guard);
      statement = statement.drop_front(guard.size()).trim(kSpace);
    }
    instruction.mnemonic = statement.take_until([](char c) { return llvm::isSpace(c); });
    while (instruction.mnemonic.ends_with(":")) {
      statement = statement.drop_front(instruction.mnemonic.size()).trim(kSpace);
      instruction.mnemonic = statement.take_until([](char c) { return llvm::isSpace(c); });
    }
    if (instruction.mnemonic.empty() || instruction.mnemonic.starts_with(".")) continue;
    instruction.operands = parseOperands(statement.drop_front(instruction.mnemonic.size()));
    instructions.push_back(std::move(instruction));
  }
  return instructions;
}

/// Words of A when it is in registers.
constexpr size_t kFragmentA = 4;

/// Parses the text of a wgmma:
///
///     wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
///       {D}, A, B, scale of D, scale of A, scale of B[, transpose A][, transpose B]
///
/// A in registers has no transposition, and integers have no scale of A and B.
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
    if (!parseMnemonic() || !isWgmmaShape(op) || wgmma.operands.size() < (isOfIntegers() ? 4 : 6) ||
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
    op.early_access_line = lineOf(kEarlyAccessAttrName);
    op.unfenced_access_line = lineOf(kUnfencedAccessAttrName);
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
    text.split(types, '.');  // The first is empty, as each type follows a dot.
    if (types.size() != 4) return false;
    op.c = op.d = elementType(types[1]);
    op.a = elementType(types[2]);
    op.b = elementType(types[3]);
    return true;
  }

  /// Parses D: placeholders 0, 1, …, to which the first operands are tied in order.
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

  /// Returns the operand of a placeholder; null for other text.
  Value operandOf(StringRef item) {
    std::optional<unsigned> number = placeholderNumber(item);
    if (!number || *number < parts.size() || *number - parts.size() >= assembly.getOperands().size()) return Value();
    return assembly.getOperands()[*number - parts.size()];
  }

  /// Returns the operand of a placeholder, or the two words that a preceding mov.b64 has packed; null for other text.
  Value wordsOrOperandOf(StringRef item) {
    for (const PtxInstruction& instruction : instructions) {
      if (instruction.mnemonic != "mov.b64" || instruction.operands.size() != 2 ||
          instruction.operands[0].items.front() != item || instruction.operands[1].items.size() != 2)
        continue;
      Value low = operandOf(instruction.operands[1].items[0]), high = operandOf(instruction.operands[1].items[1]);
      if (!low || !high || !low.getType().isInteger(32) || !high.getType().isInteger(32)) return Value();
      constexpr int64_t kWordBits = 32;
      Value shifted = LLVM::ShlOp::create(emit.builder, emit.zeroExtended(high), emit.i64(kWordBits));
      return LLVM::OrOp::create(emit.builder, shifted, emit.zeroExtended(low));
    }
    return operandOf(item);
  }

  bool take(StringRef item) {
    Value value = wordsOrOperandOf(item);
    if (value) operation.in.push_back(value);
    return bool(value);
  }

  /// Returns a literal, or the value of an operand that is a constant.
  std::optional<int64_t> constantOf(StringRef item) {
    int64_t literal = 0;
    if (!item.getAsInteger(10, literal)) return literal;
    APInt value;
    Value operand = operandOf(item);
    if (operand && matchPattern(operand, m_ConstantInt(&value))) return value.getSExtValue();
    return std::nullopt;
  }

  /// Returns a literal, or a predicate that a preceding setp has set.
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

  bool isOfIntegers() const { return operation.op.d == simt::ElementType::kS32; }

  bool parseFlags() {
    simt::WarpOp& op = operation.op;
    if (isOfIntegers()) return wgmma.operands.size() == 4;
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

  /// Returns the line that an attribute of the operation holds; 0 without the attribute.
  uint32_t lineOf(StringRef attribute) {
    auto line = assembly->getAttrOfType<IntegerAttr>(attribute);
    return line ? static_cast<uint32_t>(line.getInt()) : 0;
  }

  SimtEmitter& emit;
  LLVM::InlineAsmOp assembly;
  ArrayRef<PtxInstruction> instructions;
  const PtxInstruction& wgmma;
  SmallVector<Type> parts;
  WarpOperation operation;
};

/// Replaces the emitter's llvm.inline_asm, whose text contains `wgmma` with A by descriptor or in registers. Its
/// results are D, tied to the first operands as MLIR writes it. Fails with a diagnostic for other forms.
LogicalResult replaceWgmma(SimtEmitter& emit, ArrayRef<PtxInstruction> instructions, const PtxInstruction& wgmma) {
  std::optional<WarpOperation> operation = WgmmaParser(emit, instructions, wgmma).parse();
  if (!operation) return emit.unsupported("inline PTX '" + Twine(wgmma.mnemonic) + "' in this form");
  return replaceByParts(emit, emitWarpOperation(emit, *operation));
}

/// Replaces the emitter's llvm.inline_asm, which is a `wgmma.wait_group` that passes accumulators through: its results
/// are its operands, tied in order. Fails with a diagnostic for other forms.
LogicalResult replaceWgmmaWait(SimtEmitter& emit, const PtxInstruction& wait) {
  auto assembly = cast<LLVM::InlineAsmOp>(emit.op);
  SmallVector<Type> parts = partsOf(emit.op->getNumResults() == 1 ? emit.op->getResult(0).getType() : Type());
  SmallVector<Value> values(assembly.getOperands());
  SmallVector<StringRef> constraints;
  assembly.getConstraints().split(constraints, ',');
  uint32_t groups = 0;
  bool isTied = wait.operands.size() == 1 && !wait.operands[0].items.front().getAsInteger(10, groups) &&
                llvm::equal(ValueRange(values).getTypes(), parts) && constraints.size() == 2 * parts.size();
  for (size_t i = 0; isTied && i < parts.size(); ++i) {
    size_t tied = 0;
    isTied = !constraints[parts.size() + i].getAsInteger(10, tied) && tied == i;
  }
  if (!isTied) return emit.unsupported("inline PTX '" + Twine(wait.mnemonic) + "' in this form");
  NVVM::WgmmaWaitGroupSyncOp::create(emit.builder, groups);
  return replaceByParts(emit, values);
}

constexpr llvm::StringLiteral kWgmma = "wgmma.mma_async.";
constexpr llvm::StringLiteral kWgmmaWait = "wgmma.wait_group.sync.aligned";

/// One inline PTX operation of either dialect, with its operands (without results) in the order of their placeholders.
class InlinePtx {
 public:
  InlinePtx(SimtEmitter& emit, StringRef text, ValueRange args, Value predicate)
      : emit(emit),
        builder(emit.builder),
        args(args.begin(), args.end()),
        predicate(predicate),
        instructions(parsePtx(text)) {}

  LogicalResult raise() {
    for (const PtxInstruction& instruction : instructions)
      if (instruction.mnemonic.starts_with(kWgmma) && isa<LLVM::InlineAsmOp>(emit.op))
        return replaceWgmma(emit, instructions, instruction);
    if (instructions.size() == 1 && instructions.front().mnemonic == kWgmmaWait && isa<LLVM::InlineAsmOp>(emit.op))
      return replaceWgmmaWait(emit, instructions.front());
    if (instructions.empty()) return emit.unsupported("empty inline PTX");
    const PtxInstruction& first = instructions.front();
    // Results would have placeholders of their own.
    if (emit.op->getNumResults() != 0 || !takeGuard(first) || !(raiseLoop() || raiseSingle(first)))
      return emit.unsupported("inline PTX '" + Twine(interesting().mnemonic) + "'");
    return emit.erase();
  }

 private:
  /// Returns the instruction to show in a diagnostic.
  const PtxInstruction& interesting() {
    for (const PtxInstruction& instruction : instructions)
      if (instruction.mnemonic.contains('.') && !instruction.mnemonic.starts_with("setp")) return instruction;
    return instructions.front();
  }

  /// Takes the predicate of `first`, which must be the last operand.
  bool takeGuard(const PtxInstruction& first) {
    if (!first.guard) return true;
    if (*first.guard + 1 != args.size() || predicate) return false;
    predicate = args.pop_back_val();
    return true;
  }

  /// Raises the loop that nvvm.mbarrier.try_wait.parity is lowered to.
  bool raiseLoop() {
    bool loops = llvm::any_of(instructions, [](const PtxInstruction& instruction) {
      return instruction.mnemonic == "bra" || instruction.mnemonic == "bra.uni";
    });
    if (!loops || args.size() != 3 || !instructions.front().mnemonic.starts_with("mbarrier.try_wait.parity."))
      return false;
    NVVM::MBarrierTryWaitParityOp::create(builder, pointer(0), args[1], args[2]);
    return true;
  }

  bool raiseSingle(const PtxInstruction& instruction) {
    StringRef name = instruction.mnemonic;
    if (instructions.size() != 1) return false;
    if (name.starts_with("mbarrier.init.") && args.size() == 2)
      NVVM::MBarrierInitOp::create(builder, pointer(0), args[1], predicate);
    else if (name.starts_with("mbarrier.arrive.expect_tx.") && args.size() == 2)
      NVVM::MBarrierArriveExpectTxOp::create(builder, Type(), pointer(0), args[1], NVVM::MemScopeKind::CTA, false,
                                             predicate);
    else if (name == "bar.arrive" && !predicate && args.size() == instruction.operands.size())
      NVVM::BarrierArriveOp::create(builder, args[0], args[1]);
    else if (name == "bar.arrive" && !predicate && args.size() == 1)
      NVVM::BarrierArriveOp::create(builder, Value(), args[0]);
    else if (name == "prefetch.tensormap")
      return true;
    else
      return raiseVectorAddition(instruction) || raiseTensorCopy(name);
    return true;
  }

  /// Raises red.relaxed.gpu.global.add.v<2 or 4>.f32 [address], {floats}, which updates each float on its own.
  bool raiseVectorAddition(const PtxInstruction& instruction) {
    StringRef name = instruction.mnemonic;
    unsigned count = 0;
    if (!name.consume_front("red.relaxed.gpu.global.add.v") || name.consumeInteger(10, count) || name != ".f32" ||
        (count != 2 && count != 4) || predicate || args.size() != count + 1 || !isInOrder(instruction, count) ||
        !llvm::all_of(llvm::drop_begin(args), [](Value value) { return value.getType().isF32(); }))
      return false;
    Value vector = LLVM::PoisonOp::create(builder, VectorType::get(count, builder.getF32Type()));
    for (unsigned i = 0; i < count; ++i)
      vector = LLVM::InsertElementOp::create(builder, vector, args[i + 1], emit.i32(i));
    auto addition = LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::fadd, pointer(0), vector,
                                              LLVM::AtomicOrdering::monotonic, "device", /*alignment=*/4 * count);
    addition->setAttr(kByElementAttrName, builder.getUnitAttr());
    return true;
  }

  /// True if the operands are "[$0], {$1, $2, ...}" with `count` values.
  static bool isInOrder(const PtxInstruction& instruction, unsigned count) {
    if (instruction.operands.size() != 2) return false;
    const PtxOperand &address = instruction.operands[0], &values = instruction.operands[1];
    if (address.items.size() != 1 || !values.braces || values.items.size() != count) return false;
    StringRef register0 = address.items[0];
    if (!register0.consume_front("[") || !register0.consume_back("]") || placeholderNumber(register0) != 0u)
      return false;
    for (auto [i, item] : llvm::enumerate(values.items))
      if (placeholderNumber(item) != i + 1) return false;
    return true;
  }

  /// Raises cp.async.bulk.tensor.<rank>d, load or store.
  bool raiseTensorCopy(StringRef name) {
    unsigned rank = 0;
    if (!name.consume_front("cp.async.bulk.tensor.") || name.consumeInteger(10, rank)) return false;
    auto coordinates = [&] { return ArrayRef(args).slice(2, rank); };
    if (name == "d.shared::cluster.global.mbarrier::complete_tx::bytes" && args.size() == rank + 3) {
      NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
          builder, pointer(0), pointer(1), coordinates(), pointer(rank + 2), ValueRange(), Value(), Value(),
          NVVM::TMALoadMode::TILE, false, NVVM::CTAGroupKindAttr(), predicate);
      return true;
    }
    if (name == "d.global.shared::cta.bulk_group" && args.size() == rank + 2) {
      NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(builder, pointer(0), pointer(1), coordinates(), Value(),
                                                         NVVM::TMAStoreMode::TILE, predicate);
      return true;
    }
    return false;
  }

  /// Returns an operand as a pointer; a 32-bit register holds an address in shared memory.
  Value pointer(size_t index) {
    Value value = args[index];
    if (isa<LLVM::LLVMPointerType>(value.getType())) return value;
    unsigned space = value.getType().isInteger(32) ? kSharedAddressSpace : 0;
    auto type = LLVM::LLVMPointerType::get(builder.getContext(), space);
    return LLVM::IntToPtrOp::create(builder, type, value);
  }

  SimtEmitter& emit;
  ImplicitLocOpBuilder& builder;
  SmallVector<Value> args;
  Value predicate;
  SmallVector<PtxInstruction> instructions;
};

}  // namespace

LogicalResult raiseInlinePtx(SimtFunction& function) {
  SmallVector<Operation*> ops;
  function.op().getBody().walk([&](Operation* op) {
    if (isa<LLVM::InlineAsmOp, NVVM::InlinePtxOp>(op)) ops.push_back(op);
  });
  LogicalResult result = success();
  for (Operation* op : ops) {
    SimtEmitter emit(op, function);
    LogicalResult raised = success();
    if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op)) {
      raised = InlinePtx(emit, assembly.getAsmString(), assembly.getOperands(), Value()).raise();
    } else {
      auto ptx = cast<NVVM::InlinePtxOp>(op);
      if (!ptx.getReadWriteArgs().empty())
        raised = emit.unsupported("nvvm.inline_ptx that writes its operands");
      else
        raised = InlinePtx(emit, ptx.getPtxCode(), ptx.getReadOnlyArgs(), ptx.getPredicate()).raise();
    }
    if (failed(raised)) result = failure();
  }
  return result;
}

}  // namespace mmtune
