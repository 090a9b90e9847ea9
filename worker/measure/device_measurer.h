// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measurer that real workers use: checks and times compiled kernels on a GPU or on the SIMT device. For each kernel
// it runs the exact check, the rounding check on random operands, and the timing, together with the baseline and the
// state of the device.
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

/// Opens the device of a selector: "simt" (with the limits of its arch), "cuda:i", or the first CUDA device for "cuda".
/// Returns InvalidArgument for "auto", and the error of the device if it cannot be opened.
absl::StatusOr<std::unique_ptr<Device>> OpenDevice(const DeviceSelector& selector);

/// The libraries that are opened at run time: NVML to watch a GPU, cuBLAS for the baseline.
struct VendorLibraries {
  std::string nvml = kNvmlLibrary;
  std::vector<std::string> blas = BlasLibraries();
};

/// Owns the device, to which all mgpu* calls (of compiled host code) in the process go, so there must be only one
/// object at a time. The operands of the exact check are made once for a problem and kept. Random operands are made
/// when needed. The device holds one set of operands at a time. Not thread-safe.
class DeviceMeasurer : public Measurer {
 public:
  /// Opens the device and checks that it computes. Returns Unavailable if it does not.
  static absl::StatusOr<std::unique_ptr<Measurer>> Create(const DeviceSelector& selector);
  /// Makes a measurer on a device that is open already. Returns Unavailable if the device does not compute.
  static absl::StatusOr<std::unique_ptr<Measurer>> CreateOn(std::unique_ptr<Device> device,
                                                            const VendorLibraries& libraries = {});
  ~DeviceMeasurer() override;

  absl::Status Load(const MatmulProblem& problem, const CompiledKernel& kernel) override;
  absl::StatusOr<CheckReport> Check() override;
  /// Times the kernel and then, if it is due (BaselineSeries), the baseline. Returns FailedPrecondition if the check
  /// failed.
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
  /// Returns settings that store the state of the device during sampling in `health`.
  TimerSettings Watched(HealthReport* health);

  std::unique_ptr<Device> device_;
  DeviceHealth health_;
  BaselineSeries baseline_;
  MatmulProblem problem_;
  std::unique_ptr<ExactCheck> checker_;        // of problem_
  std::vector<size_t> operands_hashes_;        // of the unchanged operands in each pass
  std::unique_ptr<RoundingChecker> rounding_;  // of problem_; null if it has no useful error bound
  LaunchPlan plan_;
  std::unique_ptr<DeviceModule> module_;
  std::unique_ptr<HostFunction> host_;
  std::unique_ptr<KernelTimer> timer_;  // of module_
  bool wrong_ = false;                  // the check failed
};

}  // namespace mmtune
