// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/function_lowering.h"

#include "kernels/compiler/passes/simt/module_tables.h"
#include "kernels/simulator/ptx/declarations.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace mmtune::ptx {

FunctionLowering::FunctionLowering(ModuleLowering& module, const Function& function, LLVM::LLVMFuncOp into)
    : module(module), function(function), into(into), builder(into.getLoc(), into.getContext()) {}

void FunctionLowering::fail(Position at, const Twine& message) {
  if (status.ok()) status = module.source().error(at, message.str());
}

absl::Status FunctionLowering::run() {
  Block* entry = into.addEntryBlock(builder);
  body = builder.createBlock(&into.getBody());
  builder.setInsertionPointToEnd(entry);
  LLVM::BrOp::create(builder, body);
  bindParameters();
  createBlocks();
  misuses = findWgmmaMisuses(function);
  guesses = findSwapGuesses(function);
  builder.setInsertionPointToEnd(body);
  for (size_t i = 0; i < function.instructions.size() && status.ok(); ++i) {
    if (auto next = blocks.find(i); next != blocks.end()) {
      if (!builder.getBlock()->mightHaveTerminator()) LLVM::BrOp::create(builder, next->second);
      builder.setInsertionPointToEnd(next->second);
    } else if (builder.getBlock()->mightHaveTerminator()) {
      builder.createBlock(&into.getBody());  // Nothing leads here; it is erased below.
    }
    lower(function.instructions[i]);
  }
  if (!status.ok()) return status;
  if (auto last = blocks.find(function.instructions.size()); last != blocks.end()) {
    if (!builder.getBlock()->mightHaveTerminator()) LLVM::BrOp::create(builder, last->second);
    builder.setInsertionPointToEnd(last->second);
  }
  if (!builder.getBlock()->mightHaveTerminator()) emitReturn(builder);
  IRRewriter rewriter(into.getContext());
  (void)eraseUnreachableBlocks(rewriter, into->getRegions());
  eraseUnreadRegisters();
  return status;
}

void FunctionLowering::eraseUnreadRegisters() {
  for (auto& [key, reg] : registers) {
    if (!reg.slot || !llvm::all_of(reg.slot.getUsers(), llvm::IsaPred<LLVM::StoreOp>)) continue;
    for (::mlir::Operation* store : llvm::make_early_inc_range(reg.slot.getUsers())) store->erase();
    reg.slot.getDefiningOp()->erase();
  }
}

WgmmaMisuse FunctionLowering::misuseOf(const Instruction& instruction) const {
  auto found = misuses.find(indexOf(instruction));
  return found == misuses.end() ? WgmmaMisuse() : found->second;
}

ImplicitLocOpBuilder FunctionLowering::atEntry() {
  ImplicitLocOpBuilder b(into.getLoc(), into.getContext());
  b.setInsertionPoint(into.getBody().front().getTerminator());
  return b;
}

Value FunctionLowering::createSlot(Type type, uint64_t count, uint64_t alignment) {
  ImplicitLocOpBuilder b = atEntry();
  Value size = LLVM::ConstantOp::create(b, b.getI64Type(), b.getI64IntegerAttr(static_cast<int64_t>(count)));
  return LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), type, size,
                                static_cast<unsigned>(alignment));
}

void FunctionLowering::bindParameters() {
  ImplicitLocOpBuilder b = atEntry();
  for (const auto& [i, parameter] : llvm::enumerate(function.parameters)) {
    Value argument = into.getArgument(i);
    if (function.isKernel) {
      parameters[parameter.name] = {argument, &parameter};
      continue;
    }
    Value slot = createSlot(b.getI8Type(), bytesOf(parameter), 16);
    LLVM::StoreOp::create(b, argument, slot, /*alignment=*/1);
    parameters[parameter.name] = {slot, &parameter};
  }
  for (const Variable& result : function.results)
    parameters[result.name] = {createSlot(b.getI8Type(), bytesOf(result), 16), &result};
}

void FunctionLowering::createBlocks() {
  for (const Scope& scope : function.scopes)
    for (const auto& [name, index] : scope.labels)
      if (Block*& block = blocks[index]; !block) {
        block = new Block;
        into.getBody().push_back(block);
      }
}

void FunctionLowering::lower(const Instruction& instruction) {
  SmallVector<StringRef> parts;
  StringRef(instruction.opcode).split(parts, '.');
  std::string why;
  const Operation* operation = findOperation(parts, why);
  if (!operation) return fail(instruction.at, why);
  why = module.unmetRequirement(instruction.opcode, instruction.operands.size());
  if (!why.empty()) return fail(instruction.at, why);
  builder.setLoc(withInstruction(module.location(instruction.at, instruction.source), instruction.opcode));
  InstructionEmitter emit(*this, instruction, parts, builder);
  if (!instruction.guard) return operation->lower(emit);

  Operand guard;
  guard.name = instruction.guard->predicate;
  guard.negated = instruction.guard->negated;
  Value predicate = emit.read(guard, typeNamed("pred"));
  Block* guarded = new Block;
  Block* after = new Block;
  into.getBody().push_back(guarded);
  into.getBody().push_back(after);
  dominators[guarded] = dominators[after] = builder.getBlock();
  LLVM::CondBrOp::create(builder, predicate, guarded, after);
  builder.setInsertionPointToEnd(guarded);
  operation->lower(emit);
  if (!builder.getBlock()->mightHaveTerminator()) LLVM::BrOp::create(builder, after);
  builder.setInsertionPointToEnd(after);
}

