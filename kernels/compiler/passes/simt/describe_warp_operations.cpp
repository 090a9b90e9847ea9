// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes shuffles, votes, reductions, elections and matches; ldmatrix, stmatrix, mma.sync and wgmma.
#include "kernels/compiler/passes/simt/warp_operations.h"
#include "kernels/simulator/abi/abi.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {

using simt::ElementType;

namespace {

using Described = FailureOr<std::optional<WarpOperation>>;

constexpr std::pair<NVVM::ShflKind, simt::ShuffleMode> kShuffles[] = {
    {NVVM::ShflKind::bfly, simt::ShuffleMode::kButterfly},
    {NVVM::ShflKind::up, simt::ShuffleMode::kUp},
    {NVVM::ShflKind::down, simt::ShuffleMode::kDown},
    {NVVM::ShflKind::idx, simt::ShuffleMode::kIndex},
};

constexpr std::pair<NVVM::VoteSyncKind, simt::VoteMode> kVotes[] = {
    {NVVM::VoteSyncKind::any, simt::VoteMode::kAny},
    {NVVM::VoteSyncKind::all, simt::VoteMode::kAll},
    {NVVM::VoteSyncKind::ballot, simt::VoteMode::kBallot},
    {NVVM::VoteSyncKind::uni, simt::VoteMode::kUniform},
};

constexpr std::pair<NVVM::ReduxKind, simt::ReduceMode> kReductions[] = {
    {NVVM::ReduxKind::ADD, simt::ReduceMode::kAdd},   {NVVM::ReduxKind::AND, simt::ReduceMode::kAnd},
    {NVVM::ReduxKind::MAX, simt::ReduceMode::kMaxS},  {NVVM::ReduxKind::MIN, simt::ReduceMode::kMinS},
    {NVVM::ReduxKind::OR, simt::ReduceMode::kOr},     {NVVM::ReduxKind::UMAX, simt::ReduceMode::kMaxU},
    {NVVM::ReduxKind::UMIN, simt::ReduceMode::kMinU}, {NVVM::ReduxKind::XOR, simt::ReduceMode::kXor},
    {NVVM::ReduxKind::FMIN, simt::ReduceMode::kMinF}, {NVVM::ReduxKind::FMAX, simt::ReduceMode::kMaxF},
};

constexpr std::pair<NVVM::MatchSyncKind, simt::MatchMode> kMatches[] = {
    {NVVM::MatchSyncKind::any, simt::MatchMode::kAny},
    {NVVM::MatchSyncKind::all, simt::MatchMode::kAll},
};

template <typename Kind, typename Mode, size_t N>
WarpOperation makeOperation(simt::WarpOpKind operationKind, Kind kind, const std::pair<Kind, Mode> (&modes)[N],
                            Value mask, ArrayRef<Value> in, Value result) {
  WarpOperation operation;
  operation.op.kind = operationKind;
  operation.op.mode = modeOf(kind, modes);
  operation.mask = mask;
  operation.in.append(in.begin(), in.end());
  operation.out = partsOf(result.getType());
  return operation;
}

bool isByte(ElementType type) { return type == ElementType::kS8 || type == ElementType::kU8; }
bool isFloat8(ElementType type) { return type == ElementType::kF8E4M3 || type == ElementType::kF8E5M2; }

/// Rows and columns of a tile of ldmatrix and stmatrix.
constexpr int kTile = 8;

uint32_t flagIf(bool set, simt::WarpOpFlags flag) { return set ? uint32_t{flag} : 0; }

StringRef nameOf(SimtEmitter& emit) { return emit.op->getName().getStringRef(); }

/// Describes ldmatrix or stmatrix of `count` tiles.
template <typename Op>
FailureOr<WarpOperation> makeTiles(Op op, SimtEmitter& emit, simt::WarpOpKind kind, size_t count) {
  NVVM::LdStMatrixShapeAttr shape = op.getShape();
  if (shape.getM() != kTile || shape.getN() != kTile || op.getEltType() != NVVM::LdStMatrixEltType::B16)
    return emit.unsupported(Twine(nameOf(emit)) + " of tiles other than 8x8 of 16-bit elements");
  WarpOperation operation;
  operation.op.kind = kind;
  operation.op.tiles = count;
  operation.op.m = operation.op.n = kTile;
  operation.op.a = simt::ElementType::kF16;
  operation.op.flags = flagIf(op.getLayout() == NVVM::MMALayout::col, simt::kTransposed);
  operation.in.push_back(op.getPtr());
  return operation;
}

Described describeLoad(NVVM::LdMatrixOp op, SimtEmitter& emit) {
  FailureOr<WarpOperation> tiles = makeTiles(op, emit, simt::WarpOpKind::kLoadMatrix, op.getNum());
  if (failed(tiles)) return failure();
  WarpOperation& load = *tiles;
  load.out = partsOf(op.getRes().getType());
  return std::optional(std::move(load));
}

Described describeStore(NVVM::StMatrixOp op, SimtEmitter& emit) {
  FailureOr<WarpOperation> tiles = makeTiles(op, emit, simt::WarpOpKind::kStoreMatrix, op.getSources().size());
  if (failed(tiles)) return failure();
  WarpOperation& store = *tiles;
  llvm::append_range(store.in, op.getSources());
  return std::optional(std::move(store));
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

/// Describes wgmma. The elements of D are the first operands; the runtime takes them one by one.
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

Described describeExchange(SimtEmitter& emit) {
  using Exchange = std::optional<WarpOperation>;
  return llvm::TypeSwitch<Operation*, Exchange>(emit.op)
      .Case<NVVM::ShflOp>([](auto op) {
        WarpOperation shuffle = makeOperation(simt::WarpOpKind::kShuffle, op.getKind(), kShuffles, op.getThreadMask(),
                                              {op.getVal(), op.getOffset(), op.getMaskAndClamp()}, op.getRes());
        // The runtime always returns a shuffle's predicate, which the operation may not use.
        if (shuffle.out.size() == 1) shuffle.out.push_back(IntegerType::get(op.getContext(), 1));
        return shuffle;
      })
      .Case<NVVM::VoteSyncOp>([](auto op) {
        return makeOperation(simt::WarpOpKind::kVote, op.getKind(), kVotes, op.getMask(), {op.getPred()}, op.getRes());
      })
      .Case<NVVM::ReduxOp>([](auto op) {
        WarpOperation reduction = makeOperation(simt::WarpOpKind::kReduce, op.getKind(), kReductions,
                                                op.getMaskAndClamp(), {op.getVal()}, op.getRes());
        if (op.getAbs()) reduction.op.flags |= simt::kAbsolute;
        if (op.getNan()) reduction.op.flags |= simt::kPropagateNan;
        return reduction;
      })
      .Case<NVVM::MatchSyncOp>([](auto op) {
        WarpOperation match = makeOperation(simt::WarpOpKind::kMatch, op.getKind(), kMatches, op.getThreadMask(),
                                            {op.getVal()}, op.getRes());
        if (op.getVal().getType().isInteger(64)) match.op.flags |= simt::kWide;
        return match;
      })
      .Default([](Operation*) { return std::nullopt; });
}

Described describeMatrixOperation(SimtEmitter& emit) {
  return llvm::TypeSwitch<Operation*, Described>(emit.op)
      .Case<NVVM::LdMatrixOp>([&](auto op) { return describeLoad(op, emit); })
      .Case<NVVM::StMatrixOp>([&](auto op) { return describeStore(op, emit); })
      .Case<NVVM::MmaOp>([&](auto op) { return describeMma(op, emit); })
      .Case<NVVM::WgmmaMmaAsyncOp>([&](auto op) { return describeWgmma(op, emit); })
      .Default([](Operation*) { return std::optional<WarpOperation>(); });
}

ElementType elementType(StringRef name) {
  return llvm::StringSwitch<ElementType>(name)
      .Case("f16", ElementType::kF16)
      .Case("bf16", ElementType::kBf16)
      .Case("tf32", ElementType::kTf32)
      .Case("f32", ElementType::kF32)
      .Case("f64", ElementType::kF64)
      .Case("s8", ElementType::kS8)
      .Case("u8", ElementType::kU8)
      .Case("s32", ElementType::kS32)
      .Case("e4m3", ElementType::kF8E4M3)
      .Case("e5m2", ElementType::kF8E5M2)
      .Default(ElementType::kNone);
}

ElementType elementType(std::optional<NVVM::MMATypes> type) {
  return type ? elementType(NVVM::stringifyMMATypes(*type)) : ElementType::kNone;
}

ElementType elementType(NVVM::WGMMATypes type) { return elementType(NVVM::stringifyWGMMATypes(type)); }

bool isMmaShape(const simt::WarpOp& op) {
  auto is = [&](uint32_t m, uint32_t n, std::initializer_list<uint32_t> ks) {
    return op.m == m && op.n == n && llvm::is_contained(ks, op.k);
  };
  bool floats32 = op.c == ElementType::kF32 && op.d == ElementType::kF32;
  bool floats = floats32 || (op.c == ElementType::kF16 && op.d == ElementType::kF16);
  bool sameInputs = op.a == op.b;
  switch (op.a) {
    case ElementType::kF16:
      return sameInputs && floats && is(16, 8, {8, 16});
    case ElementType::kBf16:
      return sameInputs && floats32 && is(16, 8, {8, 16});
    case ElementType::kTf32:
      return sameInputs && floats32 && is(16, 8, {4, 8});
    case ElementType::kS8:
    case ElementType::kU8:
      return isByte(op.b) && op.c == ElementType::kS32 && op.d == ElementType::kS32 &&
             (is(16, 8, {16, 32}) || is(8, 8, {16}));
    case ElementType::kF8E4M3:
    case ElementType::kF8E5M2:
      return isFloat8(op.b) && floats && is(16, 8, {16, 32});
    case ElementType::kF64:
      return sameInputs && op.c == op.a && op.d == op.a && is(8, 8, {4});
    default:
      return false;
  }
}

bool isWgmmaShape(const simt::WarpOp& op) {
  if (op.m != 64 || !simt::IsWgmmaColumns(op.a, op.n) ||
      (op.a != op.b && !(isByte(op.a) && isByte(op.b)) && !(isFloat8(op.a) && isFloat8(op.b))))
    return false;
  switch (op.a) {
    case ElementType::kF16:
      return op.k == 16 && (op.d == ElementType::kF32 || op.d == ElementType::kF16);
    case ElementType::kBf16:
      return op.k == 16 && op.d == ElementType::kF32;
    case ElementType::kTf32:
      return op.k == 8 && op.d == ElementType::kF32;
    case ElementType::kS8:
    case ElementType::kU8:
      return op.k == 32 && op.d == ElementType::kS32;
    case ElementType::kF8E4M3:
    case ElementType::kF8E5M2:
      return op.k == 32 && (op.d == ElementType::kF32 || op.d == ElementType::kF16);
    default:
      return false;
  }
}

size_t wgmmaAccumulatorWords(const simt::WarpOp& op) { return op.n / (op.d == ElementType::kF16 ? 4 : 2); }

}  // namespace mmtune
