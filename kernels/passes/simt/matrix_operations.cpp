// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ldmatrix, stmatrix, mma.sync and wgmma.mma_async.
#include "kernels/passes/simt/matrix_types.h"
#include "kernels/passes/simt/warp_operations.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

using Described = FailureOr<std::optional<WarpOperation>>;

/// Rows and columns of a tile of ldmatrix and stmatrix.
constexpr int kTile = 8;

uint32_t flagIf(bool set, simt::WarpOpFlags flag) { return set ? uint32_t{flag} : 0; }

StringRef nameOf(SimtEmitter& emit) { return emit.op->getName().getStringRef(); }

/// ldmatrix or stmatrix of `count` tiles.
template <typename Op>
FailureOr<WarpOperation> makeTiles(Op op, SimtEmitter& emit, simt::WarpOpKind kind, size_t count) {
  NVVM::LdStMatrixShapeAttr shape = op.getShape();
  if (shape.getM() != kTile || shape.getN() != kTile || op.getEltType() != NVVM::LdStMatrixEltType::B16)
    return emit.unsupported(Twine(nameOf(emit)) + " of tiles other than 8x8 of 16-bit elements");
  WarpOperation operation;
  operation.op.kind = kind;
  operation.op.count = count;
  operation.op.m = operation.op.n = kTile;
  operation.op.a = simt::ElementType::kF16;
  operation.op.flags = flagIf(op.getLayout() == NVVM::MMALayout::col, simt::kTransposed);
  operation.in.push_back(op.getPtr());
  return operation;
}

Described describeLoad(NVVM::LdMatrixOp op, SimtEmitter& emit) {
  FailureOr<WarpOperation> load = makeTiles(op, emit, simt::WarpOpKind::kLoadMatrix, op.getNum());
  if (failed(load)) return failure();
  load->out = partsOf(op.getRes().getType());
  return std::make_optional(*std::move(load));
}

Described describeStore(NVVM::StMatrixOp op, SimtEmitter& emit) {
  FailureOr<WarpOperation> store = makeTiles(op, emit, simt::WarpOpKind::kStoreMatrix, op.getSources().size());
  if (failed(store)) return failure();
  llvm::append_range(store->in, op.getSources());
  return std::make_optional(*std::move(store));
}

Described describeMma(NVVM::MmaOp op, SimtEmitter& emit) {
  WarpOperation operation;
  simt::WarpOp& mma = operation.op;
  mma.kind = simt::WarpOpKind::kMma;
  NVVM::MMAShapeAttr shape = op.getShape();
  mma.m = shape.getM(), mma.n = shape.getN(), mma.k = shape.getK();
  mma.a = elementType(op.getMultiplicandAPtxType());
  mma.b = elementType(op.getMultiplicandBPtxType());
  mma.c = elementType(op.accumPtxType());
  mma.d = elementType(op.resultPtxType());
  if (op.getLayoutA() != NVVM::MMALayout::row || op.getLayoutB() != NVVM::MMALayout::col)
    return emit.unsupported(Twine(nameOf(emit)) + " other than with A by rows and B by columns");
  if (!isMmaShape(mma)) return emit.unsupported(Twine(nameOf(emit)) + " of this shape and these types");
  if (op.getIntOverflowBehavior() == NVVM::MMAIntOverflow::satfinite) mma.flags |= simt::kSaturate;
  for (ValueRange fragment : {op.getOperandA(), op.getOperandB(), op.getOperandC()})
    llvm::append_range(operation.in, fragment);
  operation.out = partsOf(op.getRes().getType());
  return std::make_optional(std::move(operation));
}

/// The elements of D are the first operands; the runtime takes them one by one.
Described describeWgmma(NVVM::WgmmaMmaAsyncOp op, SimtEmitter& emit) {
  WarpOperation operation;
  simt::WarpOp& mma = operation.op;
  mma.kind = simt::WarpOpKind::kWgmma;
  NVVM::MMAShapeAttr shape = op.getShape();
  mma.m = shape.getM(), mma.n = shape.getN(), mma.k = shape.getK();
  mma.a = elementType(op.getTypeA());
  mma.b = elementType(op.getTypeB());
  mma.c = mma.d = elementType(op.getTypeD());
  bool saturates = op.getSatfinite() == NVVM::MMAIntOverflow::satfinite;
  if (!isWgmmaShape(mma) || (saturates && mma.d != simt::ElementType::kS32))
    return emit.unsupported(Twine(nameOf(emit)) + " of this shape and these types");
  mma.flags = flagIf(saturates, simt::kSaturate) | flagIf(op.getScaleA() == NVVM::WGMMAScaleIn::neg, simt::kNegateA) |
              flagIf(op.getScaleB() == NVVM::WGMMAScaleIn::neg, simt::kNegateB) |
              flagIf(op.getLayoutA() == NVVM::MMALayout::col, simt::kTransposedA) |
              flagIf(op.getLayoutB() == NVVM::MMALayout::row, simt::kTransposedB);
  operation.out = partsOf(op.getResults().getType());
  if (wordsOf(operation.out) != wgmmaAccumulatorWords(mma))
    return emit.unsupported(Twine(nameOf(emit)) + " with an accumulator of these types");
  for (size_t i = 0; i < operation.out.size(); ++i)
    operation.in.push_back(
        LLVM::ExtractValueOp::create(emit.builder, op.getInouts(), ArrayRef<int64_t>{static_cast<int64_t>(i)}));
  bool accumulates = op.getScaleD() == NVVM::WGMMAScaleOut::one;
  operation.in.append({op.getDescriptorA(), op.getDescriptorB(), emit.i32(accumulates)});
  return std::make_optional(std::move(operation));
}

}  // namespace

Described describeMatrixOperation(SimtEmitter& emit) {
  return llvm::TypeSwitch<Operation*, Described>(emit.op)
      .Case<NVVM::LdMatrixOp>([&](auto op) { return describeLoad(op, emit); })
      .Case<NVVM::StMatrixOp>([&](auto op) { return describeStore(op, emit); })
      .Case<NVVM::MmaOp>([&](auto op) { return describeMma(op, emit); })
      .Case<NVVM::WgmmaMmaAsyncOp>([&](auto op) { return describeWgmma(op, emit); })
      .Default([](Operation*) { return std::optional<WarpOperation>(); });
}

}  // namespace mmtune
