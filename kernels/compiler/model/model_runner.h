// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the functions of a compiled model in this process.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"

namespace mmtune {

/// An element type of arguments and results.
struct ModelElement {
  std::string_view name;
  int64_t bytes;
  bool is_float;
  const char* c;    ///< The C type in headers, or null if there is none.
  bool c_by_value;  ///< True if C passes a value as compiled code expects it.
};

/// Returns the element type of an argument or result by its MLIR name, or null if it cannot be passed. Static lifetime.
const ModelElement* FindModelElement(std::string_view name);

/// The value of an argument or result: the elements of a dense, row-major memref, or one scalar.
struct ModelValue {
  ModelType type;
  std::vector<int64_t> sizes;  ///< The sizes of a memref, all static.
  std::vector<char> data;

  int64_t Elements() const;
};

/// Returns the bytes of an element; InvalidArgument for types that cannot be passed ("vector", "complex").
absl::StatusOr<int64_t> ModelElementBytes(std::string_view element);

/// Runs compiled functions on the device of SetMgpuDevice(), which comes first. Not thread-safe.
class ModelRunner {
 public:
  /// Links the object of `model` (stage kObject) and runs its constructors, which load the device images.
  static absl::StatusOr<std::unique_ptr<ModelRunner>> Load(const CompiledModel& model);
  /// Unloads the images.
  virtual ~ModelRunner() = default;

  /// Calls `function`. `arguments` hold what the function left in them afterwards. Results are copied, and each
  /// allocation is freed once. Returns errors of the device.
  virtual absl::StatusOr<std::vector<ModelValue>> Run(const ModelFunction& function,
                                                      std::vector<ModelValue>* arguments) = 0;
};

}  // namespace mmtune
