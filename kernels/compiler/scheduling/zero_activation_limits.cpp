// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass zero-activation-limits: gelu and silu are 0 at minus infinity, as in kernels.
#include "kernels/compiler/scheduling/activation_match.h"
#include "kernels/compiler/scheduling/schedule_matmul.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_ZEROACTIVATIONLIMITSPASS
#include "kernels/compiler/scheduling/Passes.h.inc"

namespace {

struct ZeroActivationLimits : impl::ZeroActivationLimitsPassBase<ZeroActivationLimits> {
  void runOnOperation() override {
    SmallVector<std::pair<Value, Value>> curves;
    getOperation().walk([&](linalg::LinalgOp op) {
      for (Operation& inner : op.getBlock()->without_terminator())
        for (Value value : inner.getResults())
          if (std::optional<ActivationForm> form = matchActivation(op, value)) curves.emplace_back(value, form->x);
    });
    for (auto [value, x] : curves) {
      OpBuilder builder(&getContext());
      builder.setInsertionPointAfter(value.getDefiningOp());
      const llvm::fltSemantics& semantics = cast<FloatType>(value.getType()).getFloatSemantics();
      auto constant = [&](const APFloat& number) -> Value {
        return arith::ConstantOp::create(builder, value.getLoc(), builder.getFloatAttr(value.getType(), number));
      };
      Value isLimit = arith::CmpFOp::create(builder, value.getLoc(), arith::CmpFPredicate::OEQ, x,
                                            constant(APFloat::getInf(semantics, /*Negative=*/true)));
      Value limited =
          arith::SelectOp::create(builder, value.getLoc(), isLimit, constant(APFloat::getZero(semantics)), value);
      value.replaceAllUsesExcept(limited, limited.getDefiningOp());
    }
  }
};

}  // namespace
}  // namespace mmtune
