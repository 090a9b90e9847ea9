// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/scheduling/epilogue_fusion.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

/// The fill that sets `buffer` to +0 before `op`, with nothing in between that touches it.
Operation* findZeroFill(Operation* op, Value buffer, const BufferEffects& effects) {
  for (Operation* before = op->getPrevNode(); before; before = before->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(before);
    if (fill && fill.getDpsInits()[0] == buffer)
      return matchPattern(fill.getInputs()[0], m_PosZeroFloat()) ? before : nullptr;
    if (effects.mayTouch(before, buffer)) return nullptr;
  }
  return nullptr;
}

/// Uses after which nothing but the used operation itself knows the buffer.
bool keepsNoReference(Operation* op) {
  return isa<linalg::LinalgOp, memref::LoadOp, memref::StoreOp, memref::CopyOp, memref::DeallocOp, gpu::LaunchFuncOp,
             gpu::MemsetOp>(op);
}

class Fuser {
 public:
  Fuser(const Product& product, const BufferEffects& effects) : product(product), effects(effects) {
    fused.problem = product.problem;
    fused.a = product.a;
    fused.b = product.b;
    fused.c = product.c;
    if (Operation* fill = findZeroFill(product.op, product.c, effects)) {
      fused.replaced.push_back(fill);
    } else {
      fused.problem.epilogue.push_back({EpilogueOp::Kind::kAdd});
      fused.addend = product.c;
    }
    fused.replaced.push_back(product.op);
  }

  FusedProduct run() {
    while (linalg::LinalgOp consumer = nextConsumer()) {
      std::string reason = take(consumer);
      if (reason.empty()) continue;
      consumer.emitRemark() << "is not fused into the product before it: " << reason;
      break;
    }
    return std::move(fused);
  }

 private:
  /// The next operation that takes the result, if everything up to it could as well come first.
  linalg::LinalgOp nextConsumer() {
    Operation* op = fused.position();
    while ((op = op->getNextNode())) {
      auto consumer = dyn_cast<linalg::LinalgOp>(op);
      if (consumer && llvm::is_contained(op->getOperands(), fused.c))
        return consumer.getNumParallelLoops() == consumer.getNumLoops() ? consumer : linalg::LinalgOp();
      if (effects.mayTouch(op, fused.c) ||
          llvm::any_of(reads(), [&](Value buffer) { return effects.mayWrite(op, buffer); }))
        return {};
    }
    return {};
  }

  SmallVector<Value> reads() const {
    SmallVector<Value> buffers{fused.a, fused.b};
    for (Value buffer : {fused.bias, fused.addend})
      if (buffer && buffer != fused.c) buffers.push_back(buffer);
    return buffers;
  }

  /// Takes a consumer in, or says why not.
  std::string take(linalg::LinalgOp consumer) {
    EpilogueSteps steps = readEpilogueSteps(consumer, fused.c, product.columnDims);
    if (!steps.reason.empty()) return steps.reason;
    if ((steps.bias && fused.bias) || (steps.addend && fused.addend)) return "kernels take one bias and one addend";
    FusedProduct next = fused;
    llvm::append_range(next.problem.epilogue, steps.steps);
    if (absl::Status status = next.problem.Validate(); !status.ok()) return std::string(status.message());
    for (auto [buffer, slot] : {std::pair{steps.bias, &next.bias}, {steps.addend, &next.addend}}) {
      if (!buffer) continue;
      if (std::string why = whyNotKernelOperand(buffer); !why.empty()) return "an operand " + why;
      *slot = buffer;
    }
    if (std::string why = redirect(consumer, next); !why.empty()) return why;
    next.replaced.push_back(consumer);
    fused = std::move(next);
    return "";
  }

  /// Lets the result go to the consumer's output, or says why not.
  std::string redirect(linalg::LinalgOp consumer, FusedProduct& next) {
    next.c = consumer.getDpsInits()[0];
    if (next.c != fused.c) {
      if (std::string why = whyNotKernelOperand(next.c); !why.empty()) return "its output " + why;
      if (!isDeadAfter(fused.c, consumer)) return "the product itself is used elsewhere";
      next.deadBuffers.push_back(fused.c);
    }
    // Kernels may read an operand again after they have written a part of the result.
    for (Value buffer : {next.a, next.b, next.bias, next.addend})
      if (buffer && buffer != product.c && effects.mayAlias(buffer, next.c))
        return "its output may be an operand of the product";
    return "";
  }

  /// Whether a local buffer's contents are not seen after `consumer` (nor before, of what is
  /// written from the product on).
  bool isDeadAfter(Value buffer, Operation* consumer) {
    Operation* allocation = buffer.getDefiningOp();
    Block* block = consumer->getBlock();
    if (!allocation || !isa<memref::AllocOp, memref::AllocaOp>(allocation) || allocation->getBlock() != block)
      return false;
    return llvm::all_of(buffer.getUsers(), [&](Operation* user) {
      Operation* inBlock = block->findAncestorOpInBlock(*user);
      if (!inBlock || !keepsNoReference(user)) return false;
      return inBlock == consumer || llvm::is_contained(fused.replaced, inBlock) || isa<memref::DeallocOp>(inBlock) ||
             inBlock->isBeforeInBlock(product.op);
    });
  }

  const Product& product;
  const BufferEffects& effects;
  FusedProduct fused;
};

}  // namespace

FusedProduct fuseEpilogue(const Product& product, const BufferEffects& effects) {
  return Fuser(product, effects).run();
}

}  // namespace mmtune
