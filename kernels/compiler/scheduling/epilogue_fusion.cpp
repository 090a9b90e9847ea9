// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/epilogue_fusion.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Uses after which nothing but the used operation itself knows the buffer.
bool keepsNoReference(Operation* op) {
  return isa<linalg::LinalgOp, memref::LoadOp, memref::StoreOp, memref::CopyOp, memref::DeallocOp, gpu::LaunchFuncOp,
             gpu::MemsetOp>(op);
}

class Fuser {
 public:
  /// `start` is what the sums start from: the product's output or what that was extended from; null where they start
  /// from the zeros of `fill`.
  Fuser(const ExtendedProduct& extended, const BufferEffects& effects, Operation* fill, Value start)
      : product(extended.product), effects(effects), start(start) {
    fused.problem = product.problem;
    fused.sizes = product.sizes;
    fused.layout = product.layout;
    fused.batchDims = product.batchDims;
    fused.columnDims = product.columnDims;
    fused.a = product.a;
    fused.b = product.b;
    fused.c = product.c;
    if (fill) fused.replaced.push_back(fill);
    if (start) fused.problem.epilogue.push_back({EpilogueOp::Kind::kAdd});
    fused.addend = start;
    fused.replaced.push_back(product.op);
  }

  /// Nothing when a kernel could take no part of it.
  std::optional<FusedProduct> run() {
    // What a kernel can do as a whole: its bias and addend may have to wait for the rounding behind them.
    std::optional<FusedProduct> whole;
    std::string reason = wrongTypes();
    if (reason.empty()) whole = fused;
    while (linalg::LinalgOp consumer = nextConsumer()) {
      reason = take(consumer);
      bool taken = reason.empty();
      if (taken) reason = wrongTypes();
      if (reason.empty()) {
        whole = fused;
      } else if (whole && !whole->left) {
        whole->left = consumer;
        whole->whyLeft = reason;
      }
      if (!taken) break;
    }
    return whole;
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
    EpilogueSteps steps = readEpilogueSteps(consumer, fused.c, product.columnDims, sumsOf(elementTypeOf(product.a)));
    if (!steps.reason.empty()) return steps.reason;
    if ((steps.bias && fused.bias) || (steps.addend && fused.addend)) return "kernels take one bias and one addend";
    FusedProduct next = fused;
    llvm::append_range(next.problem.epilogue, steps.steps);
    if (absl::Status status = next.problem.Validate(); !status.ok()) return std::string(status.message());
    for (auto [buffer, slot] : {std::pair{steps.bias, &next.bias}, {steps.addend, &next.addend}}) {
      if (!buffer) continue;
      // An addend lies as the output does (wrongTypes).
      std::string why = slot == &next.bias ? whyNotKernelOperand(buffer) : whyNotStridedOperand(buffer);
      if (!why.empty()) return "an operand " + why;
      *slot = buffer;
    }
    if (std::string why = redirect(consumer, next); !why.empty()) return why;
    if (std::string why = setOutputType(next); !why.empty()) return why;
    next.replaced.push_back(consumer);
    if (!steps.note.empty()) {
      next.refined = consumer;
      next.note = steps.note;
    }
    fused = std::move(next);
    return "";
  }

  /// Lets the result go to the consumer's output, or says why not.
  std::string redirect(linalg::LinalgOp consumer, FusedProduct& next) {
    next.c = consumer.getDpsInits()[0];
    if (next.c != fused.c) {
      if (std::string why = whyNotStridedOperand(next.c); !why.empty()) return "its output " + why;
      std::optional<MatmulLayout> layout = layoutWithOutput(product, next.c);
      if (!layout) return "its output " + whyNotKernelOperand(next.c);
      next.layout = *layout;
      if (!isDeadAfter(fused.c, consumer)) return "the product itself is used elsewhere";
      next.deadBuffers.push_back(fused.c);
    }
    // Kernels may read an operand again after they have written a part of the result. Of the addend alone they may get
    // a copy.
    bool copied = next.addend && isCopied(next.addend, next.c);
    for (Value buffer : {next.a, next.b, next.bias, copied ? Value() : next.addend})
      if (buffer && effects.mayAlias(buffer, next.c)) return "its output may be an operand of the product";
    return "";
  }

