// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, calls and returns, barriers of blocks, fences.
#include "kernels/simulator/ptx/function_lowering.h"
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/short_forms.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;

Block* labelOf(Emitter& e, const std::string& name) {
  Block* block = e.function().labelNamed(name, e.source().scope);
  if (!block) e.fail("there is no label '" + Twine(name) + "' here");
  return block;
}

void branch(Emitter& e) {
  if (!e.expectOperands(1)) return;
  const Operand& label = e.operand(0);
  if (label.kind != Operand::Kind::kName || label.negated || label.offset != 0)
    return e.fail("a branch takes the name of a label");
  if (Block* target = labelOf(e, e.operand(0).name)) LLVM::BrOp::create(e.b, target);
}

/// `brx.idx index, targets`: an index beyond the list is undefined, and traps here.
void indexedBranch(Emitter& e) {
  if (!e.expectOperands(2)) return;
  const std::vector<std::string>* targets = e.function().branchTargets(e.operand(1).name, e.source().scope);
  if (!targets) return e.fail("'" + Twine(e.operand(1).name) + "' is no list of .branchtargets");
  SmallVector<int32_t> indices;
  SmallVector<Block*> blocks;
  for (const std::string& target : *targets) {
    Block* block = labelOf(e, target);
    if (!block) return;
    indices.push_back(static_cast<int32_t>(blocks.size()));
    blocks.push_back(block);
  }
  Value index = e.read(0, u32());
  Block* here = e.b.getBlock();
  Block* beyond = e.b.createBlock(here->getParent());
  LLVM::Trap::create(e.b);
  LLVM::UnreachableOp::create(e.b);
  e.b.setInsertionPointToEnd(here);
  LLVM::SwitchOp::create(e.b, index, beyond, ValueRange(), indices, blocks,
                         SmallVector<ValueRange>(blocks.size(), ValueRange()));
}

void returnFromFunction(Emitter& e) {
  e.expectOperands(0);
  e.function().emitReturn(e.b);
}

void exitThread(Emitter& e) {
  e.expectOperands(0);
  if (!e.function().ast().isKernel) return e.fail("exit in a function that is no kernel is not supported");
  e.function().emitReturn(e.b);
}

void trap(Emitter& e) {
  if (!e.expectOperands(0)) return;
  LLVM::Trap::create(e.b);
  LLVM::UnreachableOp::create(e.b);
}

/// Fails unless an argument or result in .param space is as large as the callee declares it.
void checkSize(Emitter& e, const Variable& given, const Variable& declared) {
  if (bytesOf(given) == bytesOf(declared)) return;
  e.fail("'" + Twine(given.name) + "' has " + Twine(bytesOf(given)) + " bytes, and '" + declared.name + "' has " +
         Twine(bytesOf(declared)));
}

/// Reads an argument of a call: a variable in .param space, or a register or number.
Value readArgument(Emitter& e, const Operand& operand, const Variable& parameter, Type type) {
  if (auto memory = e.function().memoryNamed(operand.name, e.source().scope, e.b);
      memory && memory->variable->space == Space::kParameter) {
    checkSize(e, *memory->variable, parameter);
    if (!isa<LLVM::LLVMPointerType>(type)) return LLVM::LoadOp::create(e.b, type, memory->pointer, /*alignment=*/1);
    Value address = LLVM::LoadOp::create(e.b, e.b.getI64Type(), memory->pointer, /*alignment=*/1);
    return e.pointerTo(address, kGeneric);
  }
  auto integer = dyn_cast<IntegerType>(type);
  std::optional<ScalarType> scalar;
  if (integer) scalar = findType(("b" + Twine(integer.getWidth())).str());
  if (scalar) return e.read(operand, *scalar);
  e.fail("'" + Twine(operand.name) + "' is no variable in .param space");
  return e.zero(type);
}

