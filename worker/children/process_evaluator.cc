// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/process_evaluator.h"

#include <algorithm>
#include <utility>

namespace mmtune {
ProcessEvaluator::ProcessEvaluator(ProcessEvaluatorOptions options) : options_(std::move(options)) {
  ChildOptions compile;
  compile.limits = options_.limits;
  compile.command.executable = options_.executable;
  compile.command.role = "compile";
  compile.command.verifications = options_.verification_folder;
  compile.command.scratch_folder = options_.scratch_folder;
  compile.command.address_space_bytes = options_.limits.compile_address_space_bytes;
  for (const WorkerDevice& device : options_.devices) {
    gates_.push_back(std::make_unique<TimingGate>(options_.lock_devices ? DeviceLockPath(device.info.uuid) : "",
                                                  options_.device_wait));
    if (device.info.kind == DeviceKind::kSimt) compile.gate = gates_.back().get();
    ChildOptions lane = compile;
    lane.gate = gates_.back().get();
    lane.command.role = "measure";
    lane.command.verifications.clear();
    lane.command.device = device.selector;
    lane.command.address_space_bytes = 0;  // the driver reserves far more than it uses
    lanes_.push_back(std::make_unique<MeasureLane>(std::move(lane)));
  }
  auto compiled = [this](EvaluationPtr evaluation) {
    lanes_[evaluation->candidate.device]->Add(std::move(evaluation));
  };
  pool_ = std::make_unique<CompilePool>(std::max(1, options_.compile_jobs), std::move(compile), std::move(compiled));
}

int ProcessEvaluator::CompileLanes(size_t device) const {
  return options_.devices[device].info.kind == DeviceKind::kSimt ? 0 : std::max(1, options_.compile_jobs);
}

void ProcessEvaluator::Start(Candidate candidate, std::shared_ptr<const StopToken> stop, Done done) {
  auto evaluation = std::make_unique<Evaluation>();
  evaluation->candidate = std::move(candidate);
  evaluation->stop = std::move(stop);
  evaluation->done = std::move(done);
  pool_->Add(std::move(evaluation));
}

}  // namespace mmtune
