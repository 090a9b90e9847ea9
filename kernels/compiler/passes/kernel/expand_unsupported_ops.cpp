// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_EXPANDUNSUPPORTEDOPSPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

const llvm::fltSemantics& semanticsOf(Value value) {
  return cast<FloatType>(getElementTypeOrSelf(value)).getFloatSemantics();
}

/// Returns a constant of the type of `value`, which may be a vector.
Value floatLike(OpBuilder& builder, Value value, const llvm::APFloat& number) {
  Type type = value.getType();
  TypedAttr attribute = FloatAttr::get(getElementTypeOrSelf(type), number);
  if (auto shaped = dyn_cast<ShapedType>(type)) attribute = SplatElementsAttr::get(shaped, cast<Attribute>(attribute));
  return arith::ConstantOp::create(builder, value.getLoc(), attribute);
}

/// Unrolls math.ipowi on vectors into one for each element.
struct UnrollIPowI : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IPowIOp op, PatternRewriter& rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.isScalable()) return failure();
    Location loc = op.getLoc();
    Value result = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    for (SmallVector<int64_t> at : StaticTileOffsetRange(type.getShape(), SmallVector<int64_t>(type.getRank(), 1))) {
      Value base = vector::ExtractOp::create(rewriter, loc, op.getLhs(), at);
      Value exponent = vector::ExtractOp::create(rewriter, loc, op.getRhs(), at);
      Value power = math::IPowIOp::create(rewriter, loc, base, exponent);
      result = vector::InsertOp::create(rewriter, loc, power, result, at);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Expands math.ipowi. A negative exponent gives 1 / power, which is 0 unless the base is 1 or -1.
///
///     power = exponent >= 0 ? 1 : abs(base) == 1 ? 1 : 0
///     bits = exponent >= 0 ? exponent : exponent & 1
///     for (; bits != 0; bits >>= 1, base *= base)
///       if (bits & 1) power *= base
struct ExpandIPowI : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IPowIOp op, PatternRewriter& rewriter) const override {
    Type type = op.getType();
    if (isa<ShapedType>(type)) return failure();
    Location loc = op.getLoc();
    using Predicate = arith::CmpIPredicate;
    auto number = [&](OpBuilder& at, int64_t value) -> Value {
      return arith::ConstantOp::create(at, loc, at.getIntegerAttr(type, value));
    };
    auto is = [&](OpBuilder& at, Predicate how, Value value, int64_t other) -> Value {
      return arith::CmpIOp::create(at, loc, how, value, number(at, other));
    };
    Value base = op.getLhs(), exponent = op.getRhs();
    Value one = number(rewriter, 1), zero = number(rewriter, 0);
    Value isNegative = is(rewriter, Predicate::slt, exponent, 0);
    Value isUnit = arith::OrIOp::create(rewriter, loc, is(rewriter, Predicate::eq, base, 1),
                                        is(rewriter, Predicate::eq, base, -1));
    Value start = arith::SelectOp::create(rewriter, loc, isUnit, one, zero);
    start = arith::SelectOp::create(rewriter, loc, isNegative, start, one);
    Value isOdd = arith::AndIOp::create(rewriter, loc, exponent, one);
    Value bits = arith::SelectOp::create(rewriter, loc, isNegative, isOdd, exponent);
    auto loop = scf::WhileOp::create(
        rewriter, loc, TypeRange{type, type, type}, ValueRange{start, base, bits},
        [&](OpBuilder& body, Location, ValueRange values) {
          scf::ConditionOp::create(body, loc, is(body, Predicate::ne, values[2], 0), values);
        },
        [&](OpBuilder& body, Location, ValueRange values) {
          Value bit = arith::AndIOp::create(body, loc, values[2], one);
          Value power = arith::MulIOp::create(body, loc, values[0], values[1]);
          power = arith::SelectOp::create(body, loc, is(body, Predicate::ne, bit, 0), power, values[0]);
          Value square = arith::MulIOp::create(body, loc, values[1], values[1]);
          Value rest = arith::ShRUIOp::create(body, loc, values[2], one);
          scf::YieldOp::create(body, loc, ValueRange{power, square, rest});
        });
    rewriter.replaceOp(op, loop.getResult(0));
    return success();
  }
};

