// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/call_facts.h"

#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

bool isMutableGlobal(Value root) {
  auto use = root.getDefiningOp<memref::GetGlobalOp>();
  if (!use) return false;
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(use, use.getNameAttr());
  return !global || !global.getConstant();
}

bool isFunctionArgument(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()) && argument.getOwner()->isEntryBlock();
}

/// True for values that are the same buffer only if they are the same value, or of one global.
bool hasItsOwnName(Value root) {
  return isFunctionArgument(root) ||
         isa_and_nonnull<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(root.getDefiningOp());
}

/// False for a result of control flow or of a function that may return its argument.
bool isSeparate(Value root) { return hasItsOwnName(root) || isFreshResult(root); }

bool isMemref(Value value) { return isa<BaseMemRefType>(value.getType()); }

/// Finds the arguments of private functions that the function, or one that it passes them to, may do more with than
/// read. Created before any of them are replaced.
class WrittenArguments {
 public:
  WrittenArguments(ModuleOp module, const PrivateCalls& calls) {
    SymbolTable symbols(module);
    for (auto function : module.getOps<func::FuncOp>())
      if (!calls.of(function).empty()) findIn(function, calls, symbols);
    while (!waiting.empty())
      for (Value passed : passedTo.lookup(waiting.pop_back_val())) add(passed);
  }

  bool contains(BlockArgument argument) const { return written.contains(argument); }

 private:
  void add(Value argument) {
    if (written.insert(argument).second) waiting.push_back(argument);
  }

  void findIn(func::FuncOp function, const PrivateCalls& calls, const SymbolTable& symbols) {
    HostBuffers buffers(function);
    for (BlockArgument argument : function.getArguments()) {
      HostBuffer* buffer = buffers.find(argument);
      if (!buffer) continue;
      if (buffer->deviceWrites() || !buffer->returnUses.empty() || !buffer->deallocs.empty() ||
          !buffer->registrations.empty())
        add(argument);
      for (OpOperand* use : buffer->hostUses) {
        auto call = dyn_cast<func::CallOp>(use->getOwner());
        auto callee = call ? symbols.lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
        std::optional<BufferAccess> access = hostAccess(*use);
        if (callee && !calls.of(callee).empty()) {
          passedTo[callee.getArgument(use->getOperandNumber())].push_back(argument);
        } else if (!access || access->writes) {
          add(argument);
        }
      }
    }
  }

  llvm::DenseSet<Value> written;
  llvm::DenseMap<Value, SmallVector<Value>> passedTo;  ///< Keyed by the argument of the callee.
  SmallVector<Value> waiting;
};

/// Returns the constant that every call passes as an argument; null if there is none.
memref::GetGlobalOp constantOfArgument(BlockArgument argument, ArrayRef<func::CallOp> calls) {
  memref::GetGlobalOp global;
  for (func::CallOp call : calls) {
    Value given = call.getOperand(argument.getArgNumber());
    if (given == argument) continue;  // A recursive call.
    if (!isConstantGlobal(given)) return nullptr;
    auto other = given.getDefiningOp<memref::GetGlobalOp>();
    if (global && global.getName() != other.getName()) return nullptr;
    global = other;
  }
  return global;
}

void eraseOperand(func::CallOp call, unsigned index) {
  call->eraseOperand(index);
  ArrayAttr attributes = call.getArgAttrsAttr();
  if (!attributes || index >= attributes.size()) return;  // The verifier does not check that there is one for each.
  SmallVector<Attribute> rest(attributes.getValue());
  rest.erase(rest.begin() + index);
  call.setArgAttrsAttr(ArrayAttr::get(call.getContext(), rest));
}

}  // namespace

PrivateCalls::PrivateCalls(ModuleOp module) {
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses) return;
  llvm::DenseMap<StringAttr, SmallVector<Operation*>> users;
  for (SymbolTable::SymbolUse use : *uses) users[use.getSymbolRef().getRootReference()].push_back(use.getUser());
  for (auto function : module.getOps<func::FuncOp>()) {
    const SmallVector<Operation*>& found = users[function.getSymNameAttr()];
    if (function.isExternal() || !function.isPrivate() || !llvm::all_of(found, llvm::IsaPred<func::CallOp>)) continue;
    for (Operation* user : found) calls[function].push_back(cast<func::CallOp>(user));
  }
}

bool isConstantGlobal(Value value) { return value.getDefiningOp<memref::GetGlobalOp>() && !isMutableGlobal(value); }

