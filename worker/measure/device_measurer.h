// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measurer that ships: checks and times kernels on a real device or the SIMT device.
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

/// The libraries that are opened at run time: NVML to watch a CUDA device, BLAS as the baseline.
struct VendorLibraries {
  std::string nvml = kNvmlLibrary;
  std::vector<std::string> blas = BlasLibraries();
};

/// Owns the device, to which the process's mgpu* calls go, so there is one at a time. Makes the operands of the exact
/// tier once for a problem and keeps them for later candidates; random ones are made when needed. The device holds one
/// set of operands at a time: first the exact tier's, then the timer's, whose warm-up the rounding tier judges. Not
/// thread-safe.
class DeviceMeasurer : public Measurer {
 public:
  /// Opens the device and verifies that it computes; returns Unavailable if it does not.
  static absl::StatusOr<std::unique_ptr<Measurer>> Create(const DeviceSelector& selector);
  static absl::StatusOr<std::unique_ptr<Measurer>> CreateOn(std::unique_ptr<Device> device,
                                                            const VendorLibraries& libraries = {});
  ~DeviceMeasurer() override;

  absl::Status Load(const MatmulProblem& problem, const CompiledKernel& kernel) override;
  absl::StatusOr<CheckReport> Check() override;
  /// Times the kernel and then, if it is due, the baseline. Returns FailedPrecondition after a failed check.
  absl::StatusOr<TimedRun> Time(const TimeOptions& options) override;
  absl::StatusOr<Compared> Compare(const MatmulProblem& problem, const CompiledKernel& kernel,
                                   const CompiledKernel& reference, const CompareOptions& options) override;

 private:
  DeviceMeasurer(std::unique_ptr<Device> device, const VendorLibraries& libraries)
      : device_(std::move(device)),
        health_(device_->info(), libraries.nvml),
        baseline_(device_.get(), libraries.blas) {}
  void Unload();
  void MakeChecker();
  absl::Status MakeTimer();
  absl::StatusOr<CheckReport> CheckExact();
  /// Returns settings with which the health of the samples is stored in `health`.
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
