// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one candidate on its way through the compile pool and a measure lane, and the rules for failed attempts.
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

struct Evaluation {
  Candidate candidate;
  std::shared_ptr<const StopToken> stop;
  Evaluator::Done done;
  Measurement measurement;                  ///< Filled step by step.
  worker::CompiledKernel kernel;            ///< Set by the compile pool; opaque to the daemon.
  worker::CompiledKernel reference_kernel;  ///< Set if the candidate has a reference that compiles.
  double predicted_peak_fraction = 0;       ///< The value for Candidate::take_predicted_peak_fraction.

  /// Ends the evaluation with an outcome that is not ok, which unless kRejected becomes the last failed attempt.
  void Fail(Outcome outcome, std::string message);
};
using EvaluationPtr = std::unique_ptr<Evaluation>;

/// A queue between threads: first in, first out, but leases before compile tasks. Bounded by the number of leases and
/// compile tasks held. Thread-safe.
class EvaluationQueue {
 public:
  /// Adds an evaluation; drops it after Close().
  void Push(EvaluationPtr evaluation);
  /// Blocks. Returns null if closed and empty.
  EvaluationPtr Pop();
  void Close();

 private:
  absl::Mutex mutex_;
  std::deque<EvaluationPtr> queue_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

/// The failed attempts at one candidate, in order, all but the first in fresh children. Decides whether the candidate,
/// the worker or the device is at fault. Not thread-safe.
class FailedAttempts {
 public:
  /// Returns the provenance of a failure that was not repeated; kInfrastructure, which the device reports, stays.
  static Provenance UnlessRepeated(bool seasoned) {
    return seasoned ? Provenance::kPoisonedByPrevious : Provenance::kWorker;
  }

  void Add(FailedAttempt attempt);
  bool empty() const { return attempts_.empty(); }
  /// True if no further attempt is made: two in a row ended the same way, or three failed.
  bool Settled() const;
  /// True if the device failed, not the candidate.
  bool OfDevice() const { return last().provenance == Provenance::kInfrastructure; }
  const FailedAttempt& last() const { return attempts_.back(); }
  /// Returns the attempts, with those that ended as `outcome` attributed to the candidate.
  std::vector<FailedAttempt> Judged(Outcome outcome) const;

 private:
  std::vector<FailedAttempt> attempts_;
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int64_t kCompileAddressSpaceBytes = 0;  // the sanitizer's shadow takes terabytes of it
#else
inline constexpr int64_t kCompileAddressSpaceBytes = int64_t{16} << 30;
#endif

/// Upper limits of each step, by the worker's clock unless stated otherwise.
struct EvaluationLimits {
  Duration compute = std::chrono::seconds(120);  ///< CPU time of a compilation or a verification (WorkLimit).
  Duration model = std::chrono::seconds(10);     ///< CPU time of the model of a kernel's machine code (WorkLimit).
  Duration load = std::chrono::seconds(60);
  /// Check and timing: this, plus the time of the problem's flops at a rate that every device exceeds.
  Duration run = std::chrono::seconds(30);
  double cuda_flops_per_second = 1e10;
  double simt_flops_per_second = 1e8;
  /// The pause before a candidate is timed again because its device was found unhealthy.
  Duration unhealthy_pause = std::chrono::milliseconds(500);
  int calls_per_measure_child = 150;  ///< Three for each candidate.
  int64_t compile_address_space_bytes = kCompileAddressSpaceBytes;
};

/// The options of a pool or lane for its children.
struct ChildOptions {
  ChildCommand command;
  EvaluationLimits limits;
  TimingGate* gate = nullptr;  ///< The gate of the device that the work uses or disturbs; may be null. Not owned.
};

/// Returns `limit`, or less if the lease closes before.
Duration WithinLease(Duration limit, const Candidate& candidate);

/// Returns when the lease is handed back unless the candidate is being measured: a moment before it closes.
TimePoint HandBackAt(const Candidate& candidate);

/// True for Cancelled and Unavailable, which are not the candidate's fault and are passed on unchanged.
bool IsOurs(const absl::Status& status);

/// Returns a key that is equal for two candidates that run the same: SHA-256 over the device's code, the launches with
/// their geometry and buffers, the problem, the device with its driver, the regime, and the way of measuring. Schedule
/// and toolchain are not included, because only the code runs.
std::string TimingKey(const Candidate& candidate, const worker::CompiledKernel& kernel);

// Both wait to enter `gate`; a null gate is always open. They return Cancelled if the evaluation was stopped, or if its
// lease closes soon while the gate is held; EnterShared() also if it was asked to stop unless measuring.
absl::StatusOr<TimingGate::Pass> EnterShared(TimingGate* gate, const Evaluation& evaluation);
absl::StatusOr<TimingGate::Pass> EnterTiming(TimingGate* gate, const Evaluation& evaluation);

}  // namespace mmtune
