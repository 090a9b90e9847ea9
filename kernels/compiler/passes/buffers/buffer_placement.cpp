// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/call_facts.h"
#include "kernels/compiler/passes/buffers/device_copy.h"
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace mmtune {
namespace {

using Kind = HostBuffer::Kind;
using Placement = HostBuffer::Placement;

/// Returns the exits that control can reach from `start` without passing a block of `ends`; nothing when it can return
/// to `start`.
std::optional<SmallVector<Block*>> exitsFrom(Block* start, const llvm::SmallPtrSet<Block*, 8>& ends = {}) {
  SmallVector<Block*> exits;
  llvm::SetVector<Block*> reached;
  reached.insert(start);
  for (size_t i = 0; i < reached.size(); ++i) {
    Block* block = reached[i];
    if (ends.contains(block)) continue;
    if (block->getSuccessors().empty()) exits.push_back(block);
    if (llvm::is_contained(block->getSuccessors(), start)) return std::nullopt;
    reached.insert_range(block->getSuccessors());
  }
  return exits;
}

/// True if every path from the allocation to an exit, or back to it, passes a dealloc or returns the buffer.
bool endsOnEveryPath(const HostBuffer& buffer) {
  llvm::SmallPtrSet<Block*, 8> ends;
  for (Operation* dealloc : buffer.deallocs) ends.insert(dealloc->getBlock());
  for (OpOperand* use : buffer.returnUses) ends.insert(use->getOwner()->getBlock());
  std::optional<SmallVector<Block*>> exits = exitsFrom(buffer.definingOp()->getBlock(), ends);
  return exits && exits->empty();
}

HostBuffer::Placement placementOf(const HostBuffer& buffer, bool hasCalls) {
  if (buffer.deviceUses.empty() || buffer.kind == Kind::Device || buffer.hostRegistered) return Placement::Host;
  if (buffer.isKeptOnDevice()) return Placement::Constant;
  bool hostIdle = !buffer.hostReads && !buffer.hostWrites && !buffer.escapes;
  switch (buffer.kind) {
    case Kind::Allocation: {
      bool canFree =
          buffer.deallocs.empty() ? findFreePoints(buffer.definingOp()).has_value() : endsOnEveryPath(buffer);
      bool isDense = buffer.type().getLayout().isIdentity();
      return hostIdle && canFree && isDense ? Placement::Device : Placement::Transient;
    }
    case Kind::Argument:
    case Kind::Global: {
      bool conflict = buffer.escapes || buffer.shared || buffer.hostWrites || !buffer.deallocs.empty() ||
                      (buffer.hostReads && buffer.deviceWrites()) || (buffer.kind == Kind::Global && hasCalls);
      return conflict ? Placement::Transient : Placement::Mirror;
    }
    default:
      return Placement::Transient;
  }
}

/// Fills device memory that is copied from a constant from the device's copy of the constant.
void placeCopiedConstants(HostBuffers& buffers) {
  auto livesOnDevice = [&](Value value) {
    HostBuffer* buffer = buffers.find(value);
    return buffer && (buffer->kind == Kind::Device || buffer->placement == Placement::Device ||
                      buffer->placement == Placement::Mirror);
  };
  for (HostBuffer& buffer : buffers.all()) {
    bool copied = llvm::any_of(
        buffer.copyUses, [&](OpOperand* use) { return llvm::any_of(use->getOwner()->getOperands(), livesOnDevice); });
    if (copied && buffer.placement == Placement::Host && buffer.isKeptOnDevice())
      buffer.placement = Placement::Constant;
  }
}

/// True if the buffer is allocated after `value` is defined, so it cannot be the value's memory, also in a loop: the
/// allocation is between the value and every use of both.
bool isAllocatedAfter(const HostBuffer& buffer, Value value) {
  return buffer.kind == Kind::Allocation && DominanceInfo().properlyDominates(value, buffer.definingOp());
}

/// True if two buffers that are origins of memory may be the same memory.
bool mayOriginsBeSame(const HostBuffer& a, const HostBuffer& b) {
  if (&a == &b) return true;
  auto isUnknown = [](const HostBuffer& buffer) { return buffer.kind == Kind::Opaque && !isFreshResult(buffer.root); };
  auto reachable = [&](const HostBuffer& buffer) {
    return isUnknown(buffer) || buffer.kind == Kind::Global || buffer.escapes || buffer.shared;
  };
  if (isUnknown(a) || isUnknown(b)) return reachable(a) && reachable(b);
  return (a.shared && (b.shared || b.kind == Kind::Global)) || (b.shared && a.kind == Kind::Global);
}

bool mayBeSame(const HostBuffer& a, const HostBuffer& b, HostBuffers& buffers);

/// True if the buffers are iteration arguments of a loop that only swaps the buffers it was given: they are as distinct
/// as before the loop.
bool areSwappedByLoop(const HostBuffer& a, const HostBuffer& b, HostBuffers& buffers) {
  auto first = dyn_cast<BlockArgument>(a.root), second = dyn_cast<BlockArgument>(b.root);
  if (!first || !second || first == second || first.getOwner() != second.getOwner()) return false;
  auto loop = dyn_cast<scf::ForOp>(first.getOwner()->getParentOp());
  if (!loop) return false;
  llvm::SmallPtrSet<Value, 4> yielded;
  SmallVector<HostBuffer*> initial;
  for (auto [argument, init, yield] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getYieldedValues())) {
    if (!isa<MemRefType>(argument.getType())) continue;
    auto from = dyn_cast<BlockArgument>(viewRoot(yield));
    if (!from || from.getOwner() != loop.getBody() || !yielded.insert(from).second) return false;
    initial.push_back(buffers.find(init));
  }
  for (auto [i, x] : llvm::enumerate(initial))
    for (HostBuffer* y : ArrayRef(initial).take_front(i))
      if (x == y || mayBeSame(*x, *y, buffers)) return false;
  return true;
}

/// True if two values that are not views of each other may be one buffer.
bool mayBeSame(const HostBuffer& a, const HostBuffer& b, HostBuffers& buffers) {
  if (isAllocatedAfter(a, b.root) || isAllocatedAfter(b, a.root) || areSwappedByLoop(a, b, buffers)) return false;
  auto originsOf = [&](const HostBuffer& buffer) {
    SmallVector<HostBuffer*> origins;
    for (Value origin : bufferOrigins(buffer.root)) origins.push_back(buffers.find(origin));
    return origins;
  };
  SmallVector<HostBuffer*> ofA = originsOf(a), ofB = originsOf(b);
  return llvm::any_of(ofA, [&](HostBuffer* x) {
    return llvm::any_of(ofB, [&](HostBuffer* y) { return !x || !y || mayOriginsBeSame(*x, *y); });
  });
}

/// True if the launch computes an operation on tensors (value semantics).
bool computesValues(gpu::LaunchFuncOp launch) {
  if (hasValueSemantics(launch)) return true;
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernelAttr());
  return kernel && llvm::any_of(kernel.getBody().getOps(), [](Operation& op) { return hasValueSemantics(&op); });
}

