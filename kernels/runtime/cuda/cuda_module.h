// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU code that the CUDA driver has loaded (CUmodule), and its kernels (CUfunction).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/runtime/cuda/driver.h"
#include "kernels/runtime/device/device.h"

namespace mmtune::cuda {

/// True if an error is sticky: it has lost the context, the device or the driver, so that every later call fails.
inline bool IsSticky(const absl::Status& status) { return absl::IsAborted(status) || absl::IsUnavailable(status); }

/// A kernel of a CudaModule, as Device::Launch gets it.
struct CudaKernel : DeviceKernel {
  CudaKernel(const Driver* driver, std::string name, Function function, int static_shared_bytes)
      : driver(driver), name(std::move(name)), function(function), static_shared_bytes(static_shared_bytes) {}

  /// Raises the kernel's limit of dynamic shared memory to `dynamic_bytes` if it is lower. At first the driver allows
  /// 48 KiB of static and dynamic shared memory together. Returns the error of the driver if it refuses.
  absl::Status AllowSharedMemory(uint32_t dynamic_bytes);

  const Driver* const driver;
  const std::string name;
  const Function function;
  const int static_shared_bytes;
  uint32_t allowed_dynamic_bytes = 0;  ///< The limit that was set; 0 if it was never raised.
};

/// GPU code loaded by the driver.
class CudaModule : public DeviceModule {
 public:
  /// Loads PTX or a cubin into `context`, which must be current. If the driver's assembler refuses it, the error
  /// contains the assembler's log. `poisoned` is the first sticky error of the device, which shares it with
  /// its modules: after such an error nothing is unloaded.
  static absl::StatusOr<std::unique_ptr<DeviceModule>> Load(const Driver* driver, Context context,
                                                            std::shared_ptr<absl::Status> poisoned, ImageFormat format,
                                                            std::string_view image);
  /// Unloads the code, which ends its kernels.
  ~CudaModule() override;

  absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) override;

 private:
  CudaModule(const Driver* driver, Context context, std::shared_ptr<absl::Status> poisoned, Module module)
      : driver_(driver), context_(context), poisoned_(std::move(poisoned)), module_(module) {}

  const Driver* const driver_;
  const Context context_;
  const std::shared_ptr<absl::Status> poisoned_;
  const Module module_;
  std::map<std::string, std::unique_ptr<CudaKernel>, std::less<>> kernels_;
};

}  // namespace mmtune::cuda
