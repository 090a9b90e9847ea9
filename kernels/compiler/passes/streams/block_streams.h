// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The streams of one block's device operations.
#pragma once

#include <deque>

#include "kernels/compiler/passes/buffers/memory_accesses.h"
#include "kernels/compiler/passes/streams/stream_calls.h"

namespace mmtune {

/// For every stream, how many of its first operations are done: a vector clock. As a stream keeps
/// its order, one number a stream is enough.
class StreamClock {
 public:
  /// Whether operation `index` (from 1) of `stream` is done.
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

  /// What either knows.
  void join(const StreamClock& other) {
    for (unsigned stream = 0; stream < other.counts.size(); ++stream) add(stream, other.counts[stream]);
  }

 private:
  llvm::SmallVector<unsigned, 4> counts;
};

struct BlockStreamsOptions {
  unsigned maxStreams;
  int64_t maxDeferredBytes;
};

/// Puts the transfers and launches of a block, all asynchronous by now, on streams.
///
/// Two orders are kept apart: what the host of the original program knew to be done (`hostKnows`:
/// it ran a synchronous operation or waited for a token), and what it has really waited for in the
/// new program (`hostDone`). The host waits as late as the difference allows. Nothing is in flight
/// at the beginning and end of a block, nor in an operation with regions that have device
/// operations.
class BlockStreams {
 public:
  /// `synchronous`: the operations that were so in the original program.
  BlockStreams(mlir::Block& block, AccessAnalysis& analysis, StreamCalls& calls,
               const llvm::DenseSet<mlir::Operation*>& synchronous, const BlockStreamsOptions& options)
      : block(block), analysis(analysis), calls(calls), synchronous(synchronous), options(options) {}

  void run();

 private:
  /// A memcpy, memset or launch.
  struct Node {
    mlir::Operation* op;
    MemoryAccesses accesses;
    unsigned stream = 0, index = 0;  ///< Its place on the stream, from 1.
    StreamClock clock;               ///< What is done when it is.
    mlir::Value event;               ///< Null until another stream waits for it.
    mlir::Operation* lastWait = nullptr;
  };
  using Nodes = llvm::SmallVector<Node*, 4>;

  struct DeferredDealloc {
    mlir::gpu::DeallocOp op;
    StreamClock uses;
  };

  void addAlloc(mlir::gpu::AllocOp alloc);
  void addDealloc(mlir::gpu::DeallocOp dealloc);
  void addWait(mlir::gpu::WaitOp wait);
  void addTransferOrLaunch(mlir::Operation* op);
  void addHostOperation(mlir::Operation* op);

  Nodes nodesOf(mlir::ValueRange tokens) const;
  void hostLearns(const Nodes& nodes);
  Nodes dependencesOf(const Node& node, const Nodes& tokens, bool wasSynchronous);
  unsigned chooseStream(const Nodes& dependences);
  void waitOnStream(Node& node, const Nodes& dependences);

  bool isDone(const Node& node) const { return hostDone.covers(node.stream, node.index); }
  /// Makes the host wait for the nodes in flight that `predicate` accepts.
  void hostWaits(mlir::Operation* before, llvm::function_ref<bool(const Node&)> predicate);
  void releaseDeallocs(mlir::Operation* before);
  int64_t deferredBytes() const;
  void destroyEvents();

  mlir::Block& block;
  AccessAnalysis& analysis;
  StreamCalls& calls;
  const llvm::DenseSet<mlir::Operation*>& synchronous;
  BlockStreamsOptions options;

  std::deque<Node> nodes;
  llvm::SmallVector<Node*> inFlight;  ///< In program order.
  llvm::SmallVector<Node*> tails;     ///< The last node of each stream.
  llvm::DenseMap<mlir::Value, Nodes> tokenNodes;
  llvm::SmallVector<DeferredDealloc> deferred;
  StreamClock hostKnows, hostDone;
};

}  // namespace mmtune
