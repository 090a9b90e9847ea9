// Kernels in an object compiled for the SIMT device.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/runtime/device.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/runtime/simt/abi.h"

namespace mmtune::simt {

class SimtKernel : public DeviceKernel {
 public:
  SimtKernel(std::string name, KernelEntry entry, uint32_t static_shared_bytes, const CheckTables& checks)
      : name_(std::move(name)), entry_(entry), static_shared_bytes_(static_shared_bytes), checks_(checks) {}

  const std::string& name() const { return name_; }
  KernelEntry entry() const { return entry_; }
  uint32_t static_shared_bytes() const { return static_shared_bytes_; }
  const CheckTables& checks() const { return checks_; }

 private:
  const std::string name_;
  const KernelEntry entry_;
  const uint32_t static_shared_bytes_;
  const CheckTables checks_;
};

class SimtModule : public DeviceModule {
 public:
  static absl::StatusOr<std::unique_ptr<DeviceModule>> Load(std::string_view image);

  absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) override;

 private:
  explicit SimtModule(std::unique_ptr<LoadedObject> object);

  std::unique_ptr<LoadedObject> object_;
  CheckTables checks_;
  std::map<std::string, std::unique_ptr<SimtKernel>, std::less<>> kernels_;
};

}  // namespace mmtune::simt
