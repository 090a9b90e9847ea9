// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <deque>

#include "kernels/compiler/passes/streams/memory_accesses.h"
#include "kernels/compiler/passes/streams/passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_ASSIGNGPUSTREAMSPASS
#include "kernels/compiler/passes/streams/Passes.h.inc"

namespace {

/// True for operations before which nothing may be in flight.
bool isBoundary(Operation* op) {
  if (op->hasTrait<OpTrait::IsTerminator>()) return true;
  auto isDevice = [](Operation* nested) { return isa<gpu::AsyncOpInterface>(nested) || carriesTokens(nested); };
  return op->walk([&](Operation* nested) { return WalkResult(failure(isDevice(nested))); }).wasInterrupted();
}

/// True if the operands of `op` are defined before `other`, an earlier operation of its block.
bool canMoveBefore(Operation* op, Operation* other) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation* definition = operand.getDefiningOp();
    return isToken(operand) || !definition || definition->getBlock() != other->getBlock() ||
           definition->isBeforeInBlock(other);
  });
}

/// A vector clock: the number of completed operations of each stream. As a stream keeps its order, one number for each
/// is enough.
class StreamClock {
 public:
  /// True if operation `index` (from 1) of `stream` is done.
  bool covers(unsigned stream, unsigned index) const { return stream < counts.size() && counts[stream] >= index; }
  bool covers(const StreamClock& other) const {
    for (unsigned stream = 0; stream < other.counts.size(); ++stream)
      if (other.counts[stream] != 0 && !covers(stream, other.counts[stream])) return false;
    return true;
  }
  void add(unsigned stream, unsigned index) {
    if (counts.size() <= stream) counts.resize(stream + 1, 0);
    counts[stream] = std::max(counts[stream], index);
  }
  /// Adds everything that `other` covers.
  void join(const StreamClock& other) {
    for (unsigned stream = 0; stream < other.counts.size(); ++stream) add(stream, other.counts[stream]);
  }

 private:
  SmallVector<unsigned, 4> counts;
};

struct BlockStreamsOptions {
  unsigned maxStreams;
  int64_t maxDeferredBytes;
};

/// Puts the transfers and launches of a block, all asynchronous by now, on streams.
///
/// Keeps two clocks: `hostKnows`, the operations that the host of the original program knew to be done (it ran a
/// synchronous operation or waited for a token), and `hostDone`, those that it has waited for in the new program. The
/// host waits as late as the difference allows. Nothing is in flight at the beginning and end of a block, nor in an
/// operation with regions that contain device operations.
class BlockStreams {
 public:
  /// `synchronous` has the operations that were synchronous in the original program.
  BlockStreams(Block& block, AccessAnalysis& analysis, StreamCalls& calls,
               const llvm::DenseSet<Operation*>& synchronous, const BlockStreamsOptions& options)
      : block(block), analysis(analysis), calls(calls), synchronous(synchronous), options(options) {}

  void run();

 private:
  /// A memcpy, memset or launch.
  struct Node {
    Operation* op;
    MemoryAccesses accesses;
    unsigned stream = 0, index = 0;  ///< Position on the stream, from 1.
    StreamClock clock;               ///< The operations that are done when it is.
    Value event;                     ///< Null until another stream waits for it.
    Operation* lastWait = nullptr;
  };
  using Nodes = SmallVector<Node*, 4>;

  struct DeferredDealloc {
    gpu::DeallocOp op;
    StreamClock uses;
  };

  void addAlloc(gpu::AllocOp alloc);
  void addDealloc(gpu::DeallocOp dealloc);
  void addWait(gpu::WaitOp wait);
  void addTransferOrLaunch(Operation* op);
  void addHostOperation(Operation* op);

  Nodes nodesOf(ValueRange tokens) const;
  void hostLearns(const Nodes& nodes);
  Nodes dependencesOf(const Node& node, const Nodes& tokens, bool wasSynchronous);
  unsigned chooseStream(const Nodes& dependences);
  void waitOnStream(Node& node, const Nodes& dependences);
  bool isDone(const Node& node) const { return hostDone.covers(node.stream, node.index); }

