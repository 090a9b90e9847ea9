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

simt::ShuffleMode modeOf(NVVM::ShflKind kind) {
  switch (kind) {
    case NVVM::ShflKind::bfly:
      return simt::ShuffleMode::kButterfly;
    case NVVM::ShflKind::up:
      return simt::ShuffleMode::kUp;
    case NVVM::ShflKind::down:
      return simt::ShuffleMode::kDown;
    case NVVM::ShflKind::idx:
      return simt::ShuffleMode::kIndex;
  }
  llvm_unreachable("all kinds are listed");
}

simt::VoteMode modeOf(NVVM::VoteSyncKind kind) {
  switch (kind) {
    case NVVM::VoteSyncKind::any:
      return simt::VoteMode::kAny;
    case NVVM::VoteSyncKind::all:
      return simt::VoteMode::kAll;
    case NVVM::VoteSyncKind::ballot:
      return simt::VoteMode::kBallot;
    case NVVM::VoteSyncKind::uni:
      return simt::VoteMode::kUniform;
  }
  llvm_unreachable("all kinds are listed");
}

simt::ReduceMode modeOf(NVVM::ReduxKind kind) {
  switch (kind) {
    case NVVM::ReduxKind::ADD:
      return simt::ReduceMode::kAdd;
    case NVVM::ReduxKind::AND:
      return simt::ReduceMode::kAnd;
    case NVVM::ReduxKind::MAX:
      return simt::ReduceMode::kMaxS;
    case NVVM::ReduxKind::MIN:
      return simt::ReduceMode::kMinS;
    case NVVM::ReduxKind::OR:
      return simt::ReduceMode::kOr;
    case NVVM::ReduxKind::UMAX:
      return simt::ReduceMode::kMaxU;
    case NVVM::ReduxKind::UMIN:
      return simt::ReduceMode::kMinU;
    case NVVM::ReduxKind::XOR:
      return simt::ReduceMode::kXor;
    case NVVM::ReduxKind::FMIN:
      return simt::ReduceMode::kMinF;
    case NVVM::ReduxKind::FMAX:
      return simt::ReduceMode::kMaxF;
  }
  llvm_unreachable("all kinds are listed");
}

/// The runtime always gives a shuffle's predicate; the operation may have no use for it.
WarpOperation describeShuffle(NVVM::ShflOp op) {
  WarpOperation operation = makeOperation(simt::WarpOpKind::kShuffle, op.getThreadMask(),
                                          {op.getVal(), op.getOffset(), op.getMaskAndClamp()}, op.getRes().getType());
  operation.op.variant = static_cast<uint32_t>(modeOf(op.getKind()));
  if (operation.out.size() == 1) operation.out.push_back(IntegerType::get(op.getContext(), 1));
  return operation;
}

WarpOperation describeVote(NVVM::VoteSyncOp op) {
  WarpOperation operation = makeOperation(simt::WarpOpKind::kVote, op.getMask(), {op.getPred()}, op.getRes().getType());
  operation.op.variant = static_cast<uint32_t>(modeOf(op.getKind()));
  return operation;
}

WarpOperation describeReduction(NVVM::ReduxOp op) {
  WarpOperation operation =
      makeOperation(simt::WarpOpKind::kReduce, op.getMaskAndClamp(), {op.getVal()}, op.getRes().getType());
  operation.op.variant = static_cast<uint32_t>(modeOf(op.getKind()));
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
