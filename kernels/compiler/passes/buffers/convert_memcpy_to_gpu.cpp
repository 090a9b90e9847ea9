// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/call_facts.h"
#include "kernels/compiler/passes/buffers/device_copy.h"
#include "kernels/compiler/passes/buffers/gpu_tokens.h"
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/passes/buffers/passes.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_CONVERTMEMCPYTOGPUPASS
#include "kernels/compiler/passes/buffers/Passes.h.inc"

namespace {

using Kind = HostBuffer::Kind;
using Placement = HostBuffer::Placement;

/// Rebuilds `view` as a view of `buffer` instead of its own root.
Value rebuildView(OpBuilder& builder, Value view, Value buffer) {
  if (viewRoot(view) == view) return buffer;
  auto op = view.getDefiningOp<ViewLikeOpInterface>();
  IRMapping mapping;
  mapping.map(op.getViewSource(), rebuildView(builder, op.getViewSource(), buffer));
  return builder.clone(*op, mapping)->getResult(cast<OpResult>(view).getResultNumber());
}

/// Converts one host function whose buffers are placed.
class FunctionConverter {
 public:
  FunctionConverter(func::FuncOp function, HostBuffers& buffers) : function(function), buffers(buffers) {}

  void run() {
    // Transient copies come last: they go around operations as the other steps left them.
    for (HostBuffer& buffer : buffers.all())
      if (buffer.placement == Placement::Mirror) mirror(buffer);
    for (HostBuffer& buffer : buffers.all())
      if (buffer.placement == Placement::Constant) useConstant(buffer);
    convertCopies();
    for (HostBuffer& buffer : buffers.all())
      if (buffer.placement == Placement::Device) moveToDevice(buffer);
    copyAroundLaunches();
    eraseDeadViews();
  }

 private:
  /// Gives an argument or global a device copy from the function's entry to its returns.
  void mirror(HostBuffer& buffer) {
    auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
    if (entryPoint) builder.setInsertionPointAfter(entryPoint);
    Value host = buffer.root;
    if (buffer.kind == Kind::Global) host = builder.clone(*buffer.definingOp())->getResult(0);
    Location loc = host.getLoc();
    DeviceCopy copy(builder, loc, host, buffer.absoluteViews);
    if (needsCopyIn(function, buffer)) copy.copyIn(builder, loc);
    entryPoint = &*std::prev(builder.getInsertionPoint());
    mirrors[&buffer] = copy.buffer();

    for (const DeviceUse& use : buffer.deviceUses) useOnDevice(*use.operand, copy.buffer());
    bool copyOut = buffer.deviceWrites() && !buffer.isConstant();
    for (auto exit : function.getOps<func::ReturnOp>()) {
      builder.setInsertionPoint(exit);
      if (copyOut) copy.copyOut(builder, exit.getLoc());
      copy.free(builder, exit.getLoc());
    }
  }

  /// Makes device operations read the device copy of a constant that the runtime keeps.
  void useConstant(HostBuffer& buffer) {
    auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
    Operation* constant = builder.clone(*buffer.definingOp());
    constant->setAttr(kDeviceConstantAttrName, builder.getUnitAttr());
    mirrors[&buffer] = constant->getResult(0);
    for (const DeviceUse& use : buffer.deviceUses) useOnDevice(*use.operand, constant->getResult(0));
  }

  /// Turns copies into transfers where a side is in device memory.
  void convertCopies() {
    llvm::SetVector<Operation*> copies;
    for (HostBuffer& buffer : buffers.all()) {
      if (buffer.placement == Placement::Mirror || buffer.placement == Placement::Device || buffer.kind == Kind::Device)
        for (OpOperand* use : buffer.copyUses) copies.insert(use->getOwner());
      if (buffer.kind == Kind::Device)
        for (OpOperand* use : buffer.hostUses)
          if (isRankedCopy(use->getOwner())) copies.insert(use->getOwner());
    }
    for (Operation* op : copies) {
      for (OpOperand& operand : op->getOpOperands()) {
        HostBuffer* buffer = buffers.find(operand.get());
        if (buffer && mirrors.contains(buffer)) useOnDevice(operand, mirrors.lookup(buffer));
      }
      if (auto copy = dyn_cast<memref::CopyOp>(op)) {
        OpBuilder builder(copy);
        createMemcpy(builder, copy.getLoc(), copy.getTarget(), copy.getSource());
        copy.erase();
      }
    }
  }

  /// Replaces an allocation by one in device memory.
  void moveToDevice(HostBuffer& buffer) {
    SmallVector<Operation*> freePoints;
    if (buffer.deallocs.empty()) freePoints = *findFreePoints(buffer.definingOp());
    Operation* allocation = buffer.definingOp();
    OpBuilder builder(allocation);
    Location loc = allocation->getLoc();
    Value device = createDeviceAlloc(builder, loc, buffer.type(), allocation->getOperands());

    returnHostCopies(buffer, device);
    for (Operation* dealloc : buffer.deallocs) {
      builder.setInsertionPoint(dealloc);
      createDealloc(builder, dealloc->getLoc(), device);
      dealloc->erase();
    }
    for (Operation* point : freePoints) {
      builder.setInsertionPoint(point);
      createDealloc(builder, loc, device);
    }
    buffer.root.replaceAllUsesWith(device);
    allocation->erase();
  }