/// Returns `type`, or a vector of it with the shape of `like`.
Type withElement(Type like, Type type) {
  auto shaped = dyn_cast<ShapedType>(like);
  return shaped ? shaped.clone(type) : type;
}

/// Returns the number that all elements of `value` are, if it is a constant.
std::optional<APFloat> constantFloat(Value value) {
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number))) return number;
  return std::nullopt;
}
std::optional<APInt> constantInteger(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) return number;
  return std::nullopt;
}

/// Emits powers that need at most two roundings: exponents up to 4 by multiplications, and the inverse. Elements of 16
/// bits are multiplied in f32. Returns null for other exponents.
Value expandSmallPower(PatternRewriter& rewriter, Location loc, Value base, double exponent) {
  if (exponent != -1 && exponent != 1 && exponent != 2 && exponent != 3 && exponent != 4) return {};
  if (exponent == 1) return base;
  Type type = base.getType();
  const bool isNarrow = getElementTypeOrSelf(type).getIntOrFloatBitWidth() < 32;
  if (isNarrow) base = arith::ExtFOp::create(rewriter, loc, withElement(type, rewriter.getF32Type()), base);
  Value power;
  if (exponent == -1) {
    Value one = floatLike(rewriter, base, llvm::APFloat::getOne(semanticsOf(base)));
    power = arith::DivFOp::create(rewriter, loc, one, base);
  } else {
    power = arith::MulFOp::create(rewriter, loc, base, base);
    if (exponent == 3) power = arith::MulFOp::create(rewriter, loc, power, base);
    if (exponent == 4) power = arith::MulFOp::create(rewriter, loc, power, power);
  }
  return isNarrow ? arith::TruncFOp::create(rewriter, loc, type, power).getResult() : power;
}

struct ExpandSmallPowF : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter& rewriter) const override {
    std::optional<APFloat> exponent = constantFloat(op.getRhs());
    if (!exponent) return failure();
    Value power = expandSmallPower(rewriter, op.getLoc(), op.getLhs(), exponent->convertToDouble());
    if (!power) return failure();
    rewriter.replaceOp(op, power);
    return success();
  }
};

/// Expands math.fpowi to math.powf of the magnitude, in a type that represents the exponent exactly (f32 holds 24
/// bits), with the sign of an odd power taken from the integer, as a float beyond 2^53 does not tell odd numbers.
struct ExpandFPowI : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FPowIOp op, PatternRewriter& rewriter) const override {
    Location loc = op.getLoc();
    Value base = op.getLhs(), exponent = op.getRhs();
    Type type = op.getType(), integers = exponent.getType();
    std::optional<APInt> constant = constantInteger(exponent);
    if (constant) {
      Value power = expandSmallPower(rewriter, loc, base, constant->roundToDouble(/*isSigned=*/true));
      if (power) {
        rewriter.replaceOp(op, power);
        return success();
      }
    }
    constexpr unsigned kSignificandBits = 24;
    const unsigned bits =
        constant ? constant->getSignificantBits() : getElementTypeOrSelf(integers).getIntOrFloatBitWidth();
    const bool isWide = getElementTypeOrSelf(type).isF64() || bits > kSignificandBits;
    Type computed = withElement(type, isWide ? rewriter.getF64Type() : rewriter.getF32Type());
    Value number = arith::SIToFPOp::create(rewriter, loc, computed, exponent);
    Value from = computed == type ? base : arith::ExtFOp::create(rewriter, loc, computed, base).getResult();
    Value magnitude = math::AbsFOp::create(rewriter, loc, from);
    Value power = math::PowFOp::create(rewriter, loc, magnitude, number);
    TypedAttr one = rewriter.getIntegerAttr(getElementTypeOrSelf(integers), 1);
    if (auto shaped = dyn_cast<ShapedType>(integers)) one = SplatElementsAttr::get(shaped, cast<Attribute>(one));
    Value lowBit = arith::AndIOp::create(rewriter, loc, exponent, arith::ConstantOp::create(rewriter, loc, one));
    Value isOdd = lowBit;
    if (!getElementTypeOrSelf(integers).isInteger(1))
      isOdd = arith::TruncIOp::create(rewriter, loc, withElement(integers, rewriter.getI1Type()), lowBit);
    Value odd = math::CopySignOp::create(rewriter, loc, power, from);
    power = arith::SelectOp::create(rewriter, loc, isOdd, odd, power);
    if (computed != type) power = arith::TruncFOp::create(rewriter, loc, type, power);
    rewriter.replaceOp(op, power);
    return success();
  }
};