LogicalResult checkLaunch(gpu::LaunchFuncOp launch, HostBuffers& buffers) {
  SmallVector<std::pair<HostBuffer*, bool>> operands;
  for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
    if (isa<UnrankedMemRefType>(operand.getType()))
      return launch.emitError("an unranked memref cannot be moved to the device; cast it to a ranked one first");
    if (HostBuffer* buffer = buffers.find(operand)) operands.emplace_back(buffer, kernelAccess(launch, index).writes);
  }
  for (unsigned i = 0; i < operands.size(); ++i)
    for (unsigned j = 0; j < i; ++j) {
      auto [a, aWritten] = operands[j];
      auto [b, bWritten] = operands[i];
      if (!(aWritten && bWritten) && computesValues(launch)) continue;
      bool inPlace = a->placement == Placement::Host && b->placement == Placement::Host;
      if (a != b && (aWritten || bWritten) && !inPlace && mayBeSame(*a, *b, buffers))
        return launch.emitError("memref operands #")
               << j << " and #" << i
               << " may be the same memory, and the kernel may write it: separate device copies would differ";
    }
  return success();
}

/// Marks arguments that may be a global which the function, or one it calls, also uses by name: two mirrors of it would
/// differ.
void separateArgumentsFromGlobals(HostBuffers& buffers) {
  bool hasArguments =
      llvm::any_of(buffers.all(), [](const HostBuffer& buffer) { return buffer.kind == Kind::Argument; });
  if (!hasArguments) return;
  for (HostBuffer& buffer : buffers.all())
    if (buffer.placement == Placement::Mirror && !buffer.isConstant()) buffer.placement = Placement::Transient;
}

