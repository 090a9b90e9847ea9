// The measure child's work on a real device.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device.h"
#include "kernels/runtime/host_function.h"
#include "proto/types/device_info.h"
#include "worker/checker.h"
#include "worker/kernel_timer.h"
#include "worker/measurer.h"

namespace mmtune {

/// Opens "simt" (standing in for `arch`) or "cuda:i", any CUDA device for "cuda".
absl::StatusOr<std::unique_ptr<Device>> OpenDevice(const DeviceSelector& selector);

/// Owns the device, and the process's mgpu* calls go to it: one at a time. Operands are made once for a problem and
/// kept for the candidates that follow.
class DeviceMeasurer : public Measurer {
 public:
  /// Proves first that the device's memory holds what is written to it.
  static absl::StatusOr<std::unique_ptr<Measurer>> Create(const DeviceSelector& selector);
  ~DeviceMeasurer() override;

  absl::Status Load(const MatmulProblem& problem, const CompiledKernel& kernel) override;
  absl::StatusOr<CheckReport> Check() override;
  absl::StatusOr<Timing> Time(double budget_seconds, double incumbent_ns) override;

 private:
  explicit DeviceMeasurer(std::unique_ptr<Device> device) : device_(std::move(device)) {}
  absl::Status ProveMemory();
  void Unload();

  std::unique_ptr<Device> device_;
  MatmulProblem problem_;
  std::unique_ptr<ExactChecker> checker_;  // of problem_
  std::unique_ptr<KernelTimer> timer_;     // of problem_
  std::vector<float> a_, b_, c_;           // what the host function is given
  LaunchPlan plan_;
  std::unique_ptr<DeviceModule> module_;
  std::unique_ptr<HostFunction> host_;
};

}  // namespace mmtune
