// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/matmul_fusion.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

/// True for uses after which nothing else refers to the buffer.
bool keepsNoReference(Operation* op) {
  return isa<linalg::LinalgOp, memref::LoadOp, memref::StoreOp, memref::CopyOp, memref::DeallocOp, gpu::LaunchFuncOp,
             gpu::MemsetOp>(op);
}

class Fuser {
 public:
  /// `start` is added to the result: the matmul's output, or what it was extended from. It is null with a `fill` of
  /// zeros.
  Fuser(const ExtendedMatmul& extended, const BufferEffects& effects, Operation* fill, Value start)
      : matmul(extended.matmul), effects(effects), start(start) {
    fused.problem = matmul.problem;
    fused.sizes = matmul.sizes;
    fused.layout = matmul.layout;
    fused.batchDims = matmul.batchDims;
    fused.columnDims = matmul.columnDims;
    fused.a = matmul.a;
    fused.b = matmul.b;
    fused.c = matmul.c;
    if (fill) fused.replaced.push_back(fill);
    if (start) fused.problem.epilogue.push_back({EpilogueOp::Kind::kAdd});
    fused.addend = start;
    fused.replaced.push_back(matmul.op);
  }

  /// Returns nothing if no kernel can compute any part.
  std::optional<FusedMatmul> run() {
    // The longest prefix that a kernel can compute: bias and addend may need the rounding behind them.
    std::optional<FusedMatmul> whole;
    std::string reason = wrongTypes();
    if (reason.empty()) whole = fused;
    while (linalg::LinalgOp consumer = nextConsumer()) {
      reason = take(consumer);
      bool taken = reason.empty();
      if (taken) reason = wrongTypes();
      if (reason.empty()) {
        whole = fused;
      } else if (whole && !whole->notFused) {
        whole->notFused = consumer;
        whole->whyNotFused = reason;
      }
      if (!taken) break;
    }
    return whole;
  }

