// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/process_evaluator.h"

#include <algorithm>
#include <utility>

#include "worker/common/failure_text.h"

namespace mmtune {
namespace {

/// A lease that is handed back this long before it closes is not one that was lost.
constexpr Duration kHandBack = std::chrono::seconds(10);

absl::StatusOr<TimingGate::Pass> Enter(TimingGate* gate, const Evaluation& evaluation,
                                       TimingGate::Pass (TimingGate::*enter)(absl::FunctionRef<bool()>)) {
  const Candidate& candidate = evaluation.candidate;
  const StopToken& stop = *evaluation.stop;
  const auto give_up = [&] {
    return stop.unless_measuring() ||
           (candidate.close != TimePoint::max() && Clock::Real().Now() + kHandBack >= candidate.close);
  };
  TimingGate::Pass pass;
  if (gate != nullptr) pass = (gate->*enter)(give_up);
  if (!pass.held_by().empty()) return DeviceBusy(pass.held_by(), gate->longest_wait());
  if (pass.given_up() || stop.now() || LeaseClosed(candidate)) {
    return absl::CancelledError("stopped, or the lease closed, on the way to the device");
  }
  return pass;
}

}  // namespace

void Evaluation::Fail(Outcome outcome, std::string message) {
  measurement.outcome = outcome;
  measurement.message = OneLine(message);
  if (outcome != Outcome::kRejected) {
    measurement.conditions.failed_attempts.push_back({outcome, measurement.message, Provenance::kCandidate});
  }
  done(std::move(measurement));
}

Duration WithinLease(Duration limit, const Candidate& candidate) {
  if (candidate.close == TimePoint::max()) return limit;
  return std::clamp(candidate.close - Clock::Real().Now(), Duration::zero(), limit);
}

bool LeaseClosed(const Candidate& candidate) { return Clock::Real().Now() >= candidate.close; }

absl::StatusOr<TimingGate::Pass> EnterShared(TimingGate* gate, const Evaluation& evaluation) {
  if (evaluation.stop->unless_measuring()) return absl::CancelledError("stopped before it was on the device");
  return Enter(gate, evaluation, &TimingGate::EnterShared);
}

absl::StatusOr<TimingGate::Pass> EnterTiming(TimingGate* gate, const Evaluation& evaluation) {
  return Enter(gate, evaluation, &TimingGate::EnterTiming);
}

ProcessEvaluator::ProcessEvaluator(ProcessEvaluatorOptions options) : options_(std::move(options)) {
  CompilePoolOptions compile;
  compile.threads = std::max(1, options_.compile_jobs);
  compile.limits = options_.limits;
  compile.command.executable = options_.executable;
  compile.command.role = "compile";
  compile.command.proofs = options_.proof_folder;
  compile.command.scratch_folder = options_.scratch_folder;
  compile.command.address_space_bytes = options_.limits.compile_address_space_bytes;
  for (const EvaluatorDevice& device : options_.devices) {
    gates_.push_back(std::make_unique<TimingGate>(options_.lock_devices ? DeviceLockPath(device.info.uuid) : "",
                                                  options_.device_wait));
    if (device.info.kind == DeviceKind::kSimt) compile.gate = gates_.back().get();
    MeasureLaneOptions lane;
    lane.limits = options_.limits;
    lane.gate = gates_.back().get();
    lane.command = compile.command;
    lane.command.role = "measure";
    lane.command.proofs.clear();
    lane.command.device = device.selector;
    lane.command.address_space_bytes = 0;  // the driver reserves far more than it uses
    lanes_.push_back(std::make_unique<MeasureLane>(std::move(lane)));
  }
  pool_ = std::make_unique<CompilePool>(std::move(compile), [this](EvaluationPtr evaluation) {
    lanes_[evaluation->candidate.device]->Add(std::move(evaluation));
  });
}

ProcessEvaluator::~ProcessEvaluator() {
  pool_.reset();
  lanes_.clear();
}

void ProcessEvaluator::Start(Candidate candidate, std::shared_ptr<const StopToken> stop, Done done) {
  auto evaluation = std::make_unique<Evaluation>();
  evaluation->candidate = std::move(candidate);
  evaluation->stop = std::move(stop);
  evaluation->done = std::move(done);
  pool_->Add(std::move(evaluation));
}

}  // namespace mmtune
