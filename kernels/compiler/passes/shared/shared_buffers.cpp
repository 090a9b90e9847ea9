// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/shared/shared_buffers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Where buffers begin at least: a line of the cache, and what every vector access needs.
constexpr int64_t kMinAlignment = 128;

bool isAllocation(Operation* op) { return isa<memref::AllocOp, memref::AllocaOp>(op); }

/// Whether `op`'s accesses are over when it is, and its operands stay where they are.
bool isUnderstood(Operation* op) {
  return isa<memref::MemRefDialect, affine::AffineDialect>(op->getDialect()) ||
         isa<vector::VectorDialect, gpu::GPUDialect>(op->getDialect()) ||
         op->getName().getDialectNamespace() == "linalg";
}

bool forwards(OpOperand& use) {
  Operation* op = use.getOwner();
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<RegionBranchOpInterface>(op) || isa<CallOpInterface>(op))
    return true;
  if (auto store = dyn_cast<memref::StoreOp>(op); store && use.get() == store.getValueToStore()) return true;
  return isa<memref::ExtractAlignedPointerAsIndexOp>(op) ||
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType, LLVM::LLVMPointerType>);
}

void followUses(SharedBuffer& buffer) {
  SmallVector<Value> work{buffer.value};
  while (!work.empty()) {
    for (OpOperand& use : work.pop_back_val().getUses()) {
      Operation* op = use.getOwner();
      if (isa<memref::DeallocOp>(op)) {
        buffer.deallocations.push_back(op);
        continue;
      }
      if (auto view = dyn_cast<ViewLikeOpInterface>(op); view && view.getViewSource() == use.get()) {
        llvm::append_range(work, op->getResults());
        continue;
      }
      buffer.uses.push_back(op);
      if (forwards(use)) buffer.escape = op;
      if (!isUnderstood(op)) buffer.opaque = true;
    }
  }
  if (!buffer.uses.empty()) return;
  Operation* alloc = buffer.value.getDefiningOp();
  buffer.uses.push_back(alloc ? alloc : &buffer.home()->front());
}

/// Bytes of an element in memory, 0 for types that have no layout there.
int64_t elementBytes(Type type, Operation* scope) {
  if (!isa<IntegerType, FloatType, IndexType, VectorType, ComplexType>(type)) return 0;
  return DataLayout::closest(scope).getTypeSize(type).getFixedValue();
}

LogicalResult measure(SharedBuffer& buffer, uint64_t alignment, gpu::GPUFuncOp kernel) {
  auto type = cast<MemRefType>(buffer.value.getType());
  int64_t element = elementBytes(type.getElementType(), kernel);
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || element == 0)
    return emitError(buffer.value.getLoc(), "a shared buffer of type ") << type << " has no constant size";
  buffer.bytes = type.getNumElements() * element;
  buffer.alignment = std::max<int64_t>(alignment, kMinAlignment);
  return success();
}

/// The innermost block that both buffers' homes are in or below.
Block* commonBlock(const SharedBuffer& a, const SharedBuffer& b) {
  for (Block* block = a.home();; block = block->getParentOp()->getBlock()) {
    if (block == b.home() || block->findAncestorOpInBlock(*b.home()->getParentOp())) return block;
    if (isa<gpu::GPUFuncOp>(block->getParentOp())) return nullptr;
  }
}

}  // namespace

bool usesDynamicShared(gpu::GPUFuncOp kernel) {
  return kernel.walk([](gpu::DynamicSharedMemoryOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

bool isInSharedMemory(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref) return false;
  if (auto integer = dyn_cast_or_null<IntegerAttr>(memref.getMemorySpace())) return integer.getInt() == 3;
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(memref.getMemorySpace());
  return space && space.getValue() == gpu::AddressSpace::Workgroup;
}

FailureOr<SmallVector<SharedBuffer>> findSharedBuffers(gpu::GPUFuncOp kernel) {
  SmallVector<SharedBuffer> buffers;
  for (auto [index, attribution] : llvm::enumerate(kernel.getWorkgroupAttributions())) {
    auto alignment =
        dyn_cast_or_null<IntegerAttr>(kernel.getWorkgroupAttributionAttr(index, LLVM::LLVMDialect::getAlignAttrName()));
    SharedBuffer& buffer = buffers.emplace_back();
    buffer.value = attribution;
    if (failed(measure(buffer, alignment ? alignment.getInt() : 0, kernel))) return failure();
  }
  WalkResult result = kernel.walk([&](Operation* op) {
    if (!isAllocation(op) || !isInSharedMemory(op->getResult(0).getType())) return WalkResult::advance();
    auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
    SharedBuffer& buffer = buffers.emplace_back();
    buffer.value = op->getResult(0);
    return WalkResult(measure(buffer, alignment ? alignment.getInt() : 0, kernel));
  });
  if (result.wasInterrupted()) return failure();
  for (SharedBuffer& buffer : buffers) followUses(buffer);
  return buffers;
}

std::optional<BufferSpan> spanIn(Block* block, const SharedBuffer& buffer) {
  if (buffer.escape || buffer.opaque) return std::nullopt;
  std::optional<BufferSpan> span;
  for (Operation* use : buffer.uses) {
    Operation* op = block->findAncestorOpInBlock(*use);
    if (!op) return std::nullopt;
    if (!span) span = BufferSpan{op, op};
    if (op->isBeforeInBlock(span->first)) span->first = op;
    if (span->last->isBeforeInBlock(op)) span->last = op;
  }
  return span;
}

std::optional<DisjointBuffers> findDisjoint(const SharedBuffer& a, const SharedBuffer& b, UniformControlFlow& flow) {
  Block* block = commonBlock(a, b);
  if (!block || !flow.isUniform(block)) return std::nullopt;
  std::optional<BufferSpan> spanA = spanIn(block, a), spanB = spanIn(block, b);
  if (!spanA || !spanB) return std::nullopt;
  if (spanA->last->isBeforeInBlock(spanB->first)) return DisjointBuffers{block, *spanA, *spanB};
  if (spanB->last->isBeforeInBlock(spanA->first)) return DisjointBuffers{block, *spanB, *spanA};
  return std::nullopt;
}

}  // namespace mmtune
