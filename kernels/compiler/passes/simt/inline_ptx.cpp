// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/ptx_text.h"
#include "kernels/compiler/passes/simt/rewriting.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr llvm::StringLiteral kWgmma = "wgmma.mma_async.";

/// One inline PTX operation of either dialect: its operands in the order of their placeholders, as
/// far as those are no results.
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
    if (instructions.empty()) return emit.unsupported("empty inline PTX");
    const PtxInstruction& first = instructions.front();
    // Results would have placeholders of their own.
    if (emit.op->getNumResults() != 0 || !takeGuard(first) || !(raiseLoop() || raiseSingle(first)))
      return emit.unsupported("inline PTX '" + Twine(interesting().mnemonic) + "'");
    return emit.erase();
  }

 private:
  /// The instruction that a message should show.
  const PtxInstruction& interesting() {
    for (const PtxInstruction& instruction : instructions)
      if (instruction.mnemonic.contains('.') && !instruction.mnemonic.starts_with("setp")) return instruction;
    return instructions.front();
  }

  /// The guard is the last operand.
  bool takeGuard(const PtxInstruction& first) {
    if (!first.guard) return true;
    if (*first.guard + 1 != args.size() || predicate) return false;
    predicate = args.pop_back_val();
    return true;
  }

  /// The loop that nvvm.mbarrier.try_wait.parity is.
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

  /// red.relaxed.gpu.global.add.v<2 or 4>.f32 [address], {floats}, which updates each float on its own.
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

  /// Whether it is written as "[$0], {$1, $2, ...}", with so many values.
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

  /// cp.async.bulk.tensor.<rank>d, load or store.
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

  /// An address in a register of 32 bits is of shared memory.
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
