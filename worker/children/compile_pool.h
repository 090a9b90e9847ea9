// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles and verifies candidates (schedules to be measured) in a pool of child processes, with one thread for each
// process. Candidates that are ready to be timed go to a measure lane (measure_lane.h). The evaluation of a candidate
// that does not compile, fails verification, or cannot be fast enough ends here.
//
// This file also has CompiledKernelCache, which keeps kernels that were compiled before the search chose to measure
// them.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "proto/types/measurement.h"
#include "worker/children/child.pb.h"
#include "worker/children/evaluation.h"

namespace mmtune {

/// The result of compiling a candidate: the kernel, the failed attempts before it, and the throughput predicted from
/// its code.
struct Compilation {
  worker::CompiledKernel kernel;
  std::vector<FailedAttempt> failed_attempts;
  double predicted_peak_fraction = 0;  ///< CodeFacts::predicted_peak_fraction; 0: unknown.
};

/// A cache of compiled kernels that have not been measured yet. Taking a kernel removes it; when the cache is full, the
/// oldest are dropped. Thread-safe.
class CompiledKernelCache {
 public:
  /// Limits the number of kernels and their total size.
  CompiledKernelCache(size_t most_kernels, size_t most_bytes) : most_kernels_(most_kernels), most_bytes_(most_bytes) {}

  /// Stores a compilation, replacing one with the same key. Does not store one that is larger than the whole cache.
  void Put(std::string key, Compilation compilation);
  /// Removes and returns a compilation; nullopt if there is none.
  std::optional<Compilation> Take(const std::string& key);

 private:
  struct Entry {
    std::string key;
    Compilation compilation;
    size_t bytes;
  };
  std::optional<Compilation> TakeLocked(const std::string& key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const size_t most_kernels_;
  const size_t most_bytes_;
  absl::Mutex mutex_;
  std::list<Entry> entries_ ABSL_GUARDED_BY(mutex_);  // the oldest first; few enough for a linear search
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

/// Returns a key of everything that a compilation depends on: problem, schedule, whether ptxas runs, and the device.
/// Equal devices have equal keys.
std::string CompilationKey(worker::CompileRequest request);

/// The pool. Ends candidates that do not compile, cannot be fast enough, or are compile tasks (schedules to compile
/// only); passes the others to `compiled`. Keeps the kernels of compile tasks for a while, so that they need not be
/// compiled again. Thread-safe.
class CompilePool {
 public:
  /// A function that receives a candidate that is ready to be measured.
  using Compiled = std::function<void(EvaluationPtr)>;

  /// Starts `threads` threads with a child each. If `options` has a gate (timing_gate.h), nothing compiles while a
  /// kernel is timed on the gate's device.
  CompilePool(int threads, ChildOptions options, Compiled compiled);
  /// Finishes the candidates in the queue. To end early, raise their stop tokens first.
  ~CompilePool();

  void Add(EvaluationPtr evaluation) { queue_.Push(std::move(evaluation)); }

 private:
  void Run();
  void Evaluate(Child& child, EvaluationPtr evaluation);
  /// Ends the evaluation and returns true if the compiled kernel cannot be as fast as the job needs.
  static bool Skip(Evaluation& evaluation);
  /// Sets the kernel of the evaluation, from the cache if it is there. Returns false if the evaluation has ended.
  bool Compile(Child& child, Evaluation& evaluation);
  /// Sends a request; if the child ends or sends garbage, sends it again to a new child, so that only a repeated
  /// failure is attributed to the candidate. A first failure is added to `failed`. Returns DataLoss if the reply is
  /// neither `wanted` nor a failure.
  absl::StatusOr<worker::Reply> Call(Child& child, const Evaluation& evaluation, const worker::Request& request,
                                     worker::Reply::ReplyCase wanted, std::vector<FailedAttempt>& failed);
  absl::StatusOr<worker::Reply> CallOnce(Child& child, const Evaluation& evaluation, const worker::Request& request,
                                         worker::Reply::ReplyCase wanted);
  /// Sets the evaluation's predicted_peak_fraction if it can be predicted. A failure does not end the evaluation.
  void Model(Child& child, Evaluation& evaluation);
  /// Runs a compile task.
  void CompileOnly(Child& child, Evaluation& evaluation);
  /// Compiles the kernel of Candidate::reference, a schedule to compare with. If that fails, there is no comparison,
  /// and the evaluation continues.
  void CompileReference(Child& child, Evaluation& evaluation);
  /// Verifies the schedule. Returns true if it may be timed, false if the evaluation has ended.
  bool Verify(Child& child, Evaluation& evaluation);
  /// Like Call(), but ends the evaluation and returns nullopt if the child was lost.
  std::optional<worker::Reply> CallOrEnd(Child& child, Evaluation& evaluation, const worker::Request& request,
                                         worker::Reply::ReplyCase wanted);

  const ChildOptions options_;
  const Compiled compiled_;
  EvaluationQueue queue_;
  CompiledKernelCache kernel_cache_;
  std::atomic<bool> said_not_modelled_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace mmtune
