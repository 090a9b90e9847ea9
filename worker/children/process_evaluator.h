// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The evaluator that ships, with a pool of compile children and one measure child for each device.
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

struct ProcessEvaluatorOptions {
  std::string executable;  ///< The program of the children; understands --child-role.
  int compile_jobs = 1;
  std::vector<WorkerDevice> devices;
  std::string scratch_folder;       ///< Private to this daemon.
  std::string verification_folder;  ///< Keeps verifications; may be shared; empty: none.
  bool lock_devices = true;         ///< Locks out other workers of the host.
  /// The longest wait for another worker's work on a device; then the evaluation ends as DeviceBusy (timing_gate.h).
  Duration device_wait = Duration::max();
  EvaluationLimits limits;
};

/// Compiles ahead while a device measures. On the SIMT device, which is the CPU, nothing compiles while a kernel is
/// timed. An abort, a hang or a crash of a child becomes an Outcome. Thread-safe.
class ProcessEvaluator : public Evaluator {
 public:
  explicit ProcessEvaluator(ProcessEvaluatorOptions options);
  /// Finishes the started evaluations; raise their stop tokens first. No child is left when it returns.
  ~ProcessEvaluator() override = default;

  void Start(Candidate candidate, std::shared_ptr<const StopToken> stop, Done done) override;
  int Lookahead() const override { return options_.compile_jobs + 1; }
  /// Returns 0 for the SIMT device, where nothing compiles while a kernel is timed.
  int CompileLanes(size_t device) const override;

 private:
  const ProcessEvaluatorOptions options_;
  std::vector<std::unique_ptr<TimingGate>> gates_;  // one for each device
  std::vector<std::unique_ptr<MeasureLane>> lanes_;
  std::unique_ptr<CompilePool> pool_;  // destroyed first: it feeds the lanes
};

}  // namespace mmtune
