// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in an object compiled for the SIMT device.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/simulator/abi/abi.h"

namespace mmtune::simt {

struct SimtKernel : DeviceKernel {
  SimtKernel(std::string name, KernelEntry entry, uint32_t static_shared_bytes, const WatchTables& watch_tables)
      : name(std::move(name)), entry(entry), static_shared_bytes(static_shared_bytes), watch_tables(watch_tables) {}

  const std::string name;
  const KernelEntry entry;
  const uint32_t static_shared_bytes;
  const WatchTables watch_tables;
};

class SimtModule : public DeviceModule {
 public:
  static absl::StatusOr<std::unique_ptr<DeviceModule>> Load(std::string_view image);

  absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) override;

 private:
  explicit SimtModule(std::unique_ptr<LoadedObject> object);

  std::unique_ptr<LoadedObject> object_;
  WatchTables watch_tables_;
  std::map<std::string, std::unique_ptr<SimtKernel>, std::less<>> kernels_;
};

}  // namespace mmtune::simt
