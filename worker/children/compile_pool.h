// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads, each with a compile child of its own.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "worker/children/evaluation.h"
#include "worker/children/kernel_shelf.h"

namespace mmtune {

/// A candidate that does not compile, cannot be fast enough, or is only to be compiled, ends here; any other goes to
/// `compiled`. What was only compiled is kept for a while, so that it need not be compiled again to be measured.
/// Thread-safe.
class CompilePool {
 public:
  using Compiled = std::function<void(EvaluationPtr)>;

  /// With the gate, nothing compiles while a kernel is timed on that device.
  CompilePool(int threads, ChildOptions options, Compiled compiled);
  /// Finishes what is queued: raise the stop tokens first.
  ~CompilePool();

  void Add(EvaluationPtr evaluation) { queue_.Push(std::move(evaluation)); }

 private:
  void Run();
  void Evaluate(Child& child, EvaluationPtr evaluation);
  /// Whether it cannot be fast enough, by what is known of its kernel so far; then it has ended.
  static bool Skip(Evaluation& evaluation);
  /// Puts the kernel into the evaluation, from the shelf where it is there; true when it goes on. Otherwise it has
  /// ended.
  bool Compile(Child& child, Evaluation& evaluation);
  /// A request, and once more to a fresh child where one ended or sent garbage: only what happens again convicts.
  /// DataLoss when the reply is neither `wanted` nor a failure. A first attempt that failed is added to `failed`.
  absl::StatusOr<worker::Reply> Call(Child& child, const Evaluation& evaluation, const worker::Request& request,
                                     worker::Reply::ReplyCase wanted, std::vector<FailedAttempt>& failed);
  absl::StatusOr<worker::Reply> CallOnce(Child& child, const Evaluation& evaluation, const worker::Request& request,
                                         worker::Reply::ReplyCase wanted);
  /// Puts the modelled share into the evaluation, where one can be had and is not known; whatever fails, the candidate
  /// goes on.
  void Model(Child& child, Evaluation& evaluation);
  /// The whole evaluation of a candidate that is only to be compiled.
  void CompileOnly(Child& child, Evaluation& evaluation);
  /// Without the rival's kernel there will be no comparison; the candidate goes on.
  void CompileRival(Child& child, Evaluation& evaluation);
  /// Puts the proof into the evaluation; true when it may be timed. Otherwise it has ended.
  bool Prove(Child& child, Evaluation& evaluation);
  /// As Call; a child that was lost ends the evaluation, and then there is no reply.
  std::optional<worker::Reply> CallOrEnd(Child& child, Evaluation& evaluation, const worker::Request& request,
                                         worker::Reply::ReplyCase wanted);

  const ChildOptions options_;
  const Compiled compiled_;
  EvaluationQueue queue_;
  KernelShelf shelf_;
  std::atomic<bool> said_not_modelled_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace mmtune