/// Gives a buffer that control flow yields the kind of its origins, where all of them are in device memory or
/// registered with the device.
void inheritOrigins(HostBuffer& buffer, HostBuffers& buffers) {
  SmallVector<Value> origins = bufferOrigins(buffer.root);
  auto isDevice = [&](Value origin) {
    HostBuffer* from = buffers.find(origin);
    return from && from->kind == Kind::Device;
  };
  auto isReachable = [&](Value origin) {
    HostBuffer* from = buffers.find(origin);
    return from && (from->kind == Kind::Device ||
                    (from->hostRegistered && llvm::none_of(buffer.deviceUses, [&](const DeviceUse& use) {
                       return isOutsideRegistration(*from, use.operand->getOwner());
                     })));
  };
  if (buffer.kind != Kind::Opaque || origins.empty()) return;
  if (llvm::all_of(origins, isDevice))
    buffer.kind = Kind::Device;
  else if (llvm::all_of(origins, isReachable))
    buffer.hostRegistered = true;
}

/// Refuses uses of gpu.alloc memory that free it on the host or return it to a caller as host memory.
LogicalResult checkDeviceMemory(const HostBuffer& buffer, bool returnsHostMemory) {
  for (Operation* dealloc : buffer.deallocs)
    if (isa<memref::DeallocOp>(dealloc))
      return dealloc->emitError("device memory is freed as host memory: free it with gpu.dealloc");
  if (returnsHostMemory && !buffer.returnUses.empty())
    return buffer.returnUses.front()->getOwner()->emitError(
        "device memory is returned, but callers expect host memory: return a copy in host memory");
  return success();
}

LogicalResult checkBuffer(const HostBuffer& buffer, bool returnsHostMemory) {
  if (buffer.placement == Placement::Constant) return success();
  if (buffer.placement == Placement::Host)
    return buffer.kind == Kind::Device ? checkDeviceMemory(buffer, returnsHostMemory) : success();
  Operation* use = buffer.deviceUses.front().operand->getOwner();
  if (StringRef reason = whyNotCopyable(buffer.type()); !reason.empty())
    return use->emitError("a buffer of type ")
           << buffer.type() << " cannot be moved to the device: " << reason << "; copy it to a dense buffer first";
  if (buffer.type().getMemorySpace() && (buffer.placement != Placement::Device || !buffer.returnUses.empty()))
    return use->emitError("a buffer in device memory, of type ")
           << buffer.type() << ", is also used by the host: copy it to host memory first";
  return success();
}

/// True for operations that only read a memref's descriptor, become a transfer, or pass it on to a function whose
/// arguments are device memory too.
bool takesDeviceArgument(Operation* op) {
  bool makesMemref = llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  return isa<CallOpInterface>(op) || isRankedCopy(op) ||
         (isMemoryEffectFree(op) && !makesMemref && !op->hasTrait<OpTrait::IsTerminator>());
}

/// Refuses host accesses to an argument that is device memory.
LogicalResult checkDeviceArgument(const HostBuffer& buffer, bool processArgs) {
  auto refuse = [&](Operation* op) {
    return op->emitOpError("runs on the host and takes argument #")
           << cast<BlockArgument>(buffer.root).getArgNumber() << ", which is device memory ("
           << (processArgs ? "a caller's gpu.alloc" : "process-args=false") << "): copy it to host memory first";
  };
  for (OpOperand* use : buffer.hostUses)
    if (!takesDeviceArgument(use->getOwner())) return refuse(use->getOwner());
  for (Operation* dealloc : buffer.deallocs)
    if (isa<memref::DeallocOp>(dealloc)) return refuse(dealloc);
  return success();
}

/// Refuses a call that passes host memory, as every function of the module takes its arguments to be device memory.
LogicalResult checkDeviceCall(func::CallOp call, HostBuffers& buffers) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (!callee || callee.isExternal()) return success();
  for (auto [index, operand] : llvm::enumerate(call.getOperands())) {
    HostBuffer* buffer = buffers.find(operand);
    if (buffer && buffer->kind != Kind::Device)
      return call.emitError("operand #")
             << index << " is host memory, and the arguments of @" << callee.getName()
             << " are device memory (process-args=false): let the function be inlined, or allocate with gpu.alloc";
  }
  return success();
}

/// Leaves arguments that are device memory in place.
LogicalResult takeDeviceArguments(func::FuncOp function, HostBuffers& buffers) {
  for (HostBuffer& buffer : buffers.all()) {
    if (buffer.kind != Kind::Argument || buffer.hostRegistered) continue;
    if (failed(checkDeviceArgument(buffer, /*processArgs=*/false))) return failure();
    buffer.kind = Kind::Device;
  }
  WalkResult result = function.walk([&](func::CallOp call) -> WalkResult { return checkDeviceCall(call, buffers); });
  return failure(result.wasInterrupted());
}

