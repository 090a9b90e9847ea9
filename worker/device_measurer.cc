#include "worker/device_measurer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "kernels/runtime/mgpu.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr uint64_t kCheckSeed = 8191;

bool SameBits(const std::vector<float>& x, const std::vector<float>& y) {
  return std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
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
  std::unique_ptr<DeviceMeasurer> measurer(new DeviceMeasurer(std::move(device)));
  RETURN_IF_ERROR(measurer->ProveMemory());
  SetMgpuDevice(measurer->device_.get(), MgpuOptions{.poison_allocations = true});
  return std::unique_ptr<Measurer>(std::move(measurer));
}

DeviceMeasurer::~DeviceMeasurer() {
  Unload();
  timer_.reset();
  SetMgpuDevice(nullptr);
}

absl::Status DeviceMeasurer::ProveMemory() {
  std::vector<uint32_t> pattern(1024), read(pattern.size());
  for (size_t i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<uint32_t>(i * 2654435761u);
  const size_t bytes = pattern.size() * sizeof(uint32_t);
  ASSIGN_OR_RETURN(DevicePtr memory, device_->Allocate(bytes));
  RETURN_IF_ERROR(device_->CopyToDevice(memory, pattern.data(), bytes));
  RETURN_IF_ERROR(device_->CopyToHost(read.data(), memory, bytes));
  RETURN_IF_ERROR(device_->Synchronize(0));
  RETURN_IF_ERROR(device_->Free(memory));
  if (read != pattern) return Internal("the device's memory does not hold what was written to it");
  return absl::OkStatus();
}

void DeviceMeasurer::Unload() {
  host_.reset();
  module_.reset();
}

absl::Status DeviceMeasurer::Load(const MatmulProblem& problem, const CompiledKernel& kernel) {
  Unload();
  if (checker_ == nullptr || !(problem == problem_)) {
    checker_.reset();
    timer_.reset();
    problem_ = problem;
    checker_ = std::make_unique<ExactChecker>(problem, kCheckSeed);
    a_ = checker_->a();
    b_ = checker_->b();
    c_.resize(static_cast<size_t>(problem.ElementsC()));
  }
  plan_ = kernel.plan;
  (void)TakeMgpuError();  // of an earlier candidate, reported then
  ASSIGN_OR_RETURN(module_, device_->LoadModule(kernel.format, kernel.image));
  ASSIGN_OR_RETURN(host_, HostFunction::Load(kernel));
  return TakeMgpuError();
}

absl::StatusOr<CheckReport> DeviceMeasurer::Check() {
  if (host_ == nullptr) return FailedPrecondition("nothing is loaded");
  std::fill(c_.begin(), c_.end(), std::numeric_limits<float>::quiet_NaN());
  RETURN_IF_ERROR(host_->Run(problem_, a_.data(), b_.data(), c_.data()));
  RETURN_IF_ERROR(TakeMgpuError());
  CheckReport report = checker_->Check(c_.data());
  if (!SameBits(a_, checker_->a()) || !SameBits(b_, checker_->b())) {
    report.passed = false;
    report.detail = "the host function wrote to its operands";
    a_ = checker_->a();
    b_ = checker_->b();
  }
  return report;
}

absl::StatusOr<Timing> DeviceMeasurer::Time(double budget_seconds, double incumbent_ns) {
  if (module_ == nullptr) return FailedPrecondition("nothing is loaded");
  if (timer_ == nullptr) {
    ASSIGN_OR_RETURN(timer_, KernelTimer::Create(device_.get(), problem_));
  }
  TimingOptions options;
  options.budget_seconds = budget_seconds;
  options.incumbent_ns = incumbent_ns;
  return timer_->Time(module_.get(), plan_, options);
}

}  // namespace mmtune
