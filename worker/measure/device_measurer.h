// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measure child's work on a real device.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"
#include "kernels/runtime/host_function.h"
#include "proto/types/device_info.h"
#include "worker/children/measurer.h"
#include "worker/measure/baseline.h"
#include "worker/measure/checker.h"
#include "worker/measure/device_health.h"
#include "worker/measure/kernel_timer.h"
#include "worker/measure/rounding_checker.h"

namespace mmtune {

/// Opens "simt" (standing in for `arch`) or "cuda:i", any CUDA device for "cuda".
absl::StatusOr<std::unique_ptr<Device>> OpenDevice(const DeviceSelector& selector);

/// What is opened at run time to watch a CUDA device, and to compare with.
struct VendorLibraries {
  std::string nvml = kNvmlLibrary;
  std::vector<std::string> blas = BlasLibraries();
};

/// Owns the device, and the process's mgpu* calls go to it: one at a time. The exact tier's operands are made once for
/// a problem and kept for the candidates that follow; random ones are made where they are needed. The device holds one
/// set at a time: that of the host function in the exact tier, then that of the timer, whose warm-up the rounding tier
/// judges.
class DeviceMeasurer : public Measurer {
 public:
  /// Proves first that the device computes: Unavailable where it does not.
  static absl::StatusOr<std::unique_ptr<Measurer>> Create(const DeviceSelector& selector);
  static absl::StatusOr<std::unique_ptr<Measurer>> CreateOn(std::unique_ptr<Device> device,
                                                            const VendorLibraries& libraries = {});
  ~DeviceMeasurer() override;

  absl::Status Load(const MatmulProblem& problem, const CompiledKernel& kernel) override;
  absl::StatusOr<CheckReport> Check() override;
  /// FailedPrecondition after a check that failed. The baseline is timed behind the candidate.
  absl::StatusOr<TimedRun> Time(const TimeOptions& options) override;
  absl::StatusOr<Compared> Compare(const MatmulProblem& problem, const CompiledKernel& kernel,
                                   const CompiledKernel& rival, const CompareOptions& options) override;

 private:
  DeviceMeasurer(std::unique_ptr<Device> device, const VendorLibraries& libraries)
      : device_(std::move(device)),
        health_(device_->info(), libraries.nvml),
        baseline_(device_.get(), libraries.blas) {}
  void Unload();
  void MakeChecker();
  absl::Status MakeTimer();
  absl::StatusOr<CheckReport> CheckExact();
  /// The certificate of the samples goes to `health`.
  TimerSettings Watched(HealthReport* health);

  std::unique_ptr<Device> device_;
  DeviceHealth health_;
  BaselineSeries baseline_;
  MatmulProblem problem_;
  std::unique_ptr<ExactTier> checker_;         // of problem_; the host function is given its operands
  std::vector<size_t> operands_hashes_;        // in each pass, when nobody has written to them
  std::unique_ptr<RoundingChecker> rounding_;  // of problem_; null where its bound says nothing
  LaunchPlan plan_;
  std::unique_ptr<DeviceModule> module_;
  std::unique_ptr<HostFunction> host_;
  std::unique_ptr<KernelTimer> timer_;  // of module_
  bool wrong_ = false;                  // the check failed
};

}  // namespace mmtune
