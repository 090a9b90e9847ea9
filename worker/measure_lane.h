// One device: a thread, and a measure child that owns the device.
#pragma once

#include <string>
#include <thread>

#include "worker/child.h"
#include "worker/evaluation.h"
#include "worker/task_queue.h"
#include "worker/timing_gate.h"

namespace mmtune {

struct MeasureLaneOptions {
  ChildCommand command;  ///< Of the role "measure", device set.
  EvaluationLimits limits;
  TimingGate* gate = nullptr;  ///< Of the device; not owned.
};

/// Loads, checks and times compiled candidates one after the other, and ends each. Thread-safe.
class MeasureLane {
 public:
  explicit MeasureLane(MeasureLaneOptions options);
  /// Finishes what is queued: raise the stop tokens first.
  ~MeasureLane();

  void Add(EvaluationPtr evaluation) { queue_.Push(std::move(evaluation)); }

 private:
  void Run();
  void Measure(Child& child, EvaluationPtr evaluation);
  absl::StatusOr<Measurement> Attempt(Child& child, const Evaluation& evaluation);

  const MeasureLaneOptions options_;
  TaskQueue<EvaluationPtr> queue_;
  std::thread thread_;
};

}  // namespace mmtune
