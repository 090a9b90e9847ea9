// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles, votes, reductions, elections and matches.
#include "kernels/passes/simt/warp_operations.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

using Described = FailureOr<std::optional<WarpOperation>>;

WarpOperation makeOperation(simt::WarpOpKind kind, Value mask, ArrayRef<Value> in, Type result) {
  WarpOperation operation;
  operation.op.kind = kind;
  operation.mask = mask;
  operation.in.append(in.begin(), in.end());
  operation.out = partsOf(result);
  return operation;
}

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

/// The runtime always gives a shuffle's predicate; the operation may have no use for it.
WarpOperation describeShuffle(NVVM::ShflOp op) {
  WarpOperation operation = makeOperation(simt::WarpOpKind::kShuffle, op.getThreadMask(),
                                          {op.getVal(), op.getOffset(), op.getMaskAndClamp()}, op.getRes().getType());
  operation.op.variant = modeOf(op.getKind(), kShuffles);
  if (operation.out.size() == 1) operation.out.push_back(IntegerType::get(op.getContext(), 1));
  return operation;
}

WarpOperation describeVote(NVVM::VoteSyncOp op) {
  WarpOperation operation = makeOperation(simt::WarpOpKind::kVote, op.getMask(), {op.getPred()}, op.getRes().getType());
  operation.op.variant = modeOf(op.getKind(), kVotes);
  return operation;
}

WarpOperation describeReduction(NVVM::ReduxOp op) {
  WarpOperation operation =
      makeOperation(simt::WarpOpKind::kReduce, op.getMaskAndClamp(), {op.getVal()}, op.getRes().getType());
  operation.op.variant = modeOf(op.getKind(), kReductions);
  if (op.getAbs()) operation.op.flags |= simt::kAbsolute;
  if (op.getNan()) operation.op.flags |= simt::kPropagateNan;
  return operation;
}

WarpOperation describeMatch(NVVM::MatchSyncOp op) {
  WarpOperation operation =
      makeOperation(simt::WarpOpKind::kMatch, op.getThreadMask(), {op.getVal()}, op.getRes().getType());
  bool all = op.getKind() == NVVM::MatchSyncKind::all;
  operation.op.variant = static_cast<uint32_t>(all ? simt::MatchMode::kAll : simt::MatchMode::kAny);
  if (op.getVal().getType().isInteger(64)) operation.op.flags |= simt::kWide;
  return operation;
}

}  // namespace

Described describeExchange(SimtEmitter& emit) {
  using Exchange = std::optional<WarpOperation>;
  return llvm::TypeSwitch<Operation*, Exchange>(emit.op)
      .Case<NVVM::ShflOp>([](auto op) { return describeShuffle(op); })
      .Case<NVVM::VoteSyncOp>([](auto op) { return describeVote(op); })
      .Case<NVVM::ReduxOp>([](auto op) { return describeReduction(op); })
      .Case<NVVM::MatchSyncOp>([](auto op) { return describeMatch(op); })
      .Default([](Operation*) { return std::nullopt; });
}

}  // namespace mmtune
