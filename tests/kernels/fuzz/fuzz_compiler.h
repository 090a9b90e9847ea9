// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the text of a generated module to an object, with convert-memcpy-to-gpu and without.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

enum class Variant {
  kHostMemory,      ///< Kernels get the host's pointers: what the module means.
  kOneStream,       ///< convert-memcpy-to-gpu, linearize-gpu-tokens.
  kSeveralStreams,  ///< convert-memcpy-to-gpu, assign-gpu-streams.
};

/// Not thread-safe.
class FuzzCompiler {
 public:
  /// `kernels` is the text of the gpu.module @kernels; its image is made once, for the SIMT device.
  static absl::StatusOr<std::unique_ptr<FuzzCompiler>> Create(std::string kernels);
  virtual ~FuzzCompiler() = default;

  /// How many parameters each kernel takes in device code, of 8 bytes or less: a memref is several.
  virtual const std::map<std::string, int>& kernel_parameters() const = 0;

  /// The object of a module. FailedPrecondition when a pass refuses it with a diagnostic.
  virtual absl::StatusOr<std::string> Compile(std::string_view functions, Variant variant) = 0;
};

}  // namespace mmtune