 private:
  /// Returns the next consumer of the result if everything before it could as well come first.
  linalg::LinalgOp nextConsumer() {
    Operation* op = fused.position();
    while ((op = op->getNextNode())) {
      auto consumer = dyn_cast<linalg::LinalgOp>(op);
      if (consumer && llvm::is_contained(op->getOperands(), fused.c))
        return hasOnlyParallelLoops(consumer) ? consumer : linalg::LinalgOp();
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

  /// Fuses a consumer, or returns why it cannot.
  std::string take(linalg::LinalgOp consumer) {
    EpilogueSteps steps =
        readEpilogueSteps(consumer, fused.c, matmul.columnDims, accumulatorTypeOf(elementTypeOf(matmul.a)));
    if (!steps.reason.empty()) return steps.reason;
    if ((steps.bias && fused.bias) || (steps.addend && fused.addend)) return "kernels support one bias and one addend";
    FusedMatmul next = fused;
    llvm::append_range(next.problem.epilogue, steps.steps);
    if (absl::Status status = next.problem.Validate(); !status.ok()) return std::string(status.message());
    for (auto [buffer, slot] : {std::pair{steps.bias, &next.bias}, {steps.addend, &next.addend}}) {
      if (!buffer) continue;
      // wrongTypes() checks that an addend has the output's layout.
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

  /// Redirects the result to the consumer's output, or returns why it cannot.
  std::string redirect(linalg::LinalgOp consumer, FusedMatmul& next) {
    next.c = consumer.getDpsInits()[0];
    if (next.c != fused.c) {
      if (std::string why = whyNotStridedOperand(next.c); !why.empty()) return "its output " + why;
      std::optional<MatmulLayout> layout = layoutWithOutput(matmul, next.c);
      if (!layout) return "its output " + whyNotKernelOperand(next.c);
      next.layout = *layout;
      if (!isDeadAfter(fused.c, consumer)) return "the matmul's result is used elsewhere";
      next.deadBuffers.push_back(fused.c);
    }
    // Kernels may read an operand after they wrote a part of the result. Only the addend may be a copy.
    bool copied = next.addend && isCopied(next.addend, next.c);
    for (Value buffer : {next.a, next.b, next.bias, copied ? Value() : next.addend})
      if (buffer && effects.mayAlias(buffer, next.c)) return "its output may be an operand of the matmul";
    return "";
  }

  /// Sets the type of C to that of the output, or returns why it cannot.
  static std::string setOutputType(FusedMatmul& next) {
    DataType type = *dataTypeOf(elementTypeOf(next.c));
    next.problem.out = OutputType::kSame;
    if (type == next.problem.TypeOfC()) return "";
    next.problem.out = OutputType::kF32;
    if (type == DataType::kF32 && next.problem.Validate().ok()) return "";
    return "C must be f32 or have the type of A and B";
  }

  /// Returns why no kernel has these types and layouts, or an empty string.
  std::string wrongTypes() const {
    for (Value buffer : {fused.bias, fused.addend})
      if (buffer && elementTypeOf(buffer) != elementTypeOf(fused.c)) return "bias and addend must have the type of C";
    // A copy of the addend is dense.
    if (fused.addend && (fused.addend == fused.c ? !isDense(fused.c) : !liesAlike(fused.addend, fused.c)))
      return "the addend must have the layout of C";
    return "";
  }

  static MemRefLayoutAttrInterface layoutOf(Value buffer) { return cast<MemRefType>(buffer.getType()).getLayout(); }
  static bool isDense(Value buffer) { return layoutOf(buffer).isIdentity(); }
  static bool liesAlike(Value x, Value y) { return layoutOf(x) == layoutOf(y); }

  /// True if the launch gets a copy of `buffer`, which holds the old contents of the output or of one that it replaces.
  bool isCopied(Value buffer, Value output) const {
    return buffer == start && (buffer == matmul.c || buffer == output);
  }

  /// True if nothing reads a local buffer after `consumer`, or before the matmul.
  bool isDeadAfter(Value buffer, Operation* consumer) {
    Operation* allocation = buffer.getDefiningOp();
    Block* block = consumer->getBlock();
    if (!allocation || !isa<memref::AllocOp, memref::AllocaOp>(allocation) || allocation->getBlock() != block)
      return false;
    return llvm::all_of(buffer.getUsers(), [&](Operation* user) {
      Operation* inBlock = block->findAncestorOpInBlock(*user);
      if (!inBlock || !keepsNoReference(user)) return false;
      return inBlock == consumer || llvm::is_contained(fused.replaced, inBlock) || isa<memref::DeallocOp>(inBlock) ||
             inBlock->isBeforeInBlock(matmul.op);
    });
  }

  const Matmul& matmul;
  const BufferEffects& effects;
  Value start;
  FusedMatmul fused;
};

/// Replaces an extension, too, if only replaced operations read its result.
void dropExtension(const Extension& extension, FusedMatmul& fused) {
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

std::optional<Extension> findExtension(Operation* reader, Value buffer, const BufferEffects& effects) {
  // A quick exit: most operands are not extended, and many operations may come before.
  if (llvm::none_of(buffer.getUsers(), [&](Operation* user) {
        auto op = dyn_cast<linalg::LinalgOp>(user);
        return op && user->getBlock() == reader->getBlock() && isExtension(op) && op.getDpsInits()[0] == buffer;
      }))
    return std::nullopt;
  SmallVector<Operation*> between;
  for (Operation* before = reader->getPrevNode(); before; before = before->getPrevNode()) {
    if (!effects.mayWrite(before, buffer)) {
      between.push_back(before);
      continue;
    }
    auto op = dyn_cast<linalg::LinalgOp>(before);
    if (!op || !isExtension(op) || op.getDpsInits()[0] != buffer) return std::nullopt;
    Value source = op.getDpsInputs()[0];
    if (effects.mayAlias(source, buffer) ||
        llvm::any_of(between, [&](Operation* later) { return effects.mayWrite(later, source); }))
      return std::nullopt;
    return Extension{op, source, buffer};
  }
  return std::nullopt;
}

std::optional<ExtendedMatmul> withoutExtensions(const Matmul& matmul, const BufferEffects& effects) {
  std::optional<Extension> a = findExtension(matmul.op, matmul.a, effects);
  std::optional<Extension> b = findExtension(matmul.op, matmul.b, effects);
  if (!a || !b || elementTypeOf(a->source) != elementTypeOf(b->source)) return std::nullopt;
  for (Value source : {a->source, b->source})
    if (!whyNotStridedOperand(source).empty() || accumulatorTypeOf(elementTypeOf(source)) != elementTypeOf(matmul.c) ||
        effects.mayAlias(source, matmul.c))
      return std::nullopt;
  std::optional<Matmul> narrow = withInputs(matmul, a->source, b->source);
  return narrow ? std::optional(ExtendedMatmul{*narrow, {*a, *b}}) : std::nullopt;
}

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

std::optional<FusedMatmul> fuseEpilogue(const ExtendedMatmul& extended, const BufferEffects& effects) {
  const Matmul& matmul = extended.matmul;
  SmallVector<Extension, 2> extensions = extended.extensions;
  Operation* fill = findZeroFill(matmul.op, matmul.c, effects);
  std::optional<FusedMatmul> fused;
  if (fill) {
    fused = Fuser(extended, effects, fill, Value()).run();
  } else if (std::optional<Extension> old = findExtension(matmul.op, matmul.c, effects);
             old && whyNotKernelOperand(old->source).empty()) {
    fused = Fuser(extended, effects, nullptr, old->source).run();
    extensions.push_back(*old);
  }
  if (!fused) fused = Fuser(extended, effects, nullptr, matmul.c).run();
  if (!fused) return std::nullopt;
  for (const Extension& extension : extensions) dropExtension(extension, *fused);
  return fused;
}

}  // namespace mmtune
