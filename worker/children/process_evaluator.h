// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The evaluator that real workers use: a pool of child processes that compile and verify (compile_pool.h) feeds a
// measure lane for each device, which has one child (measure_lane.h). Candidates compile while others are measured.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "worker/children/compile_pool.h"
#include "worker/children/evaluation.h"
#include "worker/children/evaluator.h"
#include "worker/children/measure_lane.h"
#include "worker/children/timing_gate.h"

namespace mmtune {

/// The settings of the evaluator.
struct ProcessEvaluatorOptions {
  std::string executable;  ///< The program to start as children (with --child-role).
  int compile_jobs = 1;    ///< The number of compile children.
  std::vector<WorkerDevice> devices;
  std::string scratch_folder;       ///< Private to this daemon.
  std::string verification_folder;  ///< Folder of cached verifications, which workers may share; empty: none.
  bool lock_devices = true;         ///< If true, other workers of the host do not use a device during a timing.
  /// The longest time to wait for another worker that uses the device. After that, evaluations end with DeviceBusy()
  /// (timing_gate.h).
  Duration device_wait = Duration::max();
  EvaluationLimits limits;
};

/// The evaluator. A crash, abort or hang of a child becomes an Outcome of its candidate. On the SIMT device, which is
/// the CPU, nothing compiles while a kernel is timed. Thread-safe.
class ProcessEvaluator : public Evaluator {
 public:
  explicit ProcessEvaluator(ProcessEvaluatorOptions options);
  /// Finishes the evaluations that were started. To end early, raise their stop tokens first. No child process is left.
  ~ProcessEvaluator() override = default;

  void Start(Candidate candidate, std::shared_ptr<const StopToken> stop, Done done) override;
  /// Returns how many candidates to lease for one device at a time: one that is measured, and one for each compile
  /// child.
  int Lookahead() const override { return options_.compile_jobs + 1; }
  /// Returns the number of compile children, or 0 for the SIMT device, where nothing compiles while a kernel is timed.
  int CompileLanes(size_t device) const override;

 private:
  const ProcessEvaluatorOptions options_;
  std::vector<std::unique_ptr<TimingGate>> gates_;  // one for each device
  std::vector<std::unique_ptr<MeasureLane>> lanes_;
  std::unique_ptr<CompilePool> pool_;  // destroyed first: it feeds the lanes
};

}  // namespace mmtune
