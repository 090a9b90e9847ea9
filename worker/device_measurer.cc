#include "worker/device_measurer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "kernels/runtime/mgpu.h"
#include "proto/base/status.h"
#include "worker/guarded_buffers.h"
#include "worker/rounding_tier.h"

namespace mmtune {
namespace {

constexpr uint64_t kCheckSeed = 8191;
constexpr uint64_t kRoundingSeed = 131071;

/// Of the device's memory, what candidates may take: the driver's and other processes' part is not known.
constexpr double kUsableMemory = 0.9;

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

absl::StatusOr<std::unique_ptr<Measurer>> DeviceMeasurer::CreateOn(std::unique_ptr<Device> device) {
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
    rounding_.reset();
    timer_.reset();
    problem_ = problem;
    MakeChecker();
    if (RoundingChecker::Applies(problem)) rounding_ = std::make_unique<RoundingChecker>(problem, kRoundingSeed);
  }
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

bool DeviceMeasurer::TimerMayStay() const {
  const DeviceInfo& device = device_->info();
  if (timer_ == nullptr || device.memory_bytes <= 0) return true;
  const int64_t operands = problem_.OperandBytes();
  int64_t bytes = timer_->device_bytes() + operands + plan_.workspace_bytes;
  bytes += static_cast<int64_t>(GuardedBuffers::kOverheadBytes);
  // The SIMT device's memory is the host's, where the checker and the timer have all operands, and there are two
  // results.
  if (device.kind == DeviceKind::kSimt) bytes += 2 * operands;
  return static_cast<double>(bytes) <= kUsableMemory * static_cast<double>(device.memory_bytes);
}

absl::Status DeviceMeasurer::RunWithMemory(const std::function<absl::Status()>& run) {
  if (!TimerMayStay()) timer_.reset();
  absl::Status status = run();
  if (!absl::IsResourceExhausted(status) || timer_ == nullptr) return status;
  timer_.reset();  // others use the device's memory, too
  return run();
}

absl::Status DeviceMeasurer::RunHostFunction() {
  return RunWithMemory([this]() -> absl::Status {
    c_.assign(static_cast<size_t>(problem_.ElementsC()), std::numeric_limits<float>::quiet_NaN());
    RETURN_IF_ERROR(host_->Run(problem_, OperandsOf(*checker_), c_.data()));
    return TakeMgpuError();
  });
}

absl::StatusOr<CheckReport> DeviceMeasurer::CheckPass(int pass) {
  checker_->SetPass(pass);
  RETURN_IF_ERROR(RunHostFunction());
  CheckReport report = checker_->Check(c_.data());
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
  std::vector<float>().swap(c_);  // what follows needs no result of the host's
  return report;
}

absl::StatusOr<CheckReport> DeviceMeasurer::CheckErrors() {
  CheckReport report;
  RETURN_IF_ERROR(RunWithMemory([this, &report]() -> absl::Status {
    ASSIGN_OR_RETURN(report, CheckRounding(device_.get(), module_.get(), plan_, problem_, *rounding_));
    return absl::OkStatus();
  }));
  return report;
}

absl::StatusOr<CheckReport> DeviceMeasurer::Check() {
  if (host_ == nullptr) return FailedPrecondition("nothing is loaded");
  ASSIGN_OR_RETURN(CheckReport report, CheckExact());
  if (!report.passed || rounding_ == nullptr) return report;
  ASSIGN_OR_RETURN(report, CheckErrors());
  if (report.passed) report.tier = "exact, rounding";
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
