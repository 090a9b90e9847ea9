// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each activation but tanh is x * s(x) with an s that rises from 0 to 1 and s(x) + s(-x) = 1. So it equals
//
//   max(x, 0) - |x| * s(-|x|)
//
// whose second part decays on both sides, where its rounding does not matter. s(-|x|) comes from a power of two that
// falls to exactly 0 at a limit; larger |x| count as the limit. All polynomials are minimax approximations of the
// relative error (for gelu, of the absolute error where it is below 2^-30).
#include "kernels/families/common/epilogue_emitter.h"

#include "llvm/ADT/ArrayRef.h"

using mlir::Value;

namespace mmtune {
namespace {

/// Evaluates the polynomial with these coefficients, from x^0 on, by Horner's rule.
Value polynomial(KernelBuilder& builder, Value x, llvm::ArrayRef<float> coefficients) {
  Value sum = builder.splat(x.getType(), coefficients.back());
  for (float coefficient : llvm::reverse(coefficients.drop_back()))
    sum = builder.multiplyAdd(sum, x, builder.splat(x.getType(), coefficient));
  return sum;
}

/// Returns 2^(x*y) for x*y from -127.4 to 0, and 0 below -126.5; x*y itself is not rounded.
Value exp2OfProduct(KernelBuilder& builder, Value x, Value y) {
  // Adding this number rounds to an integer, whose lowest bits become the exponent field.
  constexpr float kExponentInLowBits = 0x1.8p23f + 127;
  // Relative error for 2^f with f from -1/2 to 1/2: 2^-29.
  constexpr float kExp2[] = {1.0f,          0.69314718f,   0.24022646f,   0.055503286f,
                             0.0096184891f, 0.0013399931f, 0.00015345812f};
  Value anchor = builder.splat(x.getType(), kExponentInLowBits);
  Value anchored = builder.multiplyAdd(x, y, anchor);
  Value fraction = builder.multiplyAdd(x, y, builder.subtractFloats(anchor, anchored));
  constexpr int64_t kSignificandBits = 23;
  Value power = polynomial(builder, fraction, kExp2);
  return builder.multiplyFloats(power, builder.shiftBitsOfFloats(anchored, kSignificandBits));
}

/// Returns e / (1 + e) for e from 0 to 1.
Value overOnePlus(KernelBuilder& builder, Value e) {
  // Relative error for 1/d with d from 1 to 2: 2^-9.2; after one iteration of third order 2^-27.5.
  constexpr float kReciprocal[] = {2.8284228f, -2.9393413f, 1.3310225f, -0.22183709f};
  Value one = builder.splat(e.getType(), 1);
  Value d = builder.addFloats(one, e);
  Value reciprocal = polynomial(builder, d, kReciprocal);
  Value error = builder.multiplyAdd(builder.scale(d, -1), reciprocal, one);
  Value correction = builder.multiplyAdd(error, error, error);
  return builder.multiplyFloats(e, builder.multiplyAdd(reciprocal, correction, reciprocal));
}

Value magnitude(KernelBuilder& builder, Value x, float limit) {
  Value absolute = builder.absolute(x);
  return builder.minFloats(absolute, builder.splat(x.getType(), limit));
}

/// Returns max(x, 0) - factor * magnitude * part.
Value withoutTail(KernelBuilder& builder, Value x, float factor, Value magnitude, Value part) {
  Value scaled = builder.scale(magnitude, -factor);
  return builder.multiplyAdd(scaled, part, builder.maxFloats(x, builder.zero(x.getType())));
}

}  // namespace

// s(-t) = erfc(t/sqrt(2)) / 2 = 2^(t*g(t)) / 2.
Value emitGelu(KernelBuilder& builder, Value x) {
  constexpr float kLimit = 13.02f;
  constexpr float kG[] = {-1.1511079f,     -0.459187f,     -0.05254839f,    0.007113086f,   -0.00014497206f,
                          -0.00020388421f, 5.2297324e-05f, -6.3972266e-06f, 3.9327318e-07f, -9.5544941e-09f};
  Value t = magnitude(builder, x, kLimit);
  Value erfc = exp2OfProduct(builder, t, polynomial(builder, t, kG));
  return withoutTail(builder, x, 0.5f, t, erfc);
}

// s(-t) = (1 - tanh(u)) / 2 = e / (1 + e) with e = exp(-2*u) = 2^(t * (c0 + c1*t^2)).
Value emitGeluTanh(KernelBuilder& builder, Value x) {
  constexpr float kLimit = 10.03f;
  constexpr float kC[] = {-2.3022082f, -0.10294324f};  // -2*sqrt(2/pi)/ln(2), and that times 0.044715
  Value t = magnitude(builder, x, kLimit);
  Value e = exp2OfProduct(builder, t, polynomial(builder, builder.multiplyFloats(t, t), kC));
  return withoutTail(builder, x, 1, t, overOnePlus(builder, e));
}

// s(-t) = e / (1 + e) with e = exp(-t).
Value emitSilu(KernelBuilder& builder, Value x) {
  constexpr float kLimit = 88;
  constexpr float kMinusLog2E = -1.442695f;
  Value t = magnitude(builder, x, kLimit);
  Value e = exp2OfProduct(builder, t, builder.splat(x.getType(), kMinusLog2E));
  return withoutTail(builder, x, 1, t, overOnePlus(builder, e));
}

// Near 0 it is x * p(x^2), which keeps a small number and the sign of zero; farther away (1 - e) / (1 + e) =
// 1 - 2 * e / (1 + e) with e = exp(-2t), and the sign of x.
Value emitTanh(KernelBuilder& builder, Value x) {
  constexpr float kNear = 0.625f, kLimit = 10;
  constexpr float kMinusTwoLog2E = -2.885390f;
  constexpr float kP[] = {1.0f, -0.33333328f, 0.13332769f, -0.053850908f, 0.02099718f, -0.0060967142f};  // 2^-25.8
  Value t = magnitude(builder, x, kLimit);
  Value e = exp2OfProduct(builder, t, builder.splat(x.getType(), kMinusTwoLog2E));
  Value one = builder.splat(x.getType(), 1);
  Value far = builder.addFloats(one, builder.scale(overOnePlus(builder, e), -2));
  Value near = builder.multiplyFloats(x, polynomial(builder, builder.multiplyFloats(x, x), kP));
  Value isNegative = builder.lessFloats(x, 0);
  far = builder.select(isNegative, builder.scale(far, -1), far);
  return builder.select(builder.lessFloats(t, kNear), near, far);
}

ResultWriter::ResultWriter(KernelBuilder& builder, const MatmulProblem& problem, Value c,
                           llvm::ArrayRef<Value> operands)
    : builder(&builder), epilogue(&problem.epilogue), type(builder.typeOf(problem.TypeOfC())), c(c) {
  if (problem.HasBias()) bias = operands.front();
  if (problem.HasAddend()) addend = operands.back();
}

Value ResultWriter::finish(Value vector) const {
  if (epilogue)
    for (const EpilogueOp& op : *epilogue) vector = apply(op, vector);
  return builder->convert(vector, type);
}

void ResultWriter::store(Value vector) const {
  KernelBuilder::ScopedName at(*builder, "write C");
  builder->store(finish(vector), c);
}

void ResultWriter::addAtomically(Value vector) const {
  KernelBuilder::ScopedName at(*builder, "add to C atomically");
  builder->atomicAdd(vector, c);
}

Value ResultWriter::loadOperand(Value pointer, Value x) const {
  return builder->convert(builder->load(type, pointer, builder->widthOf(x)), mlir::getElementTypeOrSelf(x.getType()));
}

Value ResultWriter::addendOf(Value x) const {
  if (!loadedAddend) return loadOperand(addend, x);
  return builder->convert(loadedAddend, mlir::getElementTypeOrSelf(x.getType()));
}

Value ResultWriter::apply(const EpilogueOp& op, Value x) const {
  switch (op.kind) {
    case EpilogueOp::Kind::kBias: {
      KernelBuilder::ScopedName at(*builder, "load the bias");
      return builder->addFloats(x, loadOperand(bias, x));
    }
    case EpilogueOp::Kind::kAdd: {
      KernelBuilder::ScopedName at(*builder, "load the addend");
      return builder->addFloats(x, addendOf(x));
    }
    case EpilogueOp::Kind::kSub: {
      KernelBuilder::ScopedName at(*builder, "load the addend");
      return builder->subtractFloats(x, addendOf(x));
    }
    case EpilogueOp::Kind::kRelu:
      return builder->maxFloats(x, builder->zero(x.getType()));
    case EpilogueOp::Kind::kScale:
      return builder->scale(x, op.factor);
    case EpilogueOp::Kind::kGelu:
      return emitGelu(*builder, x);
    case EpilogueOp::Kind::kGeluTanh:
      return emitGeluTanh(*builder, x);
    case EpilogueOp::Kind::kSilu:
      return emitSilu(*builder, x);
    case EpilogueOp::Kind::kTanh:
      return emitTanh(*builder, x);
    case EpilogueOp::Kind::kClamp:
      x = builder->maxFloats(x, builder->splat(x.getType(), op.low));
      return builder->minFloats(x, builder->splat(x.getType(), op.high));
  }
  return x;
}

llvm::SmallVector<BufferUse> epilogueBuffers(const MatmulProblem& problem) {
  return llvm::SmallVector<BufferUse>(problem.HasBias() + problem.HasAddend(), BufferUse::kRead);
}

}  // namespace mmtune
