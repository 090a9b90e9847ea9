// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/compare.h"

#include "kernels/simulator/ptx/floats.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace mmtune::ptx {

Value compareValues(InstructionEmitter& e, StringRef comparison, const ScalarType& type, Value a, Value b) {
  if (type.isFloat()) {
    using P = LLVM::FCmpPredicate;
    const P predicate = llvm::StringSwitch<P>(comparison)
                            .Case("eq", P::oeq)
                            .Case("ne", P::one)
                            .Case("lt", P::olt)
                            .Case("le", P::ole)
                            .Case("gt", P::ogt)
                            .Case("ge", P::oge)
                            .Case("equ", P::ueq)
                            .Case("neu", P::une)
                            .Case("ltu", P::ult)
                            .Case("leu", P::ule)
                            .Case("gtu", P::ugt)
                            .Case("geu", P::uge)
                            .Case("num", P::ord)
                            .Default(P::uno);
    return e.byLane({a, b}, [&](ArrayRef<Value> v) -> Value {
      Value x = v[0], y = v[1];
      if (e.has("ftz")) x = flushed(e, x), y = flushed(e, y);
      return LLVM::FCmpOp::create(e.b, predicate, x, y);
    });
  }
  using P = LLVM::ICmpPredicate;
  const bool isSigned = type.isSigned();
  const P predicate = llvm::StringSwitch<P>(comparison)
                          .Case("eq", P::eq)
                          .Case("ne", P::ne)
                          .Case("lt", isSigned ? P::slt : P::ult)
                          .Case("le", isSigned ? P::sle : P::ule)
                          .Case("gt", isSigned ? P::sgt : P::ugt)
                          .Case("ge", isSigned ? P::sge : P::uge)
                          .Case("lo", P::ult)
                          .Case("ls", P::ule)
                          .Case("hi", P::ugt)
                          .Default(P::uge);
  return LLVM::ICmpOp::create(e.b, predicate, a, b);
}

}  // namespace mmtune::ptx
