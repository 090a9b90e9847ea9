// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/shared/passes.h"
#include "kernels/compiler/passes/simt/module_tables.h"
#include "kernels/simulator/abi/abi.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_SHAREDALLOCTODYNAMICPASS
#define GEN_PASS_DEF_REPAIRDYNAMICSHAREDLINKAGEPASS
#include "kernels/compiler/passes/shared/Passes.h.inc"

namespace {

/// The static shared memory of a block on any GPU.
constexpr int64_t kMaxStaticBytes = 48 * 1024;

gpu::AddressSpaceAttr workgroupSpace(MLIRContext* context) {
  return gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
}

void useWorkgroupSpace(gpu::GPUModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!isInSharedMemory(type)) return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(), workgroupSpace(type.getContext()));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Replaces the shared buffers of one kernel.
class KernelRewriter {
 public:
  explicit KernelRewriter(gpu::GPUFuncOp kernel) : kernel(kernel) {}

  /// Replaces the buffers and returns the bytes of dynamic shared memory that the kernel then needs; 0 when it needs
  /// none. Without `maxBytes`, and in a kernel that uses dynamic shared memory itself, every buffer becomes a workgroup
  /// attribution.
  FailureOr<int64_t> run(std::optional<int64_t> maxBytes) {
    FailureOr<SmallVector<SharedBuffer>> found = findSharedBuffers(kernel);
    if (failed(found)) return failure();
    buffers = std::move(*found);
    if (buffers.empty()) return 0;
    if (failed(checkDeallocations())) return failure();
    if (!maxBytes) return keepApart(/*marks=*/true);
    if (usesDynamicShared(kernel))
      return failed(checkStatic()) ? FailureOr<int64_t>(failure()) : keepApart(/*marks=*/false);
    FailureOr<int64_t> bytes = layOut(*maxBytes);
    if (failed(bytes)) return failure();
    separateSharers();
    if (failed(separateAllTurns())) return failure();
    replace();
    return bytes;
  }

 private:
  LogicalResult checkDeallocations() {
    DominanceInfo dominance(kernel);
    for (SharedBuffer& buffer : buffers)
      for (Operation* dealloc : buffer.deallocations)
        for (Operation* use : buffer.uses)
          if (dominance.properlyDominates(dealloc, use)) {
            InFlightDiagnostic error = use->emitError("this operation uses a shared buffer that has been deallocated");
            error.attachNote(dealloc->getLoc()) << "deallocated here";
            return error;
          }
    return success();
  }

  /// Refuses more static memory than a block has, in a kernel that lays out its dynamic shared memory itself.
  LogicalResult checkStatic() {
    int64_t bytes = 0;
    for (SharedBuffer& buffer : buffers) bytes = llvm::alignTo(bytes, buffer.alignment) + buffer.bytes;
    if (bytes <= kMaxStaticBytes) return success();
    return kernel.emitError("the kernel uses dynamic shared memory, and has ")
           << bytes << " bytes of shared buffers beside it; at most " << kMaxStaticBytes << " are possible";
  }

