// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for GPUs, run where there is none: what the NVPTX backend is given, linked and optimised, is compiled for this
// machine instead. For kernels whose threads do nothing together. What the backend itself does is not seen.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/jit/loaded_object.h"

namespace mmtune {

class GpuCodeOnHost {
 public:
  /// A module in MLIR text that holds one gpu.module.
  static absl::StatusOr<GpuCodeOnHost> Compile(std::string_view mlir, std::string_view arch);
  /// A module of linalg operations, of which one kernel is made.
  static absl::StatusOr<GpuCodeOnHost> CompileModel(std::string_view mlir, std::string_view arch);

  /// Runs the threads of `blocks` blocks one after the other. Arguments are as cuLaunchKernel takes them.
  absl::Status Run(std::string_view kernel, uint32_t blocks, uint32_t threads, void** arguments) const;

  const std::vector<std::string>& kernels() const { return kernels_; }

 private:
  static absl::StatusOr<GpuCodeOnHost> CompileText(std::string_view mlir, std::string_view arch, bool is_model);

  std::vector<std::string> kernels_;
  std::unique_ptr<LoadedObject> object_;
};

/// The object for this machine of a module in the text of LLVM IR.
absl::StatusOr<std::string> HostObjectOf(std::string_view llvm_ir);

}  // namespace mmtune