FunctionLowering::Register* FunctionLowering::registerNamed(StringRef name, size_t scope) {
  const std::string key = name.str();
  for (std::optional<size_t> at = scope; at; at = function.scopes[*at].parent) {
    const Scope& names = function.scopes[*at];
    if (auto known = registers.find({*at, key}); known != registers.end()) return &known->second;
    const auto found = names.registers.find(key);
    const std::string* type = found != names.registers.end() ? &found->second : numberedRegister(names, key);
    if (!type) continue;
    const ScalarType known = typeNamed(*type);
    Register& reg = registers[{*at, key}];
    reg.type = known;
    // An unwritten register is NaN in every type, so that its use shows.
    Type word = builder.getIntegerType(known.bits());
    reg.slot = createSlot(word, 1, 0);
    ImplicitLocOpBuilder b = atEntry();
    const bool ones = !known.isPredicate();
    auto value = IntegerAttr::get(word, ones ? APInt::getAllOnes(known.bits()) : APInt::getZero(known.bits()));
    LLVM::StoreOp::create(b, LLVM::ConstantOp::create(b, word, value), reg.slot);
    return &reg;
  }
  return nullptr;
}

Value FunctionLowering::valueOf(Register& reg) {
  for (Block* at = builder.getBlock(); at; at = dominators.lookup(at))
    if (at == reg.block) return reg.last;
  reg.last = LLVM::LoadOp::create(builder, builder.getIntegerType(reg.type.bits()), reg.slot);
  reg.block = builder.getBlock();
  return reg.last;
}

void FunctionLowering::assign(Register& reg, Value bits) {
  LLVM::StoreOp::create(builder, bits, reg.slot);
  reg.last = bits;
  reg.block = builder.getBlock();
}

Block* FunctionLowering::labelNamed(StringRef name, size_t scope) {
  for (std::optional<size_t> at = scope; at; at = function.scopes[*at].parent) {
    auto found = function.scopes[*at].labels.find(name.str());
    if (found != function.scopes[*at].labels.end()) return blocks[found->second];
  }
  return nullptr;
}

const std::vector<std::string>* FunctionLowering::branchTargets(StringRef name, size_t scope) const {
  for (std::optional<size_t> at = scope; at; at = function.scopes[*at].parent) {
    auto found = function.scopes[*at].branchTargets.find(name.str());
    if (found != function.scopes[*at].branchTargets.end()) return &found->second;
  }
  return nullptr;
}

std::optional<FunctionLowering::Memory> FunctionLowering::memoryNamed(StringRef name, size_t scope,
                                                                      ImplicitLocOpBuilder& b) {
  const std::string key = name.str();
  auto addressOf = [&](LLVM::GlobalOp global) -> Value { return LLVM::AddressOfOp::create(b, global); };
  for (std::optional<size_t> at = scope; at; at = function.scopes[*at].parent) {
    auto found = function.scopes[*at].variables.find(key);
    if (found == function.scopes[*at].variables.end()) continue;
    const Variable& variable = found->second;
    Memory& memory = locals[{*at, key}];
    const bool isLocal = variable.space == Space::kLocal || variable.space == Space::kParameter;
    if (!memory.variable) {
      memory.variable = &variable;
      if (isLocal)
        memory.pointer = createSlot(b.getI8Type(), bytesOf(variable), std::max<uint64_t>(variable.alignment, 16));
    }
    if (isLocal) return memory;
    // All globals of a module share one name space, so the name of a function's variable starts with the function's
    // name.
    const std::string unique = (Twine(function.name) + "." + Twine(*at) + "." + key).str();
    LLVM::GlobalOp global = module.global(unique);
    if (!global) {
      Variable renamed = variable;
      renamed.name = unique;
      absl::StatusOr<LLVM::GlobalOp> created = module.createGlobal(renamed);
      if (!created.ok()) {
        if (status.ok()) status = created.status();
        return std::nullopt;
      }
      global = *created;
    }
    return Memory{addressOf(global), &variable};
  }
  if (auto found = parameters.find(key); found != parameters.end()) return found->second;
  if (LLVM::GlobalOp global = module.global(name))
    if (const Variable* variable = module.variable(name)) return Memory{addressOf(global), variable};
  return std::nullopt;
}

Value FunctionLowering::addressOf(const Memory& memory) {
  if (!function.isKernel || !isa<BlockArgument>(memory.pointer)) return memory.pointer;
  Value& copy = copies[memory.variable];
  if (copy) return copy;
  const uint64_t bytes = bytesOf(*memory.variable);
  copy = createSlot(builder.getI8Type(), bytes, std::max<uint64_t>(memory.variable->alignment, 16));
  ImplicitLocOpBuilder b = atEntry();
  Value length = LLVM::ConstantOp::create(b, b.getI64Type(), b.getI64IntegerAttr(static_cast<int64_t>(bytes)));
  LLVM::MemcpyOp::create(b, copy, memory.pointer, length, /*isVolatile=*/false);
  return copy;
}

Value FunctionLowering::carrySlot() {
  if (carry) return carry;
  carry = createSlot(builder.getI1Type(), 1, 0);
  ImplicitLocOpBuilder b = atEntry();
  LLVM::StoreOp::create(b, LLVM::ConstantOp::create(b, b.getI1Type(), b.getBoolAttr(false)), carry);
  return carry;
}

void FunctionLowering::emitReturn(ImplicitLocOpBuilder& b) {
  if (function.results.empty()) {
    LLVM::ReturnOp::create(b, ValueRange());
    return;
  }
  Type type = into.getFunctionType().getReturnType();
  Value result = LLVM::LoadOp::create(b, type, parameters[function.results.front().name].pointer, /*alignment=*/1);
  LLVM::ReturnOp::create(b, ValueRange(result));
}

}  // namespace mmtune::ptx
