// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_EXPANDSHAPESPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

/// True if a size of the source becomes several that are not known before the program runs.
bool hasSeveralDynamicSizes(memref::ExpandShapeOp op) {
  return llvm::any_of(op.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
    return llvm::count_if(group, [&](int64_t i) { return op.getResultType().isDynamicDim(i); }) > 1;
  });
}

class ShapeExpander {
 public:
  explicit ShapeExpander(memref::ExpandShapeOp op) : op(op), builder(op.getLoc(), op) {}

  void run() {
    auto source = memref::ExtractStridedMetadataOp::create(builder, op.getSrc());
    MemRefType type = op.getResultType();
    SmallVector<int64_t> knownStrides;
    int64_t knownOffset = 0;
    (void)type.getStridesAndOffset(knownStrides, knownOffset);  // A view has them.
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape(), strides(type.getRank());
    for (auto [group, stride] : llvm::zip_equal(op.getReassociationIndices(), source.getStrides())) {
      Value step = stride;
      for (int64_t i : llvm::reverse(group)) {
        strides[i] = asInType(step, knownStrides[i]);
        step =
            builder.createOrFold<arith::MulIOp>(step, getValueOrCreateConstantIndexOp(builder, op.getLoc(), sizes[i]));
      }
    }
    for (auto [size, known] : llvm::zip_equal(sizes, type.getShape()))
      size = asInType(getValueOrCreateConstantIndexOp(builder, op.getLoc(), size), known);
    OpFoldResult offset = asInType(source.getOffset(), knownOffset);
    auto view = memref::ReinterpretCastOp::create(builder, type, source.getBaseBuffer(), offset, sizes, strides);
    op.replaceAllUsesWith(view.getResult());
    op.erase();
  }

 private:
  /// The number, as a constant where the type of the result has it.
  OpFoldResult asInType(Value number, int64_t known) {
    return ShapedType::isDynamic(known) ? OpFoldResult(number) : builder.getIndexAttr(known);
  }

  memref::ExpandShapeOp op;
  ImplicitLocOpBuilder builder;
};

struct ExpandShapes : impl::ExpandShapesPassBase<ExpandShapes> {
  void runOnOperation() override {
    getOperation()->walk([](memref::ExpandShapeOp op) {
      if (hasSeveralDynamicSizes(op)) ShapeExpander(op).run();
    });
  }
};

}  // namespace
}  // namespace mmtune