void propagateConstantArguments(ModuleOp module, const PrivateCalls& calls) {
  WrittenArguments written(module, calls);
  SymbolTable symbols(module);
  llvm::SetVector<Operation*> waiting;
  for (auto function : module.getOps<func::FuncOp>()) waiting.insert(function);
  while (!waiting.empty()) {
    auto function = cast<func::FuncOp>(waiting.pop_back_val());
    ArrayRef<func::CallOp> ofFunction = calls.of(function);
    for (unsigned index = ofFunction.empty() ? 0 : function.getNumArguments(); index-- > 0;) {
      BlockArgument argument = function.getArgument(index);
      memref::GetGlobalOp global = constantOfArgument(argument, ofFunction);
      if (!global || written.contains(argument)) continue;
      for (Operation* user : argument.getUsers())
        if (auto call = dyn_cast<func::CallOp>(user)) waiting.insert(symbols.lookup<func::FuncOp>(call.getCallee()));
      OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
      argument.replaceAllUsesWith(builder.clone(*global)->getResult(0));
      for (func::CallOp call : ofFunction) eraseOperand(call, index);
      (void)function.eraseArgument(index);
    }
  }
}

void mergeEqualArguments(ModuleOp module, const PrivateCalls& calls) {
  for (auto function : module.getOps<func::FuncOp>()) {
    ArrayRef<func::CallOp> ofFunction = calls.of(function);
    if (ofFunction.empty()) continue;
    for (BlockArgument argument : function.getArguments()) {
      auto isEqual = [&](BlockArgument other) {
        return argument.getType() == other.getType() && llvm::all_of(ofFunction, [&](func::CallOp call) {
                 return call.getOperand(argument.getArgNumber()) == call.getOperand(other.getArgNumber());
               });
      };
      if (!isMemref(argument)) continue;
      auto before = function.getArguments().take_front(argument.getArgNumber());
      if (const auto* first = llvm::find_if(before, isEqual); first != before.end())
        argument.replaceAllUsesWith(*first);
    }
  }
}

bool isFreshResult(Value root) {
  auto call = root.getDefiningOp<func::CallOp>();
  if (!call) return false;
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (!callee || callee.isExternal()) return false;
  unsigned index = cast<OpResult>(root).getResultNumber();
  return llvm::all_of(callee.getOps<func::ReturnOp>(), [&](func::ReturnOp exit) {
    SmallVector<Value> returned = bufferOrigins(exit.getOperand(index));
    auto isOther = [&](OpOperand& operand) {
      if (operand.getOperandNumber() == index || !isa<BaseMemRefType>(operand.get().getType())) return true;
      return llvm::all_of(bufferOrigins(operand.get()),
                          [&](Value other) { return !llvm::is_contained(returned, other) && hasItsOwnName(other); });
    };
    auto isAllocated = [](Value origin) { return origin.getDefiningOp<memref::AllocOp>() != nullptr; };
    return !returned.empty() && llvm::all_of(returned, isAllocated) && llvm::all_of(exit->getOpOperands(), isOther);
  });
}

CallFacts::CallFacts(ModuleOp module) {
  findTouching(module);
  findShared(module);
}

void CallFacts::findTouching(ModuleOp module) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto function : module.getOps<func::FuncOp>())
      if (!touching.contains(function) && spreadTouching(function)) changed = touching.insert(function).second;
  }
}

