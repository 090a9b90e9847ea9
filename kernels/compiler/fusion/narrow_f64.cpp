// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detours through f64, done in f32.
#include "kernels/compiler/fusion/f64_chain.h"
#include "kernels/compiler/fusion/passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_NARROWF64PASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

Type narrowed(Type type) {
  auto f32 = Float32Type::get(type.getContext());
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(f32)) : f32;
}

TypedAttr narrowed(TypedAttr constant) {
  auto f32 = Float32Type::get(constant.getContext());
  auto round = [](APFloat value) {
    bool inexact = false;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &inexact);
    return value;
  };
  if (auto number = dyn_cast<FloatAttr>(constant)) return FloatAttr::get(f32, round(number.getValue()));
  return cast<DenseFPElementsAttr>(constant).mapValues(
      f32, [&](const APFloat& value) { return round(value).bitcastToAPInt(); });
}

/// Computes one chain in f32.
class ChainNarrower {
 public:
  void run(const F64Chain& chain) {
    for (OpOperand* use : chain.starts) replaced.push_back(use->get().getDefiningOp());
    for (OpOperand* use : chain.starts) use->set(narrowStart(use->get()));
    for (Value value : chain.values) value.setType(narrowed(value.getType()));
    for (arith::TruncFOp end : chain.ends) {
      if (!end.getType().isF32()) continue;
      end.replaceAllUsesWith(end.getIn());
      end.erase();
    }
    llvm::SetVector<Operation*> unused(replaced.begin(), replaced.end());
    while (!unused.empty()) {
      Operation* op = unused.pop_back_val();
      if (!isOpTriviallyDead(op)) continue;
      for (Value operand : op->getOperands())
        if (Operation* made = operand.getDefiningOp()) unused.insert(made);
      op->erase();
    }
  }

 private:
  Value narrowStart(Value start) {
    if (Value made = starts.lookup(start)) return made;
    Value made = makeNarrow(start);
    starts[start] = made;
    return made;
  }

  /// What `start` is (`isF64Start`), in f32 beside it.
  Value makeNarrow(Value start) {
    Operation* op = start.getDefiningOp();
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return arith::ConstantOp::create(builder, loc, narrowed(constant.getValue()));
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return tensor::EmptyOp::create(builder, loc, empty.getMixedSizes(), builder.getF32Type());
    if (auto extension = dyn_cast<arith::ExtFOp>(op)) {
      if (extension.getIn().getType().isF32()) return extension.getIn();
      return arith::ExtFOp::create(builder, loc, builder.getF32Type(), extension.getIn());
    }
    auto structured = cast<linalg::LinalgOp>(op);
    Value input = structured.getDpsInputs()[0];
    if (getElementTypeOrSelf(input.getType()).isF32()) {
      // Either may have sizes that only the other knows.
      const Type type = narrowed(start.getType());
      return input.getType() == type ? input : tensor::CastOp::create(builder, loc, type, input).getResult();
    }
    Value init = narrowStart(structured.getDpsInits()[0]);
    if (isa<linalg::FillOp>(op)) return linalg::FillOp::create(builder, loc, narrowStart(input), init).getResult(0);
    auto extension = cast<linalg::GenericOp>(builder.clone(*op));
    extension.getDpsInitsMutable()[0].set(init);
    extension->getResult(0).setType(init.getType());
    Block& body = *extension.getBlock();
    body.getArgument(1).setType(builder.getF32Type());
    body.front().getResult(0).setType(builder.getF32Type());
    return extension->getResult(0);
  }

  llvm::DenseMap<Value, Value> starts;
  SmallVector<Operation*> replaced;
};

struct NarrowF64 : impl::NarrowF64PassBase<NarrowF64> {
  using NarrowF64PassBase::NarrowF64PassBase;

  void runOnOperation() override {
    SmallVector<arith::TruncFOp> ends;
    getOperation().walk([&](arith::TruncFOp end) { ends.push_back(end); });
    llvm::DenseSet<Value> refused;
    llvm::SmallPtrSet<Operation*, 8> done;
    for (arith::TruncFOp end : ends) {
      if (done.contains(end)) continue;
      std::optional<F64Chain> chain = readF64Chain(end, refused);
      if (!chain) continue;
      if (onlyTell) {
        end.emitRemark() << "f64 arithmetic between values of f32 ends here: --narrow-f64 does it in f32";
        return;
      }
      end.emitRemark() << "f64 arithmetic that ends here is done in f32 (--narrow-f64): " << chain->arithmetic.size()
                       << " operations";
      done.insert(chain->ends.begin(), chain->ends.end());
      ChainNarrower().run(*chain);
    }
  }
};

}  // namespace
}  // namespace mmtune
