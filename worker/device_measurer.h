// The measure child's work on a real device.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device.h"
#include "kernels/runtime/host_function.h"
#include "proto/types/device_info.h"
#include "worker/checker.h"
#include "worker/kernel_timer.h"
#include "worker/measurer.h"
#include "worker/rounding_checker.h"

namespace mmtune {

/// Opens "simt" (standing in for `arch`) or "cuda:i", any CUDA device for "cuda".
absl::StatusOr<std::unique_ptr<Device>> OpenDevice(const DeviceSelector& selector);

/// Owns the device, and the process's mgpu* calls go to it: one at a time. Operands are made once for a problem and
/// kept for the candidates that follow. The host function and the timer have operands of their own on the device: where
/// both do not fit, those of the timer go before each check and are made again.
class DeviceMeasurer : public Measurer {
 public:
  /// Proves first that the device's memory holds what is written to it.
  static absl::StatusOr<std::unique_ptr<Measurer>> Create(const DeviceSelector& selector);
  static absl::StatusOr<std::unique_ptr<Measurer>> CreateOn(std::unique_ptr<Device> device);
  ~DeviceMeasurer() override;

  absl::Status Load(const MatmulProblem& problem, const CompiledKernel& kernel) override;
  absl::StatusOr<CheckReport> Check() override;
  absl::StatusOr<Timing> Time(double budget_seconds, double incumbent_ns) override;

 private:
  explicit DeviceMeasurer(std::unique_ptr<Device> device) : device_(std::move(device)) {}
  absl::Status ProveMemory();
  void Unload();
  void MakeChecker();
  bool TimerMayStay() const;
  absl::Status RunHostFunction();
  /// `run`, and once more without the timer's operands where the device's memory was out.
  absl::Status RunWithMemory(const std::function<absl::Status()>& run);
  absl::StatusOr<CheckReport> CheckPass(int pass);
  absl::StatusOr<CheckReport> CheckExact();
  absl::StatusOr<CheckReport> CheckErrors();

  std::unique_ptr<Device> device_;
  MatmulProblem problem_;
  std::unique_ptr<ExactChecker> checker_;      // of problem_; the host function is given its operands
  std::vector<size_t> operands_hashes_;        // in each pass, when nobody has written to them
  std::unique_ptr<RoundingChecker> rounding_;  // of problem_; null where its bound says nothing
  std::vector<float> c_;
  std::unique_ptr<KernelTimer> timer_;  // of problem_
  LaunchPlan plan_;
  std::unique_ptr<DeviceModule> module_;
  std::unique_ptr<HostFunction> host_;
};

}  // namespace mmtune
