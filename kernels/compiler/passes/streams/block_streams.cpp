// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/streams/block_streams.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Operations before which nothing may be in flight.
bool isBoundary(Operation* op) {
  if (op->hasTrait<OpTrait::IsTerminator>()) return true;
  auto isDevice = [](Operation* nested) { return isa<gpu::AsyncOpInterface>(nested) || carriesTokens(nested); };
  return op->walk([&](Operation* nested) { return WalkResult(failure(isDevice(nested))); }).wasInterrupted();
}

/// Whether the operands of `op` are there before `other`, an earlier operation of its block.
bool canMoveBefore(Operation* op, Operation* other) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation* definition = operand.getDefiningOp();
    return isToken(operand) || !definition || definition->getBlock() != other->getBlock() ||
           definition->isBeforeInBlock(other);
  });
}

}  // namespace

void BlockStreams::run() {
  for (Operation& op : llvm::make_early_inc_range(block)) {
    if (!isStreamOperation(&op) && !isa<gpu::WaitOp>(op))
      addHostOperation(&op);
    else
      llvm::TypeSwitch<Operation*>(&op)
          .Case([&](gpu::AllocOp alloc) { addAlloc(alloc); })
          .Case([&](gpu::DeallocOp dealloc) { addDealloc(dealloc); })
          .Case([&](gpu::WaitOp wait) { addWait(wait); })
          .Default([&](Operation* device) { addTransferOrLaunch(device); });
  }
  destroyEvents();
}

/// Tokens from outside the block are complete.
BlockStreams::Nodes BlockStreams::nodesOf(ValueRange tokens) const {
  Nodes result;
  for (Value token : tokens)
    if (auto found = tokenNodes.find(token); found != tokenNodes.end())
      for (Node* node : found->second)
        if (!llvm::is_contained(result, node)) result.push_back(node);
  return result;
}

void BlockStreams::hostLearns(const Nodes& known) {
  for (Node* node : known) hostKnows.join(node->clock);
}

void BlockStreams::addWait(gpu::WaitOp wait) {
  Nodes waited = nodesOf(wait.getAsyncDependencies());
  if (Value token = wait.getAsyncToken())
    tokenNodes[token] = waited;
  else
    hostLearns(waited);
}

// The runtime allocates at once, whatever the stream; a device may finish its work before it does,
// so allocations go before the work.
void BlockStreams::addAlloc(gpu::AllocOp alloc) {
  Nodes before = nodesOf(alloc.getAsyncDependencies());
  if (synchronous.contains(alloc)) hostLearns(before);
  tokenNodes[alloc.getAsyncToken()] = before;
  setDependency(alloc, calls.completed().get());
  if (deferredBytes() > options.maxDeferredBytes)
    hostWaits(alloc, [&](const Node& node) {
      return llvm::any_of(deferred,
                          [&](const DeferredDealloc& dealloc) { return dealloc.uses.covers(node.stream, node.index); });
    });
  if (!inFlight.empty() && canMoveBefore(alloc, inFlight.front()->op)) alloc->moveBefore(inFlight.front()->op);
}

// The runtime frees at once, so the host must have waited for every use.
void BlockStreams::addDealloc(gpu::DeallocOp dealloc) {
  Nodes before = nodesOf(dealloc.getAsyncDependencies());
  if (synchronous.contains(dealloc)) hostLearns(before);
  MemoryAccesses freed = analysis.accessesOf(dealloc);
  for (Node* node : inFlight)
    if (analysis.conflict(freed, node->accesses) && !llvm::is_contained(before, node)) before.push_back(node);
  tokenNodes[dealloc.getAsyncToken()] = before;
  setDependency(dealloc, calls.completed().get());
  StreamClock uses;
  for (Node* node : before) uses.join(node->clock);
  if (!hostDone.covers(uses)) deferred.push_back({dealloc, uses});
}

void BlockStreams::addTransferOrLaunch(Operation* op) {
  Node& node = nodes.emplace_back();
  node.op = op;
  node.accesses = analysis.accessesOf(op);
  bool wasSynchronous = synchronous.contains(op);
  auto async = cast<gpu::AsyncOpInterface>(op);
  Nodes tokens = nodesOf(async.getAsyncDependencies());
  Nodes dependences = dependencesOf(node, tokens, wasSynchronous);
  node.stream = chooseStream(dependences);
  waitOnStream(node, dependences);
  setDependency(op, calls.token(node.stream));
  tokenNodes[async.getAsyncToken()] = {&node};
  tails[node.stream] = &node;
  inFlight.push_back(&node);
  if (wasSynchronous) hostKnows.join(node.clock);
}