struct ExpandSincos : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SincosOp op, PatternRewriter& rewriter) const override {
    Value sin = math::SinOp::create(rewriter, op.getLoc(), op.getOperand(), op.getFastmath());
    Value cos = math::CosOp::create(rewriter, op.getLoc(), op.getOperand(), op.getFastmath());
    rewriter.replaceOp(op, {sin, cos});
    return success();
  }
};

/// Expands math.clampf. MLIR's expansion takes the minimum with the lower bound and the maximum with the upper one, as
/// the documentation of the operation says: that is always the upper bound.
struct ExpandClampF : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op, PatternRewriter& rewriter) const override {
    Value value = arith::MaximumFOp::create(rewriter, op.getLoc(), op.getValue(), op.getMin(), op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, value, op.getMax(), op.getFastmath());
    return success();
  }
};

/// Returns false for types without infinity, as most of 8 bits, whose operations stay as they are.
bool hasInfinity(Value value) { return llvm::APFloat::semanticsHasInf(semanticsOf(value)); }

/// Expands math.isinf to abs(x) == inf.
struct ExpandIsInf : OpRewritePattern<math::IsInfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsInfOp op, PatternRewriter& rewriter) const override {
    if (!hasInfinity(op.getOperand())) return failure();
    const llvm::fltSemantics& semantics = semanticsOf(op.getOperand());
    Value magnitude = math::AbsFOp::create(rewriter, op.getLoc(), op.getOperand());
    Value infinity = floatLike(rewriter, op.getOperand(), llvm::APFloat::getInf(semantics));
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::OEQ, magnitude, infinity);
    return success();
  }
};

/// Expands math.isnormal to smallest normal <= abs(x) < inf.
struct ExpandIsNormal : OpRewritePattern<math::IsNormalOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsNormalOp op, PatternRewriter& rewriter) const override {
    if (!hasInfinity(op.getOperand())) return failure();
    const llvm::fltSemantics& semantics = semanticsOf(op.getOperand());
    Value magnitude = math::AbsFOp::create(rewriter, op.getLoc(), op.getOperand());
    Value least = floatLike(rewriter, op.getOperand(), llvm::APFloat::getSmallestNormalized(semantics));
    Value infinity = floatLike(rewriter, op.getOperand(), llvm::APFloat::getInf(semantics));
    Value isLarge = arith::CmpFOp::create(rewriter, op.getLoc(), arith::CmpFPredicate::OGE, magnitude, least);
    Value isFinite = arith::CmpFOp::create(rewriter, op.getLoc(), arith::CmpFPredicate::OLT, magnitude, infinity);
    rewriter.replaceOpWithNewOp<arith::AndIOp>(op, isLarge, isFinite);
    return success();
  }
};

struct ExpandUnsupportedOps : impl::ExpandUnsupportedOpsPassBase<ExpandUnsupportedOps> {
  void runOnOperation() override {
    expandFloatAtomics(getOperation());
    if (failed(expandUnsupportedMath(getOperation()))) signalPassFailure();
  }
};

unsigned addressSpaceOf(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (auto number = dyn_cast_or_null<IntegerAttr>(space)) return static_cast<unsigned>(number.getInt());
  auto named = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
  if (!named) return 0;
  switch (named.getValue()) {
    case gpu::AddressSpace::Workgroup:
      return static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
    case gpu::AddressSpace::Private:
      return static_cast<unsigned>(NVVM::NVVMMemorySpace::Local);
    default:
      return static_cast<unsigned>(NVVM::NVVMMemorySpace::Global);
  }
}