  /// Makes the host wait for the nodes in flight that `predicate` accepts.
  void hostWaits(Operation* before, llvm::function_ref<bool(const Node&)> predicate);
  void releaseDeallocs(Operation* before);
  int64_t deferredBytes() const;
  void destroyEvents();

  Block& block;
  AccessAnalysis& analysis;
  StreamCalls& calls;
  const llvm::DenseSet<Operation*>& synchronous;
  BlockStreamsOptions options;

  std::deque<Node> nodes;
  SmallVector<Node*> inFlight;  ///< In program order.
  SmallVector<Node*> tails;     ///< The last node of each stream.
  llvm::DenseMap<Value, Nodes> tokenNodes;
  SmallVector<DeferredDealloc> deferred;
  StreamClock hostKnows, hostDone;
};

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

/// Returns the nodes of the tokens. Tokens from outside the block are complete.
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

// The runtime allocates at once, whatever the stream, and a device may finish all its work first: allocations go before
// the work in flight.
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

/// Returns the nodes in flight that `node` must follow, the last first, without those that others of them follow.
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

/// Returns the stream of the last dependence that nothing else follows, else an idle one, else the one whose last
/// operation is the oldest.
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

/// Makes the node's stream wait for the dependences that it does not follow already.
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

/// Returns the bytes of the buffers whose frees are deferred; an unknown size counts as too large.
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

/// Refuses an operation in code that may run after the function or elsewhere, where its streams do not exist.
LogicalResult checkPlace(Operation* op, func::FuncOp function) {
  for (Operation* parent = op->getParentOp(); parent != function; parent = parent->getParentOp())
    if (parent->hasTrait<OpTrait::IsIsolatedFromAbove>() || parent->getName().getDialectNamespace() == "async")
      return op->emitError("a device operation inside '")
             << parent->getName() << "' cannot use the streams of the function around it: use linearize-gpu-tokens";
  return success();
}

struct AssignGpuStreams : impl::AssignGpuStreamsPassBase<AssignGpuStreams> {
  using AssignGpuStreamsPassBase::AssignGpuStreamsPassBase;

  void runOnOperation() override {
    if (maxStreams == 0) {
      getOperation().emitError("max-streams must be at least 1");
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> functions;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp>(op)) return WalkResult::skip();
      if (auto function = dyn_cast<func::FuncOp>(op); function && !function.isExternal()) functions.push_back(function);
      return WalkResult::advance();
    });
    CallFacts facts(getOperation());
    for (func::FuncOp function : functions)
      if (failed(assign(function, facts))) return signalPassFailure();
  }

 private:
  LogicalResult assign(func::FuncOp function, const CallFacts& facts) {
    SmallVector<Operation*> operations;
    function.walk([&](Operation* op) {
      if (isStreamOperation(op)) operations.push_back(op);
    });
    for (Operation* op : operations)
      if (failed(checkPlace(op, function))) return failure();
    StreamCalls calls(function);
    if (failed(checkTokens(function)) || (!operations.empty() && failed(calls.check()))) return failure();

    SmallVector<gpu::WaitOp> waits = collectWaits(function);
    llvm::DenseSet<Operation*> synchronous;
    for (Operation* op : operations) {
      auto async = cast<gpu::AsyncOpInterface>(op);
      if (!async.getAsyncToken()) synchronous.insert(makeAsynchronous(async));
    }
    AccessAnalysis analysis(function, facts, distinctArguments);
    BlockStreamsOptions options{maxStreams, maxDeferredBytes};
    SmallVector<Block*> blocks;
    function.walk([&](Block* block) { blocks.push_back(block); });
    for (Block* block : blocks) BlockStreams(*block, analysis, calls, synchronous, options).run();
    eraseTokens(function, calls.completed(), waits);
    calls.finish();
    return success();
  }
};

}  // namespace
}  // namespace mmtune