  /// Makes every buffer a workgroup attribution. With `marks`, marks the iterations of loops for race detection.
  FailureOr<int64_t> keepApart(bool marks) {
    if (failed(separateAllTurns())) return failure();
    for (SharedBuffer& buffer : buffers) {
      unsigned index = kernel.getNumWorkgroupAttributions();
      if (Operation* alloc = buffer.value.getDefiningOp()) {
        auto type = cast<MemRefType>(buffer.value.getType());
        if (marks && isInLoop(buffer.home())) markIterations(buffer);
        replaceAllocation(buffer, kernel.addWorkgroupAttribution(type, alloc->getLoc()));
        alloc->erase();
      } else {
        index = cast<BlockArgument>(buffer.value).getArgNumber() - kernel.getNumArguments();
      }
      kernel.setWorkgroupAttributionAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                                         IntegerAttr::get(IntegerType::get(kernel.getContext(), 64), buffer.alignment));
    }
    return 0;
  }

  /// Marks the beginning of the buffer's lifetime in each iteration of the loop that allocates it: its contents are
  /// undefined there. The mark is right after the barrier that separates iterations, so it precedes the writes of this
  /// iteration.
  static void markIterations(const SharedBuffer& buffer) {
    Block* home = buffer.home();
    Operation *alloc = buffer.value.getDefiningOp(), *begin = alloc;
    std::optional<BufferSpan> span = spanIn(home, buffer);
    if (span && !barrierBetween(home, nullptr, alloc) && !barrierBetween(home, span->last, nullptr))
      begin = barrierBetween(home, alloc, span->first);
    ImplicitLocOpBuilder builder(alloc->getLoc(), begin->getNextNode());
    Value index = memref::ExtractAlignedPointerAsIndexOp::create(builder, buffer.value);
    Value address = arith::IndexCastUIOp::create(builder, builder.getI64Type(), index);
    auto shared = LLVM::LLVMPointerType::get(builder.getContext(), kSharedAddressSpace);
    Value pointer = LLVM::IntToPtrOp::create(builder, shared, address);
    LLVM::LifetimeStartOp::create(builder, pointer);
  }

  /// Gives each buffer an offset, the largest buffers first, the lowest that is free of buffers which may be in use at
  /// the same time.
  FailureOr<int64_t> layOut(int64_t maxBytes) {
    if (failed(checkAlignments())) return failure();
    SmallVector<SharedBuffer*> order;
    for (SharedBuffer& buffer : buffers) order.push_back(&buffer);
    llvm::stable_sort(order, [](auto* a, auto* b) { return a->bytes > b->bytes; });
    SmallVector<SharedBuffer*> placed;
    int64_t bytes = 0;
    for (SharedBuffer* buffer : order) {
      buffer->offset = firstFit(*buffer, placed);
      placed.push_back(buffer);
      bytes = std::max(bytes, buffer->offset + buffer->bytes);
    }
    if (bytes > maxBytes) return tooLarge(bytes, maxBytes);
    return bytes;
  }

  LogicalResult checkAlignments() {
    for (SharedBuffer& buffer : buffers)
      if (buffer.alignment > static_cast<int64_t>(simt::kDynamicSharedAlignment))
        return emitError(buffer.value.getLoc(),
                         "the alignment of the shared buffer is too large: shared memory is aligned to ")
               << simt::kDynamicSharedAlignment << " bytes, not to " << buffer.alignment;
    return success();
  }

  static bool overlap(const SharedBuffer& a, int64_t offset, const SharedBuffer& b) {
    return offset < b.offset + b.bytes && b.offset < offset + a.bytes;
  }

  int64_t firstFit(const SharedBuffer& buffer, ArrayRef<SharedBuffer*> placed) {
    SmallVector<SharedBuffer*> neighbours;
    for (SharedBuffer* other : placed)
      if (!findDisjoint(buffer, *other, flow)) neighbours.push_back(other);
    llvm::stable_sort(neighbours, [](auto* a, auto* b) { return a->offset < b->offset; });
    int64_t offset = 0;
    for (SharedBuffer* other : neighbours)
      if (overlap(buffer, offset, *other)) offset = llvm::alignTo(other->offset + other->bytes, buffer.alignment);
    return offset;
  }

  LogicalResult tooLarge(int64_t bytes, int64_t maxBytes) {
    std::string sizes;
    for (SharedBuffer& buffer : buffers) sizes += (sizes.empty() ? "" : " + ") + std::to_string(buffer.bytes);
    InFlightDiagnostic error = kernel.emitError("the kernel needs ")
                               << bytes << " bytes of shared memory (" << sizes << "), more than the " << maxBytes
                               << " that a block can have";
    for (SharedBuffer& buffer : buffers)
      error.attachNote(buffer.value.getLoc())
          << buffer.bytes << " bytes at offset " << buffer.offset << ", of type " << buffer.value.getType();
    return error;
  }

  /// Inserts the missing barriers between the uses of buffers that share space.
  void separateSharers() {
    for (SharedBuffer& a : buffers)
      for (SharedBuffer& b : buffers)
        if (&a < &b && overlap(a, a.offset, b)) separate(*findDisjoint(a, b, flow));
  }

  static void separate(const DisjointBuffers& pair) {
    if (!barrierBetween(pair.block, pair.earlier.last, pair.later.first)) createBarrier(pair.later.first);
    if (isInLoop(pair.block) && !separatesIterations(pair.block, pair.earlier.first, pair.later.last))
      createBarrier(pair.earlier.first);
  }

  /// True if a barrier separates `last` in one iteration of a loop from `first` in the next.
  static bool separatesIterations(Block* block, Operation* first, Operation* last) {
    return barrierBetween(block, nullptr, first) || barrierBetween(block, last, nullptr);
  }

  static void createBarrier(Operation* before) {
    OpBuilder builder(before);
    gpu::BarrierOp::create(builder, before->getLoc());
  }

  /// Separates the accesses of an iteration from those of the previous one, as an allocation in a loop is the same
  /// memory in every iteration.
  LogicalResult separateIterations(const SharedBuffer& buffer) {
    Operation* alloc = buffer.value.getDefiningOp();
    if (!alloc || !isInLoop(buffer.home())) return success();
    if (buffer.escape)
      return buffer.escape->emitError(
          "a shared buffer that is allocated in a loop escapes here (as by a yield, branch, select, call or store), so "
          "its last use is unknown: allocate it outside of the loop");
    std::optional<BufferSpan> span = spanIn(buffer.home(), buffer);
    bool separated = span ? separatesIterations(buffer.home(), span->first, span->last)
                          : barrierBetween(buffer.home(), nullptr, alloc) != nullptr;
    if (separated) return success();
    if (!flow.isUniform(buffer.home()))
      return alloc->emitError(
          "a shared buffer is allocated in a loop or branch that threads of a block may execute differently, so "
          "that no barrier can be placed between its iterations: allocate it outside of the loop");
    createBarrier(alloc);
    return success();
  }

  LogicalResult separateAllTurns() {
    return success(
        llvm::all_of(buffers, [this](const SharedBuffer& buffer) { return succeeded(separateIterations(buffer)); }));
  }

  static void replaceAllocation(const SharedBuffer& buffer, Value place) {
    for (Operation* dealloc : buffer.deallocations) dealloc->erase();
    Value(buffer.value).replaceAllUsesWith(place);
  }

  void replace() {
    ImplicitLocOpBuilder builder(kernel.getLoc(), &kernel.getBody().front(), kernel.getBody().front().begin());
    auto arenaType = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(), MemRefLayoutAttrInterface(),
                                     workgroupSpace(builder.getContext()));
    Value arena = gpu::DynamicSharedMemoryOp::create(builder, arenaType);
    for (SharedBuffer& buffer : buffers) {
      Value offset = arith::ConstantIndexOp::create(builder, buffer.offset);
      Value view = memref::ViewOp::create(builder, cast<MemRefType>(buffer.value.getType()), arena, offset,
                                          /*sizes=*/ValueRange());
      replaceAllocation(buffer, view);
    }
    for (SharedBuffer& buffer : buffers)
      if (Operation* alloc = buffer.value.getDefiningOp()) alloc->erase();
    eraseAttributions();
  }

  void eraseAttributions() {
    unsigned count = kernel.getNumWorkgroupAttributions();
    unsigned first = kernel.getNumArguments();
    kernel.getBody().front().eraseArguments(first, count);
    kernel->removeAttr(gpu::GPUFuncOp::getNumWorkgroupAttributionsAttrName());
    kernel.removeWorkgroupAttribAttrsAttr();
  }

  gpu::GPUFuncOp kernel;
  SmallVector<SharedBuffer> buffers;
  UniformControlFlow flow;
};

