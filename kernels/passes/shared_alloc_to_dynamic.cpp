// Shared-memory allocations as views of dynamic shared memory.
#include "kernels/passes/passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

namespace mmtune {
#define GEN_PASS_DEF_SHAREDALLOCTODYNAMICPASS
#include "kernels/passes/Passes.h.inc"
} // namespace mmtune

using namespace mlir;

namespace mmtune {
namespace {

constexpr int64_t kAlignment = 128;

gpu::AddressSpaceAttr workgroupSpace(MLIRContext *context) {
  return gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
}

bool isShared(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref)
    return false;
  if (auto integer = dyn_cast_or_null<IntegerAttr>(memref.getMemorySpace()))
    return integer.getInt() == 3;
  return memref.getMemorySpace() == workgroupSpace(type.getContext());
}

/// Collects the shared buffers of one kernel and replaces them.
class KernelRewriter {
public:
  explicit KernelRewriter(gpu::GPUFuncOp kernel) : kernel(kernel) {}

  /// The bytes of dynamic shared memory that the kernel needs now; 0 when nothing was replaced.
  FailureOr<int64_t> run(int64_t maxBytes) {
    useWorkgroupSpace();
    collect();
    if (buffers.empty())
      return 0;
    FailureOr<int64_t> bytes = layOut(maxBytes);
    if (succeeded(bytes))
      replace();
    return bytes;
  }

private:
  struct Buffer {
    Value value;
    int64_t offset = 0;
  };

  void useWorkgroupSpace() {
    AttrTypeReplacer replacer;
    replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
      if (!isShared(type))
        return std::nullopt;
      return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(),
                             workgroupSpace(type.getContext()));
    });
    replacer.recursivelyReplaceElementsIn(kernel, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }

  void collect() {
    for (BlockArgument attribution : kernel.getWorkgroupAttributions())
      buffers.push_back({attribution});
    kernel.walk([&](memref::AllocOp alloc) {
      if (isShared(alloc.getType()))
        buffers.push_back({alloc.getMemref()});
    });
  }

  FailureOr<int64_t> layOut(int64_t maxBytes) {
    WalkResult used = kernel.walk([](gpu::DynamicSharedMemoryOp op) {
      op.emitError("the kernel already uses dynamic shared memory: its buffers cannot be placed "
                   "beside it");
      return WalkResult::interrupt();
    });
    if (used.wasInterrupted())
      return failure();
    int64_t bytes = 0;
    std::string sizes;
    for (Buffer &buffer : buffers) {
      auto type = cast<MemRefType>(buffer.value.getType());
      if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
          !type.getElementType().isIntOrFloat())
        return emitError(buffer.value.getLoc(), "a shared buffer of type ")
               << type << " has no constant size";
      int64_t size = type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
      buffer.offset = llvm::alignTo(bytes, kAlignment);
      bytes = buffer.offset + size;
      sizes += (sizes.empty() ? "" : " + ") + std::to_string(size);
    }
    if (bytes > maxBytes)
      return kernel.emitError("needs ")
             << bytes << " bytes of shared memory (" << sizes << "), more than the " << maxBytes
             << " that a block can have";
    return bytes;
  }

  void replace() {
    ImplicitLocOpBuilder builder(kernel.getLoc(), &kernel.getBody().front(),
                                 kernel.getBody().front().begin());
    auto arenaType =
        MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(), MemRefLayoutAttrInterface(),
                        workgroupSpace(builder.getContext()));
    Value arena = gpu::DynamicSharedMemoryOp::create(builder, arenaType);
    for (Buffer &buffer : buffers) {
      Value offset = arith::ConstantIndexOp::create(builder, buffer.offset);
      Value view =
          memref::ViewOp::create(builder, cast<MemRefType>(buffer.value.getType()), arena, offset,
                                 /*sizes=*/ValueRange());
      for (Operation *user : llvm::make_early_inc_range(buffer.value.getUsers()))
        if (isa<memref::DeallocOp>(user))
          user->erase();
      buffer.value.replaceAllUsesWith(view);
    }
    SmallVector<Operation *> allocs;
    for (Buffer &buffer : buffers)
      if (Operation *alloc = buffer.value.getDefiningOp())
        allocs.push_back(alloc);
    for (Operation *alloc : allocs)
      separateTurns(alloc);
    for (Operation *alloc : allocs)
      alloc->erase();
    eraseAttributions();
  }

  /// In a loop, keeps a turn's writes behind the last turn's reads.
  static void separateTurns(Operation *alloc) {
    auto loop = alloc->getParentOfType<LoopLikeOpInterface>();
    if (!loop)
      return;
    Operation *previous = alloc->getPrevNode();
    while (isa_and_nonnull<memref::AllocOp>(previous))
      previous = previous->getPrevNode();
    bool separated = isa_and_nonnull<gpu::BarrierOp>(previous);
    if (alloc->getParentOp() == loop)
      separated |=
          isa_and_nonnull<gpu::BarrierOp>(alloc->getBlock()->getTerminator()->getPrevNode());
    OpBuilder builder(alloc);
    if (!separated)
      gpu::BarrierOp::create(builder, alloc->getLoc());
  }

  void eraseAttributions() {
    unsigned count = kernel.getNumWorkgroupAttributions();
    unsigned first = kernel.getNumArguments();
    kernel.getBody().front().eraseArguments(first, count);
    kernel->removeAttr(gpu::GPUFuncOp::getNumWorkgroupAttributionsAttrName());
    kernel.removeWorkgroupAttribAttrsAttr();
  }

  gpu::GPUFuncOp kernel;
  SmallVector<Buffer> buffers;
};

struct SharedAllocToDynamic : impl::SharedAllocToDynamicPassBase<SharedAllocToDynamic> {
  using SharedAllocToDynamicPassBase::SharedAllocToDynamicPassBase;

  void runOnOperation() override {
    llvm::DenseMap<Operation *, int64_t> bytesOf;
    WalkResult result = getOperation().walk([&](gpu::GPUFuncOp function) {
      if (!function.isKernel())
        return checkDeviceFunction(function);
      FailureOr<int64_t> bytes = KernelRewriter(function).run(maxBytes);
      if (failed(bytes))
        return WalkResult::interrupt();
      bytesOf[function] = *bytes;
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      Operation *kernel = SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr());
      int64_t bytes = bytesOf.lookup(kernel);
      if (bytes == 0)
        return;
      OpBuilder builder(launch);
      Value size = arith::ConstantIntOp::create(builder, launch.getLoc(), bytes, 32);
      launch.getDynamicSharedMemorySizeMutable().assign(size);
    });
  }

private:
  /// A function that several kernels call has no place of its own in their shared memory.
  static WalkResult checkDeviceFunction(gpu::GPUFuncOp function) {
    return function.walk([](memref::AllocOp alloc) -> WalkResult {
      if (!isShared(alloc.getType()))
        return WalkResult::advance();
      return alloc.emitError("shared memory is allocated in a function that is no kernel: inline "
                             "it first");
    });
  }
};

} // namespace
} // namespace mmtune