/// The nodes in flight that have to be done before, the last first, without those that are done
/// when others of them are.
BlockStreams::Nodes BlockStreams::dependencesOf(const Node& node, const Nodes& tokens, bool wasSynchronous) {
  Nodes result;
  StreamClock covered = hostDone;
  for (Node* other : llvm::reverse(inFlight)) {
    if (covered.covers(other->stream, other->index)) continue;
    bool ordered = wasSynchronous || hostKnows.covers(other->stream, other->index);
    if (!llvm::is_contained(tokens, other) && !(ordered && analysis.conflict(node.accesses, other->accesses))) continue;
    result.push_back(other);
    covered.join(other->clock);
  }
  return result;
}

/// The stream of the last dependence that nothing else follows, else an idle one, else the one
/// whose last operation is the oldest.
unsigned BlockStreams::chooseStream(const Nodes& dependences) {
  for (Node* node : dependences)
    if (tails[node->stream] == node) return node->stream;
  for (unsigned stream = 0; stream < tails.size(); ++stream)
    if (isDone(*tails[stream])) return stream;
  if (tails.size() < options.maxStreams) {
    tails.push_back(nullptr);
    return tails.size() - 1;
  }
  for (Node* node : inFlight)
    if (tails[node->stream] == node) return node->stream;
  llvm_unreachable("every stream is idle or its tail is in flight");
}

/// Makes the node's stream wait for the dependences that it does not follow anyway.
void BlockStreams::waitOnStream(Node& node, const Nodes& dependences) {
  node.clock = hostDone;
  node.index = 1;
  if (Node* tail = tails[node.stream]) {
    node.clock.join(tail->clock);
    node.index = tail->index + 1;
  }
  for (Node* other : dependences) {
    if (node.clock.covers(other->stream, other->index)) continue;
    if (!other->event) other->event = calls.record(other->op, other->stream);
    other->lastWait = calls.wait(node.op, node.stream, other->event);
    node.clock.join(other->clock);
  }
  node.clock.add(node.stream, node.index);
}

void BlockStreams::addHostOperation(Operation* op) {
  if (inFlight.empty()) return;
  if (isBoundary(op)) {
    hostWaits(op, [](const Node&) { return true; });
    return;
  }
  MemoryAccesses accesses = analysis.accessesOf(op);
  if (accesses.empty()) return;
  hostWaits(op, [&](const Node& node) {
    return hostKnows.covers(node.stream, node.index) && analysis.conflict(accesses, node.accesses);
  });
}

void BlockStreams::hostWaits(Operation* before, llvm::function_ref<bool(const Node&)> predicate) {
  bool waited = false;
  for (Node* node : llvm::reverse(inFlight)) {
    if (isDone(*node) || !predicate(*node)) continue;
    calls.synchronize(before, node->stream);
    hostDone.join(tails[node->stream]->clock);
    waited = true;
  }
  if (!waited) return;
  llvm::erase_if(inFlight, [&](Node* node) { return isDone(*node); });
  releaseDeallocs(before);
}

void BlockStreams::releaseDeallocs(Operation* before) {
  llvm::erase_if(deferred, [&](DeferredDealloc& dealloc) {
    if (!hostDone.covers(dealloc.uses)) return false;
    dealloc.op->moveBefore(before);
    return true;
  });
}

/// Bytes of the buffers whose frees are deferred; a size that is not known counts as too large.
int64_t BlockStreams::deferredBytes() const {
  int64_t bytes = 0;
  for (DeferredDealloc dealloc : deferred) {
    auto type = dyn_cast<MemRefType>(dealloc.op.getMemref().getType());
    if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat()) return options.maxDeferredBytes + 1;
    bytes += type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  }
  return bytes;
}

void BlockStreams::destroyEvents() {
  for (Node& node : nodes)
    if (node.event) calls.destroyEvent(node.lastWait, node.event);
}

}  // namespace mmtune
