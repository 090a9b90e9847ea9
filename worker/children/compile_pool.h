// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pool of threads that compile and verify candidates, each with a compile child of its own.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "worker/children/evaluation.h"
#include "worker/children/kernel_shelf.h"

namespace mmtune {

/// Ends candidates that do not compile, cannot be fast enough, or are compile tasks; passes the others to `compiled`.
/// Keeps the kernels of compile tasks for a while, so that they are not compiled again to be measured. Thread-safe.
class CompilePool {
 public:
  using Compiled = std::function<void(EvaluationPtr)>;

  /// With a gate in `options`, nothing compiles while a kernel is timed on its device.
  CompilePool(int threads, ChildOptions options, Compiled compiled);
  /// Finishes the queued evaluations; raise their stop tokens first.
  ~CompilePool();

  void Add(EvaluationPtr evaluation) { queue_.Push(std::move(evaluation)); }

 private:
  void Run();
  void Evaluate(Child& child, EvaluationPtr evaluation);
  /// Returns true, and has ended the evaluation, if the facts of its kernel show that it cannot be fast enough.
  static bool Skip(Evaluation& evaluation);
  /// Sets the kernel of the evaluation, from the shelf if it is there. Returns false if the evaluation has ended.
  bool Compile(Child& child, Evaluation& evaluation);
  /// Sends a request, again to a fresh child if the first one ended or sent garbage: only a repeated failure is the
  /// candidate's. Returns DataLoss if the reply is neither `wanted` nor a failure. Adds a failed first attempt to
  /// `failed`.
  absl::StatusOr<worker::Reply> Call(Child& child, const Evaluation& evaluation, const worker::Request& request,
                                     worker::Reply::ReplyCase wanted, std::vector<FailedAttempt>& failed);
  absl::StatusOr<worker::Reply> CallOnce(Child& child, const Evaluation& evaluation, const worker::Request& request,
                                         worker::Reply::ReplyCase wanted);
  /// Sets the evaluation's predicted_peak_fraction if it is not known; a failure does not end the evaluation.
  void Model(Child& child, Evaluation& evaluation);
  /// Runs a compile task from begin to end.
  void CompileOnly(Child& child, Evaluation& evaluation);
  /// Compiles the reference's kernel; if that fails there is no comparison, and the evaluation continues.
  void CompileReference(Child& child, Evaluation& evaluation);
  /// Verifies the schedule. Returns false if the evaluation has ended, true if it may be timed.
  bool Verify(Child& child, Evaluation& evaluation);
  /// Like Call(), but a lost child ends the evaluation, and nullopt is returned.
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