bool CallFacts::spreadTouching(func::FuncOp function) {
  WalkResult found = function.walk([&](Operation* op) {
    bool touches = isa<func::CallIndirectOp>(op);
    if (isa<memref::GetGlobalOp>(op)) touches = isMutableGlobal(op->getResult(0));
    if (auto call = dyn_cast<func::CallOp>(op))
      touches = touching.contains(symbols.lookupNearestSymbolFrom(call, call.getCalleeAttr().getAttr()));
    return touches ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

void CallFacts::findShared(ModuleOp module) {
  bool changed = true;
  while (changed) {
    changed = false;
    module.walk([&](func::CallOp call) {
      auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr().getAttr());
      if (callee && !callee.isExternal()) changed |= shareArguments(call, callee);
    });
  }
}

bool CallFacts::shareArguments(func::CallOp call, func::FuncOp callee) {
  bool changed = false;
  auto share = [&](unsigned index) { changed |= shared.insert(callee.getArgument(index)).second; };
  SmallVector<SmallVector<Value>> origins;
  for (Value operand : call.getOperands())
    origins.push_back(isa<BaseMemRefType>(operand.getType()) ? bufferOrigins(operand) : SmallVector<Value>());
  auto overlap = [&](ArrayRef<Value> a, ArrayRef<Value> b) {
    return llvm::any_of(a, [&](Value x) { return llvm::any_of(b, [&](Value y) { return mayOverlap(x, y); }); });
  };
  for (auto [i, a] : llvm::enumerate(origins)) {
    if (touchesGlobals(callee) && llvm::any_of(a, [&](Value origin) { return mayBeGlobal(origin); })) share(i);
    for (auto [j, b] : llvm::enumerate(ArrayRef(origins).take_front(i)))
      if (overlap(a, b)) {
        share(i);
        share(j);
      }
  }
  return changed;
}

bool CallFacts::mayOverlap(Value a, Value b) const {
  if (a == b) return true;
  auto aGlobal = a.getDefiningOp<memref::GetGlobalOp>();
  auto bGlobal = b.getDefiningOp<memref::GetGlobalOp>();
  if (aGlobal && bGlobal) return aGlobal.getName() == bGlobal.getName();
  if (shared.contains(a) && (bGlobal || shared.contains(b))) return true;
  if (shared.contains(b) && aGlobal) return true;
  return !isSeparate(a) || !isSeparate(b);
}

bool CallFacts::mayBeGlobal(Value root) const {
  return isMutableGlobal(root) || shared.contains(root) || !isSeparate(root);
}

DeviceValues::DeviceValues(ModuleOp module) : module(module) {
  bool changed = true;
  while (changed) {
    changed = false;
    module.walk([&](func::CallOp call) { changed |= spread(call); });
  }
}

func::FuncOp DeviceValues::calleeOf(func::CallOp call) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr().getAttr());
  return callee && !callee.isExternal() ? callee : func::FuncOp();
}

/// True if the value may be device memory.
bool DeviceValues::isDevice(Value value) const {
  return llvm::any_of(bufferOrigins(value), [&](Value origin) {
    auto alloc = origin.getDefiningOp<gpu::AllocOp>();
    return alloc ? !alloc.getHostShared() : device.contains(origin);
  });
}

/// True if the value may be memory that only the host has.
bool DeviceValues::isHost(Value value) const {
  return llvm::any_of(bufferOrigins(value), [&](Value origin) {
    return !origin.getDefiningOp<gpu::AllocOp>() && !device.contains(origin) &&
           !cast<BaseMemRefType>(origin.getType()).getMemorySpace();
  });
}

bool DeviceValues::spread(func::CallOp call) {
  func::FuncOp callee = calleeOf(call);
  if (!callee) return false;
  bool changed = false;
  for (auto [operand, argument] : llvm::zip_equal(call.getOperands(), callee.getArguments()))
    if (isMemref(operand) && isDevice(operand)) changed |= device.insert(argument).second;
  for (auto exit : callee.getOps<func::ReturnOp>())
    for (auto [returned, result] : llvm::zip_equal(exit.getOperands(), call.getResults()))
      if (isMemref(returned) && isDevice(returned)) changed |= device.insert(result).second;
  return changed;
}

/// True if code outside the module may call the function.
bool DeviceValues::hasUnknownCallers(func::FuncOp function) const {
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(function, module);
  return function.isPublic() || !uses ||
         !llvm::all_of(*uses, [](const SymbolTable::SymbolUse& use) { return isa<func::CallOp>(use.getUser()); });
}

LogicalResult DeviceValues::check() {
  WalkResult result = module.walk([&](func::CallOp call) -> WalkResult { return check(call); });
  return failure(result.wasInterrupted());
}

LogicalResult DeviceValues::check(func::CallOp call) {
  func::FuncOp callee = calleeOf(call);
  if (!callee) return success();
  for (auto [index, argument] : llvm::enumerate(callee.getArguments())) {
    if (!device.contains(argument)) continue;
    auto refuse = [&](StringRef why) {
      return call.emitError("operand #") << index << " of the call of @" << callee.getName() << why;
    };
    if (isHost(call.getOperand(index)))
      return refuse(
          " may be host memory, and this or another call passes device memory (gpu.alloc) there: pass the same kind "
          "everywhere, or let the function be inlined");
    if (hasUnknownCallers(callee))
      return refuse(
          " is device memory (gpu.alloc), and callers elsewhere pass host memory: make the function private, or let it "
          "be inlined");
    if (!isa<MemRefType>(argument.getType()))
      return refuse(" is device memory (gpu.alloc) as an unranked memref: pass a ranked one");
  }
  for (auto [index, result] : llvm::enumerate(call.getResults()))
    for (auto exit : callee.getOps<func::ReturnOp>())
      if (device.contains(result) && isHost(exit.getOperand(index)))
        return exit.emitError("result #")
               << index << " of @" << callee.getName()
               << " may be host memory here and device memory (gpu.alloc) elsewhere: return the same kind everywhere";
  return success();
}

}  // namespace mmtune
