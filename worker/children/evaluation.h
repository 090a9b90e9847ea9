// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One candidate on its way through the compile pool and a measure lane.
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
  Measurement measurement;              ///< Filled step by step.
  worker::CompiledKernel kernel;        ///< Set by the compile pool; opaque to the daemon.
  worker::CompiledKernel rival_kernel;  ///< Where the candidate has a rival that compiles.
  double predicted_peak_fraction = 0;            ///< As Candidate::take_predicted_peak_fraction is told.

  /// Ends the evaluation with an outcome that is not ok. But for kRejected, it is the last failed attempt.
  void Fail(Outcome outcome, std::string message);
};
using EvaluationPtr = std::unique_ptr<Evaluation>;

/// Between threads; first in, first out, but what is to be measured goes before what is only to be compiled; the number
/// of leases and compile tasks held bounds what is in it. Thread-safe.
class EvaluationQueue {
 public:
  /// What comes after Close() is dropped.
  void Push(EvaluationPtr evaluation);
  /// Blocks. Null when closed and empty.
  EvaluationPtr Pop();
  void Close();

 private:
  absl::Mutex mutex_;
  std::deque<EvaluationPtr> queue_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

/// The failed attempts at one candidate, in order; all but the first are made in fresh children. Not thread-safe.
class FailedAttempts {
 public:
  /// What an attempt is put down to as long as it does not happen again; kInfrastructure is the device's word and
  /// stays.
  static Provenance UnlessRepeated(bool seasoned) {
    return seasoned ? Provenance::kPoisonedByPrevious : Provenance::kWorker;
  }

  void Add(FailedAttempt attempt);
  bool empty() const { return attempts_.empty(); }
  /// No further attempt: two in a row ended the same way, or it was the third.
  bool Settled() const;
  /// The device failed, not the candidate: once settled, nobody is convicted.
  bool OfDevice() const { return last().provenance == Provenance::kInfrastructure; }
  const FailedAttempt& last() const { return attempts_.back(); }
  /// Under the verdict `outcome`: what ended in the same way is the candidate's doing.
  std::vector<FailedAttempt> Judged(Outcome outcome) const;

 private:
  std::vector<FailedAttempt> attempts_;
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int64_t kCompileAddressSpaceBytes = 0;  // the sanitizer's shadow takes terabytes of it
#else
inline constexpr int64_t kCompileAddressSpaceBytes = int64_t{16} << 30;
#endif

/// Upper limits of each step, by the worker's clock where nothing else is said.
struct EvaluationLimits {
  Duration compute = std::chrono::seconds(120);  ///< Of a compilation, and of a proof: a WorkLimit.
  Duration model = std::chrono::seconds(10);     ///< Of the model of a kernel's machine code, too.
  Duration load = std::chrono::seconds(60);
  /// Check and timing: this, and the time the problem's flops take at a rate no device falls under.
  Duration run = std::chrono::seconds(30);
  double cuda_flops_per_second = 1e10;
  double simt_flops_per_second = 1e8;
  /// Before a candidate whose device was found in doubt is timed once more.
  Duration unhealthy_pause = std::chrono::milliseconds(500);
  int calls_per_measure_child = 150;  ///< Three for each candidate.
  int64_t compile_address_space_bytes = kCompileAddressSpaceBytes;
};

/// How the threads of a pool or a lane have their children work.
struct ChildOptions {
  ChildCommand command;
  EvaluationLimits limits;
  TimingGate* gate = nullptr;  ///< Of the device that the work uses or disturbs; may be null. Not owned.
};

/// `limit`, or less when the lease closes before.
Duration WithinLease(Duration limit, const Candidate& candidate);

/// When the lease has to be handed back unless the candidate is being measured: a moment before it closes.
TimePoint HandBackAt(const Candidate& candidate);

/// Cancelled or Unavailable: not the candidate's doing, and passed on as it is.
bool IsOurs(const absl::Status& status);

/// What must be equal for two candidates to run the same: SHA-256 over the device's code, the launches with their
/// geometry and buffers, the problem, the device with its driver, the regime, and the way of measuring. Not over the
/// schedule or the toolchain: code is what runs.
std::string TimingKey(const Candidate& candidate, const worker::CompiledKernel& kernel);

// Waits for a pass into `gate`; where that is null, there is nothing to wait for. Cancelled when the evaluation was
// stopped, or when its lease closes soon and the way is not free; EnterShared() also when it was asked to stop unless
// it is being measured.
absl::StatusOr<TimingGate::Pass> EnterShared(TimingGate* gate, const Evaluation& evaluation);
absl::StatusOr<TimingGate::Pass> EnterTiming(TimingGate* gate, const Evaluation& evaluation);

}  // namespace mmtune