/// Marks arguments and results of calls that are memory of gpu.alloc.
LogicalResult takeDeviceValues(HostBuffers& buffers, const DeviceValues& device) {
  for (HostBuffer& buffer : buffers.all()) {
    if (!device.contains(buffer.root)) continue;
    if (buffer.kind == Kind::Argument && failed(checkDeviceArgument(buffer, /*processArgs=*/true))) return failure();
    buffer.kind = Kind::Device;
  }
  return success();
}

LogicalResult checkOperations(func::FuncOp function, HostBuffers& buffers) {
  WalkResult result = function.walk([&](Operation* op) -> WalkResult {
    if (isa<gpu::LaunchOp>(op))
      return op->emitError("gpu.launch is not outlined: run gpu-kernel-outlining before convert-memcpy-to-gpu");
    auto async = dyn_cast<gpu::AsyncOpInterface>(op);
    bool moves = llvm::any_of(op->getOperands(), [&](Value operand) {
      HostBuffer* buffer = buffers.find(operand);
      return buffer && buffer->placement != Placement::Host;
    });
    if (moves && async && (async.getAsyncToken() || !async.getAsyncDependencies().empty()))
      return op->emitError(
          "an asynchronous operation takes a buffer that is not in device memory: run convert-memcpy-to-gpu before "
          "gpu-async-region");
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) return checkLaunch(launch, buffers);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Returns the terminators of the exits reachable from `block`, if control passes `block` once and on every path to
/// them.
std::optional<SmallVector<Operation*>> exitsDominatedBy(Block* block) {
  DominanceInfo dominance;
  std::optional<SmallVector<Block*>> exits = exitsFrom(block);
  if (!exits || !llvm::all_of(*exits, [&](Block* exit) { return dominance.dominates(block, exit); }))
    return std::nullopt;
  return llvm::map_to_vector(*exits, [](Block* exit) { return exit->getTerminator(); });
}

}  // namespace

LogicalResult placeBuffers(func::FuncOp function, HostBuffers& buffers, const CallFacts& calls,
                           const DeviceValues& device, bool processArgs) {
  if (failed(processArgs ? takeDeviceValues(buffers, device) : takeDeviceArguments(function, buffers)))
    return failure();
  for (HostBuffer& buffer : buffers.all()) inheritOrigins(buffer, buffers);
  for (HostBuffer& buffer : buffers.all()) {
    auto argument = dyn_cast<BlockArgument>(buffer.root);
    buffer.shared = buffer.kind == Kind::Argument && calls.isShared(argument);
    separateRegisteredUses(buffer);
    buffer.placement = placementOf(buffer, buffers.hasCalls());
  }
  placeCopiedConstants(buffers);
  if (calls.touchesGlobals(function)) separateArgumentsFromGlobals(buffers);
  for (const HostBuffer& buffer : buffers.all())
    if (failed(checkBuffer(buffer, processArgs && function.isPublic()))) return failure();
  return checkOperations(function, buffers);
}

std::optional<SmallVector<Operation*>> findFreePoints(Operation* allocation) {
  Block* block = allocation->getBlock();
  Operation* last = allocation;
  SmallVector<Value> worklist{allocation->getResult(0)};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (Operation* user : value.getUsers()) {
      Operation* ancestor = block->findAncestorOpInBlock(*user);
      if (!ancestor) return exitsDominatedBy(block);
      if (last->isBeforeInBlock(ancestor)) last = ancestor;
      auto view = dyn_cast<ViewLikeOpInterface>(user);
      if (view && view.getViewSource() == value) worklist.push_back(view.getViewDest());
    }
  }
  return SmallVector<Operation*>{last == block->getTerminator() ? last : last->getNextNode()};
}

bool needsCopyIn(func::FuncOp function, const HostBuffer& buffer) {
  Block& entry = function.getBody().front();
  Operation* first = nullptr;
  bool overwritten = false, read = false;
  auto record = [&](OpOperand& operand, BufferAccess access) {
    Operation* ancestor = entry.findAncestorOpInBlock(*operand.getOwner());
    if (!ancestor || (first && first->isBeforeInBlock(ancestor))) return;
    if (ancestor != first) overwritten = read = false;
    first = ancestor;
    bool whole = ancestor == operand.getOwner() && viewRoot(operand.get()) == operand.get();
    overwritten |= access.overwrites && whole;
    read |= access.reads;
  };
  for (const DeviceUse& use : buffer.deviceUses) record(*use.operand, use.access);
  for (OpOperand* use : buffer.copyUses) record(*use, copyAccess(*use));
  return !overwritten || read;
}

}  // namespace mmtune