/// `call [(result),] function[, (arguments)]`
void call(Emitter& e) {
  if (!e.expectOperands(1, 3)) return;
  const bool hasResult = e.operand(0).kind == Operand::Kind::kList;
  const size_t nameAt = hasResult ? 1 : 0;
  const Operand& name = e.operand(nameAt);
  const Function* callee = e.function().moduleLowering().function(name.name);
  if (!callee) return e.fail("'" + Twine(name.name) + "' is no function; indirect calls are not supported");
  ArrayRef<Operand> given;
  if (nameAt + 1 < e.operandCount()) given = e.items(nameAt + 1);
  LLVM::LLVMFunctionType type = e.function().moduleLowering().typeOf(*callee);
  if (callee->isKernel) return e.fail("'" + Twine(name.name) + "' is a kernel (.entry), which cannot be called");
  if (given.size() != type.getNumParams() || hasResult != !callee->results.empty() || nameAt + 2 < e.operandCount())
    return e.fail("the arguments or results of the call do not match the declaration of '" + Twine(name.name) + "'");
  SmallVector<Value> arguments;
  for (auto [operand, parameter, argument] : llvm::zip_equal(given, callee->parameters, type.getParams()))
    arguments.push_back(readArgument(e, operand, parameter, argument));
  auto called = LLVM::CallOp::create(e.b, type, callee->name, arguments);
  if (!hasResult) return;
  const Operand& result = e.operand(0).items.empty() ? e.operand(0) : e.operand(0).items.front();
  if (auto memory = e.function().memoryNamed(result.name, e.source().scope, e.b)) {
    checkSize(e, *memory->variable, callee->results.front());
    LLVM::StoreOp::create(e.b, called.getResult(), memory->pointer, /*alignment=*/1);
    return;
  }
  auto integer = dyn_cast<IntegerType>(called.getResult().getType());
  std::optional<ScalarType> scalar;
  if (integer) scalar = findType(("b" + Twine(integer.getWidth())).str());
  if (!scalar) return e.fail("'" + Twine(result.name) + "' is no variable in .param space");
  e.write(result, called.getResult(), *scalar);
}

/// Checks the literals among the operands of a barrier: its number and the number of threads, if there is one.
void checkBarrier(Emitter& e, size_t number, bool hasThreads) {
  e.expectRange(number, 0, 15);
  if (hasThreads) e.expectRange(number + 1, 0, 4096, 32);
}

void barrier(Emitter& e) {
  if (!e.expectOperands(1, 2)) return;
  checkBarrier(e, 0, e.operandCount() == 2);
  Value none;
  Value id = e.read(0, u32());
  Value threads = e.operandCount() == 2 ? e.read(1, u32()) : none;
  NVVM::BarrierOp::create(e.b, TypeRange(), id, threads, NVVM::BarrierReductionAttr(), none);
}

void barrierArrive(Emitter& e) {
  if (!e.expectOperands(2)) return;
  checkBarrier(e, 0, true);
  NVVM::BarrierArriveOp::create(e.b, e.read(0, u32()), e.read(1, u32()));
}

/// `bar.red.{popc,and,or} d, barrier[, threads], predicate`
void barrierReduce(Emitter& e) {
  if (!e.expectOperands(3, 4)) return;
  checkBarrier(e, 1, e.operandCount() == 4);
  Value threads = e.operandCount() == 4 ? e.read(2, u32()) : Value();
  Type word = e.b.getI32Type();
  Value predicate = LLVM::ZExtOp::create(e.b, word, e.readPredicate(e.operandCount() - 1));
  auto kind = e.has("popc")  ? NVVM::BarrierReduction::POPC
              : e.has("and") ? NVVM::BarrierReduction::AND
                             : NVVM::BarrierReduction::OR;
  auto reduced = NVVM::BarrierOp::create(e.b, word, e.read(1, u32()), threads,
                                         NVVM::BarrierReductionAttr::get(e.context(), kind), predicate);
  Value result = reduced.getRes();
  if (e.has("popc")) return e.write(0, result, u32());
  e.write(0, LLVM::ICmpOp::create(e.b, LLVM::ICmpPredicate::ne, result, e.integer(0)), typeNamed("pred"));
}

