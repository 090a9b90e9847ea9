// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/device_measurer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "kernels/runtime/cuda/cuda_device.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "proto/base/status.h"
#include "worker/measure/operand_sets.h"

namespace mmtune {
namespace {

constexpr uint64_t kCheckSeed = 8191;
constexpr uint64_t kRandomSeed = 131071;

constexpr uint32_t kCanaryBlocks = 4;
constexpr uint32_t kCanaryWords = kCanaryBlocks * cuda::kCanaryThreads;
constexpr size_t kCanaryBytes = kCanaryWords * sizeof(uint32_t);

absl::Status RunCanary(Device* device, DevicePtr words) {
  ASSIGN_OR_RETURN(std::unique_ptr<DeviceModule> module, device->LoadModule(ImageFormat::kPtx, cuda::kCanaryPtx));
  ASSIGN_OR_RETURN(DeviceKernel * kernel, module->GetKernel(cuda::kCanaryKernel));
  void* arguments[] = {&words};
  RETURN_IF_ERROR(device->Launch(kernel, {{kCanaryBlocks, 1, 1}, {cuda::kCanaryThreads, 1, 1}}, arguments));
  return device->Synchronize(0);
}

absl::Status ExpectWords(Device* device, DevicePtr memory, const std::vector<uint32_t>& expected,
                         std::string_view otherwise) {
  std::vector<uint32_t> read(kCanaryWords);
  RETURN_IF_ERROR(device->CopyToHost(read.data(), memory, kCanaryBytes));
  RETURN_IF_ERROR(device->Synchronize(0));
  return read == expected ? absl::OkStatus() : Unavailable(otherwise);
}

/// The device's memory holds what is written to it, and a small kernel (of a CUDA device) computes what it should:
/// after a failure this tells a broken device from a bad candidate. Unavailable where it does not, or is lost.
absl::Status VerifyMemoryAndKernel(Device* device, DevicePtr memory) {
  std::vector<uint32_t> words(kCanaryWords);
  for (uint32_t i = 0; i < kCanaryWords; ++i) words[i] = i * 2654435761u;
  RETURN_IF_ERROR(device->CopyToDevice(memory, words.data(), kCanaryBytes));
  RETURN_IF_ERROR(ExpectWords(device, memory, words, "the device's memory does not hold what was written to it"));
  if (device->info().kind != DeviceKind::kCuda) return absl::OkStatus();
  RETURN_IF_ERROR(RunCanary(device, memory));
  for (uint32_t i = 0; i < kCanaryWords; ++i) words[i] = cuda::CanaryWord(words[i], i);
  return ExpectWords(device, memory, words, "the device does not compute what it should");
}

absl::Status VerifyDevice(Device* device) {
  absl::StatusOr<DevicePtr> memory = device->Allocate(kCanaryBytes);
  absl::Status verified = memory.status();
  if (verified.ok()) verified = VerifyMemoryAndKernel(device, *memory);
  if (verified.ok()) verified = device->Free(*memory);
  return WithContext(verified, "the device failed its first check");
}

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> OpenDevice(const DeviceSelector& selector) {
  if (selector.kind == DeviceSelector::Kind::kSimt) return CreateSimtDevice(selector.arch);
  if (selector.kind == DeviceSelector::Kind::kCuda) return CreateCudaDevice(std::max(selector.index, 0));
  return InvalidArgument("a measure child needs one device, not 'auto'");
}

absl::StatusOr<std::unique_ptr<Measurer>> DeviceMeasurer::Create(const DeviceSelector& selector) {
  ASSIGN_OR_RETURN(std::unique_ptr<Device> device, OpenDevice(selector));
  return CreateOn(std::move(device));
}

absl::StatusOr<std::unique_ptr<Measurer>> DeviceMeasurer::CreateOn(std::unique_ptr<Device> device,
                                                                   const VendorLibraries& libraries) {
  RETURN_IF_ERROR(VerifyDevice(device.get()));
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
  checker_ = ExactCheck::Create(problem_, kCheckSeed);
  operands_hashes_.clear();
  for (int pass = 0; pass < checker_->passes(); ++pass) {
    checker_->SetPass(pass);
    operands_hashes_.push_back(checker_->Encoded().HashOfBits());
  }
}

absl::Status DeviceMeasurer::MakeTimer() {
  OperandSource operands = rounding_ != nullptr ? rounding_->operands() : RandomOperandStream(problem_, kRandomSeed);
  ASSIGN_OR_RETURN(timer_, KernelTimer::Create(device_.get(), PlanRun(device_.get(), module_.get(), plan_), problem_,
                                               std::move(operands)));
  return absl::OkStatus();
}

absl::StatusOr<CheckReport> DeviceMeasurer::CheckExact() {
  CheckReport report;
  for (int pass = 0; pass == 0 || (report.passed && pass < checker_->passes()); ++pass) {
    checker_->SetPass(pass);
    const EncodedOperands operands = checker_->Encoded();
    auto judge = [this, &report](const void* c) { report = checker_->CheckElements(c); };
    RETURN_IF_ERROR(host_->Run(problem_, operands.View(), judge));
    RETURN_IF_ERROR(TakeMgpuError());
    if (operands.HashOfBits() == operands_hashes_[static_cast<size_t>(pass)]) continue;
    report.passed = false;
    report.detail = "the host function wrote to its operands";
    MakeChecker();
  }
  return report;
}

absl::StatusOr<CheckReport> DeviceMeasurer::Check() {
  if (host_ == nullptr) return FailedPrecondition("no kernel is loaded; send a load request first");
  wrong_ = true;  // until it is known better
  timer_.reset();
  ASSIGN_OR_RETURN(CheckReport report, CheckExact());
  if (report.passed && rounding_ != nullptr) {
    RETURN_IF_ERROR(MakeTimer());
    ASSIGN_OR_RETURN(report, CheckRounding(*timer_, *rounding_));
    if (report.passed) report.tier = "exact, rounding";
  }
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
  if (host_ == nullptr) return FailedPrecondition("no kernel is loaded; send a load request first");
  if (wrong_) return FailedPrecondition("the kernel did not pass its check, so it is not timed");
  if (timer_ == nullptr) RETURN_IF_ERROR(MakeTimer());
  HealthReport health;
  const TimerSettings settings = Watched(&health);
  ASSIGN_OR_RETURN(TimedRun run, timer_->Time(options, settings));
  run.conditions.health = std::move(health);
  if (!run.conditions.health.finding.empty()) {
    run.conditions.baseline.reason = "left out: the device was not healthy";
    return run;
  }
  if (baseline_.Due(problem_, options)) timer_.reset();  // the device holds one set of operands at a time
  run.conditions.baseline = baseline_.Next(problem_, rounding_.get(), options);
  return run;
}

absl::StatusOr<Compared> DeviceMeasurer::Compare(const MatmulProblem& problem, const CompiledKernel& kernel,
                                                 const CompiledKernel& reference, const CompareOptions& options) {
  Unload();
  const CompiledKernel* kernels[] = {&kernel, &reference};
  if (options.reference_first) std::swap(kernels[0], kernels[1]);
  std::unique_ptr<DeviceModule> modules[2];
  for (int i = 0; i < 2; ++i) {
    ASSIGN_OR_RETURN(modules[i], device_->LoadModule(kernels[i]->format, kernels[i]->image));
  }
  Runnable first_run = PlanRun(device_.get(), modules[0].get(), kernels[0]->plan);
  Runnable second_run = PlanRun(device_.get(), modules[1].get(), kernels[1]->plan);
  first_run.workspace_bytes = std::max(first_run.workspace_bytes, second_run.workspace_bytes);
  ASSIGN_OR_RETURN(
      const std::unique_ptr<KernelTimer> first,
      KernelTimer::Create(device_.get(), std::move(first_run), problem, RandomOperandStream(problem, kRandomSeed)));
  ASSIGN_OR_RETURN(const std::unique_ptr<KernelTimer> second, first->Share(std::move(second_run)));
  HealthReport health;
  const TimerSettings settings = Watched(&health);
  ASSIGN_OR_RETURN(Compared compared, TimeAlternately(*first, *second, options, settings));
  compared.finding = std::move(health.finding);
  if (options.reference_first) {
    compared.ratio = 1 / compared.ratio;
    std::swap(compared.median_ns, compared.reference_median_ns);
  }
  return compared;
}

}  // namespace mmtune
