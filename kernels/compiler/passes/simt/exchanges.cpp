// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles, votes, reductions, elections and matches.
#include "kernels/compiler/passes/simt/warp_operations.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
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
  operation.op.variant = modeOf(kind, modes);
  operation.mask = mask;
  operation.in.append(in.begin(), in.end());
  operation.out = partsOf(result.getType());
  return operation;
}

}  // namespace

Described describeExchange(SimtEmitter& emit) {
  using Exchange = std::optional<WarpOperation>;
  return llvm::TypeSwitch<Operation*, Exchange>(emit.op)
      .Case<NVVM::ShflOp>([](auto op) {
        WarpOperation shuffle = makeOperation(simt::WarpOpKind::kShuffle, op.getKind(), kShuffles, op.getThreadMask(),
                                              {op.getVal(), op.getOffset(), op.getMaskAndClamp()}, op.getRes());
        // The runtime always gives a shuffle's predicate; the operation may have no use for it.
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

}  // namespace mmtune