void warpBarrier(Emitter& e) {
  if (e.expectOperands(1)) NVVM::SyncWarpOp::create(e.b, e.read(0, b32()));
}

void fence(Emitter& e) {
  e.expectOperands(0);
  NVVM::MembarOp::create(e.b, e.has("cta") ? NVVM::MemScopeKind::CTA : NVVM::MemScopeKind::SYS);
}

void asyncProxyFence(Emitter& e) {
  if (e.expectOperands(0)) NVVM::FenceProxyOp::create(e.b, NVVM::ProxyKind::async, NVVM::SharedSpaceAttr());
}

void barrierInitFence(Emitter& e) {
  if (e.expectOperands(0)) NVVM::FenceMbarrierInitOp::create(e.b);
}

void clusterArrive(Emitter& e) {
  if (!e.expectOperands(0)) return;
  if (e.has("relaxed")) {
    NVVM::ClusterArriveRelaxedOp::create(e.b, UnitAttr());
  } else {
    NVVM::ClusterArriveOp::create(e.b, UnitAttr());
  }
}

void clusterWait(Emitter& e) {
  if (e.expectOperands(0)) NVVM::ClusterWaitOp::create(e.b, UnitAttr());
}

void setMaxRegisters(Emitter& e) {
  if (!e.expectOperands(1)) return;
  const uint64_t registers = e.literal(0);
  if (registers < 24 || registers > 256 || registers % 8 != 0)
    return e.fail("setmaxnreg takes a multiple of 8 from 24 to 256");
  auto action = e.has("inc") ? NVVM::SetMaxRegisterAction::increase : NVVM::SetMaxRegisterAction::decrease;
  NVVM::SetMaxRegisterOp::create(e.b, static_cast<uint32_t>(registers), action);
}

void sleep(Emitter& e) {
  if (e.expectOperands(1)) NVVM::NanosleepOp::create(e.b, e.read(0, u32()));
}

constexpr Operation kOperations[] = {
    {"bra[.uni]", branch},
    {"brx.idx[.uni]", indexedBranch},
    {"call[.uni]", call},
    {"ret[.uni]", returnFromFunction},
    {"exit", exitThread},
    {"trap", trap},
    {"brkpt", trap},

    {"bar[.cta].sync", barrier},
    {"bar[.cta].arrive", barrierArrive},
    {"bar[.cta].red.popc.u32", barrierReduce},
    {"bar[.cta].red.{and,or}.pred", barrierReduce},
    {"bar.warp.sync", warpBarrier},
    {"barrier[.cta].sync[.aligned]", barrier},
    {"barrier[.cta].arrive[.aligned]", barrierArrive},
    {"barrier[.cta].red.popc[.aligned].u32", barrierReduce},
    {"barrier[.cta].red.{and,or}[.aligned].pred", barrierReduce},
    {"barrier.cluster.arrive[.{release,relaxed}][.aligned]", clusterArrive},
    {"barrier.cluster.wait[.acquire][.aligned]", clusterWait},

    {"membar.{cta,gl,sys}", fence},
    {"fence[.{sc,acq_rel,acquire,release}].{cta,cluster,gpu,sys}", fence},
    {"fence.acquire.sync_restrict::shared::cluster.cluster", fence},
    {"fence.release.sync_restrict::shared::cta.cluster", fence},
    {"fence.proxy.async[.{global,shared::cta,shared::cluster}]", asyncProxyFence},
    {"fence.mbarrier_init.release.cluster", barrierInitFence},

    {"nanosleep.u32", sleep},
    {"griddepcontrol.{wait,launch_dependents}", lowerNothing<0>},
    {"setmaxnreg.{inc,dec}.sync.aligned.u32", setMaxRegisters},
    {"pmevent[.mask]", lowerNothing<1>},
};

}  // namespace

ArrayRef<Operation> controlOperations() { return kOperations; }

}  // namespace mmtune::ptx
