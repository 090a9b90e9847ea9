// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU code loaded by the CUDA driver.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/runtime/cuda/driver.h"
#include "kernels/runtime/device/device.h"

namespace mmtune::cuda {

struct CudaKernel : DeviceKernel {
  CudaKernel(const Driver* driver, std::string name, Function function, int static_shared_bytes)
      : driver(driver), name(std::move(name)), function(function), static_shared_bytes(static_shared_bytes) {}

  /// Raises the kernel's limit when `dynamic_bytes` exceed what it may take so far (48 KB with its static part, unless
  /// told otherwise).
  absl::Status AllowSharedMemory(uint32_t dynamic_bytes);

  const Driver* const driver;
  const std::string name;
  const Function function;
  const int static_shared_bytes;
  uint32_t allowed_dynamic_bytes = 0;  ///< 0: never raised.
};

class CudaModule : public DeviceModule {
 public:
  /// The context must be current. An error holds what the driver's assembler says.
  static absl::StatusOr<std::unique_ptr<DeviceModule>> Load(const Driver* driver, Context context, ImageFormat format,
                                                            std::string_view image);
  ~CudaModule() override;

  absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) override;

 private:
  CudaModule(const Driver* driver, Context context, Module module)
      : driver_(driver), context_(context), module_(module) {}

  const Driver* const driver_;
  const Context context_;
  const Module module_;
  std::map<std::string, std::unique_ptr<CudaKernel>, std::less<>> kernels_;
};

}  // namespace mmtune::cuda
