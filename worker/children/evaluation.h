// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one candidate (a schedule to be measured) while a worker compiles, verifies and measures it. This file
// also has the parts that the compile pool and the measure lanes share: queues, time limits, and the rules for failed
// attempts, which decide whether the candidate, the worker or the device is at fault.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "worker/children/child.h"
#include "worker/children/evaluator.h"
#include "worker/children/timing_gate.h"

namespace mmtune {

/// One candidate on its way through the worker. Used by one thread at a time.
struct Evaluation {
  Candidate candidate;
  std::shared_ptr<const StopToken> stop;
  Evaluator::Done done;           ///< Takes the result.
  Measurement measurement;        ///< Filled step by step.
  worker::CompiledKernel kernel;  ///< Set by the compile pool; this process only passes it on to a measure child.
  worker::CompiledKernel reference_kernel;  ///< Set if the candidate has a reference that compiles.
  double predicted_peak_fraction = 0;       ///< For Candidate::take_predicted_peak_fraction; 0: unknown.

  /// Ends the evaluation with an outcome that is not ok. Unless the outcome is kRejected, adds it as the last failed
  /// attempt.
  void Fail(Outcome outcome, std::string message);
};
using EvaluationPtr = std::unique_ptr<Evaluation>;

/// A queue between threads: first in, first out, except that leases (candidates to measure) come before compile tasks
/// (candidates to compile only). Its length is limited by the number of leases and tasks that the worker takes.
/// Thread-safe.
class EvaluationQueue {
 public:
  /// Adds an evaluation. After Close(), drops it.
  void Push(EvaluationPtr evaluation);
  /// Waits for an evaluation. Returns null if the queue is closed and empty.
  EvaluationPtr Pop();
  /// Refuses further evaluations, and lets Pop() return null once the queue is empty.
  void Close();

 private:
  absl::Mutex mutex_;
  std::deque<EvaluationPtr> queue_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

/// The failed attempts at one candidate, in order. All attempts but the first use new child processes. Decides whether
/// the candidate, the worker or the device is at fault. Not thread-safe.
class FailedAttempts {
 public:
  /// Returns the cause of a failed attempt that is recorded until the attempt is repeated in a new child: one of the
  /// candidates before, which may have damaged the child (`seasoned`: the child had worked on others), or else the
  /// worker. If the repetition fails in the same way, Attributed() replaces it by the candidate. Not for failures that
  /// the device reports: their cause is kInfrastructure.
  static Provenance UnlessRepeated(bool seasoned) {
    return seasoned ? Provenance::kPoisonedByPrevious : Provenance::kWorker;
  }

  void Add(FailedAttempt attempt);
  bool empty() const { return attempts_.empty(); }
  /// True if no further attempt is to be made: two attempts in a row ended the same way, or three have failed.
  bool Settled() const;
  /// True if the device is at fault for the last attempt.
  bool IsDeviceFault() const { return last().provenance == Provenance::kInfrastructure; }
  const FailedAttempt& last() const { return attempts_.back(); }
  /// Returns the attempts. Those that ended with `outcome` are marked as the candidate's fault, except failures that
  /// the device reported.
  std::vector<FailedAttempt> Attributed(Outcome outcome) const;

 private:
  std::vector<FailedAttempt> attempts_;
};

/// The default limit of the address space of a compile child; 0: no limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int64_t kCompileAddressSpaceBytes = 0;  // shadow memory takes terabytes of address space
#else
inline constexpr int64_t kCompileAddressSpaceBytes = int64_t{16} << 30;
#endif

/// Time limits of the steps, in wall time unless stated otherwise.
struct EvaluationLimits {
  Duration compute = std::chrono::seconds(120);  ///< CPU time of a compilation or a verification.
  Duration model = std::chrono::seconds(10);  ///< CPU time of predicting a kernel's throughput from its machine code.
  Duration load = std::chrono::seconds(60);   ///< Loading a kernel.
  /// The limit of check and timing: this, plus the time that the problem would take at the rates below, which every
  /// device exceeds.
  Duration run = std::chrono::seconds(30);
  double cuda_flops_per_second = 1e10;
  double simt_flops_per_second = 1e8;
  /// The pause before a candidate is timed again because its device was found unhealthy.
  Duration unhealthy_pause = std::chrono::milliseconds(500);
  /// A measure child is replaced after this many requests; there are three for each candidate.
  int calls_per_measure_child = 150;
  int64_t compile_address_space_bytes = kCompileAddressSpaceBytes;
};

/// The settings of a pool or lane for its children.
struct ChildOptions {
  ChildCommand command;
  EvaluationLimits limits;
  /// The gate (timing_gate.h) of the device that the work uses or disturbs; null for none. Not owned.
  TimingGate* gate = nullptr;
};

/// Returns `limit`, or the time that is left until the lease ends (Candidate::close) if that is less.
Duration WithinLease(Duration limit, const Candidate& candidate);

/// Returns the time, shortly before the lease ends, at which it is handed back unless the candidate is being measured.
TimePoint HandBackAt(const Candidate& candidate);

/// True for Cancelled and Unavailable: errors of the worker, not of the candidate. They are passed on unchanged.
bool IsWorkerFailure(const absl::Status& status);

/// Returns a key that is equal for two candidates which run the same code in the same way, so that one timing serves
/// both. It is a SHA-256 over the device code, the launches with their shapes and buffers, the problem, the device with
/// its driver, the regime (warm or cold caches), and the method of measuring. Schedule and toolchain are left out,
/// because only the code determines the time.
std::string TimingKey(const Candidate& candidate, const worker::CompiledKernel& kernel);

/// Waits to enter `gate` for work that may run beside other work; a null gate is always open. Returns Cancelled if the
/// evaluation's stop token (StopToken, evaluator.h) is raised to any level, or if the lease is about to end during the
/// wait.
absl::StatusOr<TimingGate::Pass> EnterShared(TimingGate* gate, const Evaluation& evaluation);
/// Waits to enter `gate` for a timing, beside which nothing else may run; a null gate is always open. Returns Cancelled
/// if the stop token is raised to kNow, or if during the wait it is raised to any level or the lease is about to end.
absl::StatusOr<TimingGate::Pass> EnterTiming(TimingGate* gate, const Evaluation& evaluation);

}  // namespace mmtune
