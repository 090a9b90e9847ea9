// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/shared/passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Returns the values that determine how often the regions of `op` run; nothing when they are unknown.
std::optional<SmallVector<Value>> controllingValues(Operation* op) {
  using Values = std::optional<SmallVector<Value>>;
  return llvm::TypeSwitch<Operation*, Values>(op)
      .Case<scf::ForOp>([](scf::ForOp loop) {
        return SmallVector<Value>{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
      })
      .Case<scf::IfOp>([](scf::IfOp op) { return SmallVector<Value>{op.getCondition()}; })
      .Case<affine::AffineForOp>([](affine::AffineForOp loop) {
        SmallVector<Value> values(loop.getLowerBoundOperands());
        llvm::append_range(values, loop.getUpperBoundOperands());
        return values;
      })
      .Case<affine::AffineIfOp>([](affine::AffineIfOp op) { return SmallVector<Value>(op.getOperands()); })
      .Case<scf::ExecuteRegionOp, memref::AllocaScopeOp>([](auto) { return SmallVector<Value>(); })
      .Default([](Operation*) { return std::nullopt; });
}

bool isInductionVariable(BlockArgument argument) {
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (!loop) return false;
  std::optional<SmallVector<Value>> variables = loop.getLoopInductionVars();
  return variables && llvm::is_contained(*variables, argument);
}

/// The minimum alignment of buffers: a cache line, which every vector access accepts.
constexpr int64_t kMinAlignment = 128;

bool isAllocation(Operation* op) { return isa<memref::AllocOp, memref::AllocaOp>(op); }

/// True if `op` accesses its operands synchronously and its results do not refer to them.
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

/// Returns the bytes of an element in memory, 0 for types without a memory layout.
int64_t elementBytes(Type type, Operation* scope) {
  if (!isa<IntegerType, FloatType, IndexType, VectorType, ComplexType>(type)) return 0;
  return DataLayout::closest(scope).getTypeSize(type).getFixedValue();
}

LogicalResult measure(SharedBuffer& buffer, uint64_t alignment, gpu::GPUFuncOp kernel) {
  auto type = cast<MemRefType>(buffer.value.getType());
  int64_t element = elementBytes(type.getElementType(), kernel);
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || element == 0)
    return emitError(buffer.value.getLoc(), "a shared buffer of type ")
           << type << " has no constant size: give it a static shape and the identity layout";
  buffer.bytes = type.getNumElements() * element;
  buffer.alignment = std::max<int64_t>(alignment, kMinAlignment);
  return success();
}

/// Returns the innermost block that contains both buffers' homes.
Block* commonBlock(const SharedBuffer& a, const SharedBuffer& b) {
  for (Block* block = a.home();; block = block->getParentOp()->getBlock()) {
    if (block == b.home() || block->findAncestorOpInBlock(*b.home()->getParentOp())) return block;
    if (isa<gpu::GPUFuncOp>(block->getParentOp())) return nullptr;
  }
}

}  // namespace

bool UniformControlFlow::isUniform(Block* block) {
  if (barrierBetween(block, nullptr, nullptr)) return true;
  if (!block->isEntryBlock()) return false;
  Operation* parent = block->getParentOp();
  if (isa<FunctionOpInterface>(parent)) return true;
  std::optional<SmallVector<Value>> values = controllingValues(parent);
  return values && llvm::all_of(*values, [&](Value value) { return isUniform(value); }) &&
         isUniform(parent->getBlock());
}

bool UniformControlFlow::isUniform(Value value) {
  auto it = known.find(value);
  if (it != known.end()) return it->second;
  bool uniform = compute(value);
  known[value] = uniform;
  return uniform;
}

bool UniformControlFlow::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation* parent = argument.getOwner()->getParentOp();
    if (auto kernel = dyn_cast<gpu::GPUFuncOp>(parent)) return kernel.isKernel() && argument.getOwner()->isEntryBlock();
    std::optional<SmallVector<Value>> values = controllingValues(parent);
    return values && isInductionVariable(argument) &&
           llvm::all_of(*values, [&](Value bound) { return isUniform(bound); });
  }
  Operation* op = value.getDefiningOp();
  if (isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::ClusterIdOp, gpu::ClusterDimOp, gpu::NumSubgroupsOp,
          gpu::SubgroupSizeOp>(op))
    return true;
  bool computes =
      isa<arith::ArithDialect, affine::AffineDialect, math::MathDialect>(op->getDialect()) || isa<memref::DimOp>(op);
  return computes && op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isUniform(operand); });
}

bool isInLoop(Block* block) {
  for (;;) {
    Operation* parent = block->getParentOp();
    if (isa<LoopLikeOpInterface>(parent) || block->isReachable(block)) return true;
    if (isa<FunctionOpInterface>(parent)) return false;
    block = parent->getBlock();
  }
}

Operation* barrierBetween(Block* block, Operation* first, Operation* last) {
  Block::iterator begin = first ? std::next(first->getIterator()) : block->begin();
  Block::iterator end = last ? last->getIterator() : block->end();
  auto found = std::find_if(begin, end, llvm::IsaPred<gpu::BarrierOp, NVVM::Barrier0Op>);
  return found == end ? nullptr : &*found;
}

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
