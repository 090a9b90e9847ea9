// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/device_measurer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "proto/base/status.h"
#include "worker/measure/canary.h"
#include "worker/measure/random_operands.h"
#include "worker/measure/rounding_tier.h"
#include "worker/measure/time_in_turn.h"

namespace mmtune {
namespace {

constexpr uint64_t kCheckSeed = 8191;
constexpr uint64_t kRandomSeed = 131071;

absl::string_view Bytes(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

size_t HashOfOperands(const ExactChecker& checker) {
  return absl::HashOf(Bytes(checker.a()), Bytes(checker.b()), Bytes(checker.bias()), Bytes(checker.addend()));
}

HostOperands OperandsOf(const ExactChecker& checker) {
  return {checker.a().data(), checker.b().data(), checker.bias().data(), checker.addend().data()};
}

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> OpenDevice(const DeviceSelector& selector) {
  switch (selector.kind) {
    case DeviceSelector::Kind::kSimt:
      return CreateSimtDevice(selector.arch);
    case DeviceSelector::Kind::kCuda:
      return CreateCudaDevice(std::max(selector.index, 0));
    case DeviceSelector::Kind::kAuto:
      break;
  }
  return InvalidArgument("a measure child needs one device, not 'auto'");
}

absl::StatusOr<std::unique_ptr<Measurer>> DeviceMeasurer::Create(const DeviceSelector& selector) {
  ASSIGN_OR_RETURN(std::unique_ptr<Device> device, OpenDevice(selector));
  return CreateOn(std::move(device));
}

absl::StatusOr<std::unique_ptr<Measurer>> DeviceMeasurer::CreateOn(std::unique_ptr<Device> device,
                                                                   const VendorLibraries& libraries) {
  RETURN_IF_ERROR(ProveDevice(device.get()));
  std::unique_ptr<DeviceMeasurer> measurer(new DeviceMeasurer(std::move(device), libraries));
  SetMgpuDevice(measurer->device_.get(), MgpuOptions{.poison_allocations = true});
  return std::unique_ptr<Measurer>(std::move(measurer));
}

DeviceMeasurer::~DeviceMeasurer() {
  Unload();
  SetMgpuDevice(nullptr);
}

void DeviceMeasurer::Unload() {
  timer_.reset();
  host_.reset();
  module_.reset();
}

absl::Status DeviceMeasurer::Load(const MatmulProblem& problem, const CompiledKernel& kernel) {
  Unload();
  if (checker_ == nullptr || !(problem == problem_)) {
    checker_.reset();
    rounding_.reset();
    problem_ = problem;
    MakeChecker();
    if (RoundingChecker::Applies(problem)) rounding_ = std::make_unique<RoundingChecker>(problem, kRandomSeed);
  }
  wrong_ = false;
  plan_ = kernel.plan;
  (void)TakeMgpuError();  // of an earlier candidate, reported then
  ASSIGN_OR_RETURN(module_, device_->LoadModule(kernel.format, kernel.image));
  ASSIGN_OR_RETURN(host_, HostFunction::Load(kernel));
  return TakeMgpuError();
}

void DeviceMeasurer::MakeChecker() {
  checker_.reset();
  checker_ = std::make_unique<ExactChecker>(problem_, kCheckSeed);
  operands_hashes_.clear();
  for (int pass = 0; pass < checker_->passes(); ++pass) {
    checker_->SetPass(pass);
    operands_hashes_.push_back(HashOfOperands(*checker_));
  }
}

absl::Status DeviceMeasurer::MakeTimer() {
  OperandSource operands = rounding_ != nullptr ? rounding_->operands() : RandomOperandStream(problem_, kRandomSeed);
  ASSIGN_OR_RETURN(timer_, KernelTimer::Create(device_.get(), module_.get(), plan_, problem_, std::move(operands)));
  return absl::OkStatus();
}

absl::StatusOr<CheckReport> DeviceMeasurer::CheckPass(int pass) {
  checker_->SetPass(pass);
  CheckReport report;
  auto judge = [this, &report](const float* c) { report = checker_->Check(c); };
  RETURN_IF_ERROR(host_->Run(problem_, OperandsOf(*checker_), judge));
  RETURN_IF_ERROR(TakeMgpuError());
  if (HashOfOperands(*checker_) != operands_hashes_[static_cast<size_t>(pass)]) {
    report.passed = false;
    report.detail = "the host function wrote to its operands";
    MakeChecker();
  }
  return report;
}

absl::StatusOr<CheckReport> DeviceMeasurer::CheckExact() {
  CheckReport report;
  for (int pass = 0; pass == 0 || (report.passed && pass < checker_->passes()); ++pass) {
    ASSIGN_OR_RETURN(report, CheckPass(pass));
  }
  return report;
}

absl::StatusOr<CheckReport> DeviceMeasurer::CheckBothTiers() {
  timer_.reset();
  ASSIGN_OR_RETURN(CheckReport report, CheckExact());
  if (!report.passed || rounding_ == nullptr) return report;
  RETURN_IF_ERROR(MakeTimer());
  ASSIGN_OR_RETURN(report, CheckRounding(*timer_, *rounding_));
  if (report.passed) report.tier = "exact, rounding";
  return report;
}

absl::StatusOr<CheckReport> DeviceMeasurer::Check() {
  if (host_ == nullptr) return FailedPrecondition("nothing is loaded");
  wrong_ = true;  // until it is known better
  ASSIGN_OR_RETURN(CheckReport report, CheckBothTiers());
  wrong_ = !report.passed;
  return report;
}

TimerSettings DeviceMeasurer::Watched(HealthReport* health) {
  TimerSettings settings;
  settings.warmed_up = [this] { health_.Before(); };
  settings.sampled = [this, health] { *health = health_.After(); };
  return settings;
}

absl::StatusOr<TimedRun> DeviceMeasurer::Time(const TimeOptions& options) {
  if (host_ == nullptr) return FailedPrecondition("nothing is loaded");
  if (wrong_) return FailedPrecondition("a kernel that did not pass its check is not timed");
  if (timer_ == nullptr) RETURN_IF_ERROR(MakeTimer());
  HealthReport health;
  const TimerSettings settings = Watched(&health);
  ASSIGN_OR_RETURN(TimedRun run, timer_->Time(options, settings));
  run.conditions.health = std::move(health);
  if (!run.conditions.health.finding.empty()) {
    run.conditions.baseline.reason = "left out: the device was in doubt";
    return run;
  }
  if (baseline_.Due(problem_, options)) timer_.reset();  // the device holds one set of operands at a time
  run.conditions.baseline = baseline_.Next(problem_, rounding_.get(), options);
  return run;
}

absl::StatusOr<Compared> DeviceMeasurer::Compare(const MatmulProblem& problem, const CompiledKernel& kernel,
                                                 const CompiledKernel& rival, const CompareOptions& options) {
  Unload();
  const CompiledKernel* kernels[] = {&kernel, &rival};
  if (options.rival_first) std::swap(kernels[0], kernels[1]);
  std::unique_ptr<DeviceModule> modules[2];
  for (int i = 0; i < 2; ++i) {
    ASSIGN_OR_RETURN(modules[i], device_->LoadModule(kernels[i]->format, kernels[i]->image));
  }
  LaunchPlan plan = kernels[0]->plan;
  plan.workspace_bytes = std::max(plan.workspace_bytes, kernels[1]->plan.workspace_bytes);
  ASSIGN_OR_RETURN(
      const std::unique_ptr<KernelTimer> first,
      KernelTimer::Create(device_.get(), modules[0].get(), plan, problem, RandomOperandStream(problem, kRandomSeed)));
  ASSIGN_OR_RETURN(const std::unique_ptr<KernelTimer> second, first->Share(modules[1].get(), kernels[1]->plan));
  HealthReport health;
  const TimerSettings settings = Watched(&health);
  ASSIGN_OR_RETURN(Compared compared, TimeInTurn(*first, *second, options, settings));
  compared.finding = std::move(health.finding);
  if (options.rival_first) {
    compared.ratio = 1 / compared.ratio;
    std::swap(compared.median_ns, compared.rival_median_ns);
  }
  return compared;
}

}  // namespace mmtune