  /// Returns host copies to the caller, one for each return however often it returns the buffer.
  void returnHostCopies(HostBuffer& buffer, Value device) {
    Operation* allocation = buffer.definingOp();
    llvm::MapVector<Operation*, Value> copies;
    for (OpOperand* use : buffer.returnUses) {
      Operation* exit = use->getOwner();
      OpBuilder builder(exit);
      Value& host = copies[exit];
      if (!host) {
        IntegerAttr alignment;
        if (auto alloc = dyn_cast<memref::AllocOp>(allocation)) alignment = alloc.getAlignmentAttr();
        host = memref::AllocOp::create(builder, exit->getLoc(), buffer.type(), allocation->getOperands(), alignment);
        createMemcpy(builder, exit->getLoc(), host, device);
        if (!buffer.deallocs.empty()) createDealloc(builder, exit->getLoc(), device);
      }
      use->set(rebuildView(builder, use->get(), host));
    }
  }

  /// Wraps each device operation that takes transient buffers into copies of them.
  void copyAroundLaunches() {
    llvm::MapVector<Operation*, llvm::MapVector<HostBuffer*, BufferAccess>> launches;
    for (HostBuffer& buffer : buffers.all()) {
      if (buffer.placement != Placement::Transient) continue;
      for (const DeviceUse& use : buffer.deviceUses) {
        BufferAccess access = use.access;
        access.overwrites &= viewRoot(use.operand->get()) == use.operand->get();
        auto [it, inserted] = launches[use.operand->getOwner()].insert({&buffer, access});
        if (!inserted) it->second |= access;
      }
    }
    for (auto& [op, accesses] : launches)
      for (auto& [buffer, access] : accesses) copyAround(op, *buffer, access);
  }

  void copyAround(Operation* op, HostBuffer& buffer, BufferAccess access) {
    Location loc = op->getLoc();
    OpBuilder builder(op);
    Value host = buffer.root;
    if (buffer.kind == Kind::Global) host = builder.clone(*buffer.definingOp())->getResult(0);
    DeviceCopy copy(builder, loc, host, buffer.absoluteViews);
    if (access.reads || !access.overwrites) copy.copyIn(builder, loc);
    for (const DeviceUse& use : buffer.deviceUses)
      if (use.operand->getOwner() == op) useOnDevice(*use.operand, copy.buffer());
    builder.setInsertionPointAfter(op);
    if (access.writes && !buffer.isConstant()) copy.copyOut(builder, loc);
    copy.free(builder, loc);
  }

  /// Makes a device operation use the same view of `device` that it uses of the host buffer.
  static void useOnDevice(OpOperand& operand, Value device) {
    OpBuilder builder(operand.getOwner());
    operand.set(rebuildView(builder, operand.get(), device));
  }

  void eraseDeadViews() {
    SmallVector<Operation*> views;
    function.walk([&](Operation* op) {
      if (isa<ViewLikeOpInterface, memref::GetGlobalOp>(op)) views.push_back(op);
    });
    for (Operation* view : llvm::reverse(views))
      if (isOpTriviallyDead(view)) view->erase();
  }

  func::FuncOp function;
  HostBuffers& buffers;
  llvm::DenseMap<HostBuffer*, Value> mirrors;  ///< Device copies of mirrored and constant buffers.
  Operation* entryPoint = nullptr;             ///< The last operation that fills a mirror at the entry.
};

struct ConvertMemcpyToGpu : impl::ConvertMemcpyToGpuPassBase<ConvertMemcpyToGpu> {
  using ConvertMemcpyToGpuPassBase::ConvertMemcpyToGpuPassBase;

  void runOnOperation() override {
    PrivateCalls privateCalls(getOperation());
    if (processArgs) propagateConstantArguments(getOperation(), privateCalls);
    mergeEqualArguments(getOperation(), privateCalls);
    CallFacts calls(getOperation());
    DeviceValues device(getOperation());
    if (processArgs && failed(device.check())) return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(convert(function, calls, device, privateCalls))) return signalPassFailure();
  }

 private:
  /// Remarks on constants that calls pass but that propagateConstantArguments() could not replace.
  static void remarkCopiedConstants(func::FuncOp function, HostBuffers& buffers, ArrayRef<func::CallOp> calls) {
    for (HostBuffer& buffer : buffers.all()) {
      if (buffer.kind != HostBuffer::Kind::Argument || buffer.deviceUses.empty()) continue;
      unsigned index = cast<BlockArgument>(buffer.root).getArgNumber();
      for (func::CallOp call : calls)
        if (isConstantGlobal(call.getOperand(index)))
          call.emitRemark() << "argument " << index << " is a constant that is copied to the device in each call: @"
                            << function.getName()
                            << " is not inlined, and may write it or is passed other memory elsewhere";
    }
  }

  LogicalResult convert(func::FuncOp function, const CallFacts& calls, const DeviceValues& device,
                        const PrivateCalls& privateCalls) {
    HostBuffers buffers(function);
    if (failed(placeBuffers(function, buffers, calls, device, processArgs))) return failure();
    if (processArgs) remarkCopiedConstants(function, buffers, privateCalls.of(function));
    FunctionConverter(function, buffers).run();
    return async ? linearizeGpuTokens(function) : success();
  }
};

}  // namespace
}  // namespace mmtune