/// Returns the address of one element.
Value addressOf(ImplicitLocOpBuilder& builder, TypedValue<MemRefType> buffer, ValueRange indices, unsigned bytes) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, buffer);
  Value index = metadata.getOffset();
  for (auto [stride, at] : llvm::zip_equal(metadata.getStrides(), indices))
    index = arith::AddIOp::create(builder, index, arith::MulIOp::create(builder, at, stride));
  Value offset = arith::MulIOp::create(builder, index, arith::ConstantIndexOp::create(builder, bytes));
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, buffer);
  address = arith::AddIOp::create(builder, address, offset);
  address = arith::IndexCastOp::create(builder, builder.getI64Type(), address);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), addressSpaceOf(buffer.getType()));
  return LLVM::IntToPtrOp::create(builder, pointer, address);
}

/// Expands a generic_atomic_rmw at address p:
///
///     bits = load(p)
///     do
///       old = bits, (bits, done) = cmpxchg(p, old, body(old))
///     while (!done)
void expand(memref::GenericAtomicRMWOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  auto buffer = cast<TypedValue<MemRefType>>(op.getMemref());
  Type type = buffer.getType().getElementType();
  const unsigned bytes = type.getIntOrFloatBitWidth() / 8;
  Type integer = builder.getIntegerType(bytes * 8);
  Value pointer = addressOf(builder, buffer, op.getIndices(), bytes);
  Value first =
      LLVM::LoadOp::create(builder, integer, pointer, bytes, /*isVolatile=*/false, /*isNonTemporal=*/false,
                           /*isInvariant=*/false, /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
  auto loop = scf::WhileOp::create(
      builder, TypeRange{integer}, ValueRange{first},
      [&](OpBuilder& inside, Location loc, ValueRange bits) {
        ImplicitLocOpBuilder body(loc, inside);
        IRMapping mapping;
        mapping.map(op.getCurrentValue(), arith::BitcastOp::create(body, type, bits[0]).getResult());
        Block& computation = op.getRegion().front();
        for (Operation& inner : computation.without_terminator()) body.clone(inner, mapping);
        Value next = mapping.lookupOrDefault(computation.getTerminator()->getOperand(0));
        next = arith::BitcastOp::create(body, integer, next);
        Value exchanged = LLVM::AtomicCmpXchgOp::create(body, pointer, bits[0], next, LLVM::AtomicOrdering::acq_rel,
                                                        LLVM::AtomicOrdering::monotonic);
        Value found = LLVM::ExtractValueOp::create(body, exchanged, ArrayRef<int64_t>{0});
        Value done = LLVM::ExtractValueOp::create(body, exchanged, ArrayRef<int64_t>{1});
        Value yes = arith::ConstantOp::create(body, body.getBoolAttr(true));
        scf::ConditionOp::create(body, arith::XOrIOp::create(body, done, yes), found);
      },
      [](OpBuilder& inside, Location loc, ValueRange bits) { scf::YieldOp::create(inside, loc, bits); });
  builder.setInsertionPointAfter(loop);
  op.getResult().replaceAllUsesWith(arith::BitcastOp::create(builder, type, loop.getResult(0)));
  op.erase();
}

}  // namespace

LogicalResult expandUnsupportedMath(Operation* root) {
  SmallVector<Operation*> ops;
  root->walk([&](Operation* op) {
    if (isa<math::IPowIOp, math::FPowIOp, math::PowFOp, math::SincosOp, math::ClampFOp, math::IsInfOp,
            math::IsNormalOp>(op))
      ops.push_back(op);
  });
  if (ops.empty()) return success();
  RewritePatternSet patterns(root->getContext());
  patterns.add<UnrollIPowI, ExpandIPowI, ExpandFPowI, ExpandSmallPowF, ExpandSincos, ExpandClampF, ExpandIsInf,
               ExpandIsNormal>(root->getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(ops, std::move(patterns), config);
}

void expandFloatAtomics(Operation* root) {
  SmallVector<memref::GenericAtomicRMWOp> ops;
  root->walk([&](memref::GenericAtomicRMWOp op) {
    auto type = dyn_cast<FloatType>(op.getResult().getType());
    if (type && llvm::isPowerOf2_32(type.getWidth()) && type.getWidth() <= 64) ops.push_back(op);
  });
  for (memref::GenericAtomicRMWOp op : ops) expand(op);
}

}  // namespace mmtune