struct SharedAllocToDynamic : impl::SharedAllocToDynamicPassBase<SharedAllocToDynamic> {
  using SharedAllocToDynamicPassBase::SharedAllocToDynamicPassBase;

  void runOnOperation() override {
    llvm::DenseMap<Operation*, int64_t> bytesOf;
    WalkResult result = getOperation().walk([&](gpu::GPUModuleOp module) -> WalkResult {
      useWorkgroupSpace(module);
      for (auto function : module.getOps<FunctionOpInterface>()) {
        auto kernel = dyn_cast<gpu::GPUFuncOp>(*function);
        if (!kernel || !kernel.isKernel()) {
          if (failed(checkDeviceFunction(function))) return failure();
          continue;
        }
        FailureOr<int64_t> bytes = KernelRewriter(kernel).run(apart ? std::nullopt : std::optional<int64_t>(maxBytes));
        if (failed(bytes)) return failure();
        bytesOf[kernel] = *bytes;
      }
      return success();
    });
    if (result.wasInterrupted()) return signalPassFailure();
    result = getOperation().walk([&](gpu::LaunchFuncOp launch) -> WalkResult {
      Operation* kernel = SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr());
      return setSize(launch, bytesOf.lookup(kernel));
    });
    if (result.wasInterrupted()) signalPassFailure();
  }

 private:
  /// Refuses allocations in a device function, which several kernels may call: it has no offset of its own in their
  /// shared memory.
  static LogicalResult checkDeviceFunction(Operation* function) {
    constexpr StringLiteral kError = "shared memory is allocated in a function that is no kernel: inline it first";
    if (auto device = dyn_cast<gpu::GPUFuncOp>(function); device && device.getNumWorkgroupAttributions() != 0)
      return device.emitError(kError);
    WalkResult result = function->walk([&](Operation* op) -> WalkResult {
      if (!isa<memref::AllocOp, memref::AllocaOp>(op) || !isInSharedMemory(op->getResult(0).getType()))
        return success();
      return op->emitError(kError);
    });
    return failure(result.wasInterrupted());
  }

  /// Sets the size of a launch. A size that it has already is kept, and must be enough.
  LogicalResult setSize(gpu::LaunchFuncOp launch, int64_t bytes) {
    if (bytes == 0) return success();
    Value given = launch.getDynamicSharedMemorySize();
    APInt constant;
    bool isConstant = given && matchPattern(given, m_ConstantInt(&constant));
    if (isConstant && constant.sgt(maxBytes))
      return launch.emitError("the launch gives the kernel ")
             << constant.getSExtValue() << " bytes of shared memory, more than the " << maxBytes.getValue()
             << " that a block can have";
    if (isConstant && constant.sge(bytes)) return success();
    if (isConstant && !constant.isZero())
      return launch.emitError("the launch gives the kernel ")
             << constant.getSExtValue() << " bytes of dynamic shared memory, but it needs " << bytes;
    ImplicitLocOpBuilder builder(launch.getLoc(), launch);
    Value size = arith::ConstantIntOp::create(builder, bytes, 32);
    if (given && !isConstant) size = arith::MaxSIOp::create(builder, given, size);
    launch.getDynamicSharedMemorySizeMutable().assign(size);
    return success();
  }
};

struct RepairDynamicSharedLinkage : impl::RepairDynamicSharedLinkagePassBase<RepairDynamicSharedLinkage> {
  void runOnOperation() override {
    for (auto global : getOperation().getOps<LLVM::GlobalOp>()) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
      if (global.getAddrSpace() != kSharedAddressSpace || !array || array.getNumElements() != 0) continue;
      global.setLinkage(LLVM::Linkage::External);
      global.setAlignment(simt::kDynamicSharedAlignment);
    }
  }
};

}  // namespace
}  // namespace mmtune