  /// Makes the type of C that of the output, or says why not.
  static std::string setOutputType(FusedProduct& next) {
    DataType type = *dataTypeOf(elementTypeOf(next.c));
    next.problem.out = OutputType::kSame;
    if (type == next.problem.TypeOfC()) return "";
    next.problem.out = OutputType::kF32;
    if (type == DataType::kF32 && next.problem.Validate().ok()) return "";
    return "kernels store f32 or the type of A and B";
  }

  /// Why no kernel has the types of what is fused so far, or nothing.
  std::string wrongTypes() const {
    for (Value buffer : {fused.bias, fused.addend})
      if (buffer && elementTypeOf(buffer) != elementTypeOf(fused.c))
        return "kernels take bias and addend of the type that they store";
    // A copy of the addend is dense.
    if (fused.addend && (fused.addend == fused.c ? !isDense(fused.c) : !liesAlike(fused.addend, fused.c)))
      return "kernels take an addend that lies as their output does";
    return "";
  }

  static MemRefLayoutAttrInterface layoutOf(Value buffer) { return cast<MemRefType>(buffer.getType()).getLayout(); }
  static bool isDense(Value buffer) { return layoutOf(buffer).isIdentity(); }
  static bool liesAlike(Value x, Value y) { return layoutOf(x) == layoutOf(y); }

  /// Whether a buffer has the old contents of the output, of which the launch gets a copy, or of an output that the
  /// launch does without.
  bool isCopied(Value buffer, Value output) const {
    return buffer == start && (buffer == product.c || buffer == output);
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
  Value start;
  FusedProduct fused;
};

/// Leaves out an extension whose result nobody reads but what is replaced, and not the launch either.
void dropExtension(const Extension& extension, FusedProduct& fused) {
  Operation* op = extension.op;
  Operation* allocation = extension.buffer.getDefiningOp();
  Value operands[] = {fused.a, fused.b, fused.c, fused.bias, fused.addend};
  if (llvm::is_contained(operands, extension.buffer) || llvm::is_contained(fused.replaced, op) ||
      !isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(allocation) || allocation->getBlock() != op->getBlock() ||
      !llvm::all_of(extension.buffer.getUsers(), [&](Operation* user) {
        return user == op || llvm::is_contained(fused.replaced, user) || isa<memref::DeallocOp>(user);
      }))
    return;
  fused.replaced.insert(fused.replaced.begin(), op);
  if (!llvm::is_contained(fused.deadBuffers, extension.buffer)) fused.deadBuffers.push_back(extension.buffer);
}

}  // namespace

Operation* findZeroFill(Operation* op, Value buffer, const BufferEffects& effects) {
  for (Operation* before = op->getPrevNode(); before; before = before->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(before);
    if (fill && fill.getDpsInits()[0] == buffer)
      return matchPattern(fill.getInputs()[0], m_PosZeroFloat()) || matchPattern(fill.getInputs()[0], m_Zero())
                 ? before
                 : nullptr;
    if (before == buffer.getDefiningOp() || effects.mayTouch(before, buffer)) return nullptr;
  }
  return nullptr;
}

std::optional<FusedProduct> fuseEpilogue(const ExtendedProduct& extended, const BufferEffects& effects) {
  const Product& product = extended.product;
  SmallVector<Extension, 2> extensions = extended.extensions;
  Operation* fill = findZeroFill(product.op, product.c, effects);
  std::optional<FusedProduct> fused;
  if (fill) {
    fused = Fuser(extended, effects, fill, Value()).run();
  } else if (std::optional<Extension> old = findExtension(product.op, product.c, effects);
             old && whyNotKernelOperand(old->source).empty()) {
    fused = Fuser(extended, effects, nullptr, old->source).run();
    extensions.push_back(*old);
  }
  if (!fused) fused = Fuser(extended, effects, nullptr, product.c).run();
  if (!fused) return std::nullopt;
  for (const Extension& extension : extensions) dropExtension(extension, *fused);
  return fused;
}

}  // namespace mmtune
