// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types of what a compiled model's functions take and give, by MLIR's names.
//
// Runs the functions of a compiled model in this process.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"

namespace mmtune {

struct ModelElement {
  std::string_view name;
  int64_t bytes;
  bool is_float;
  const char* c;    ///< What a C header calls it; null: no C header has it.
  bool c_by_value;  ///< C passes one by value as compiled code expects it.
};

/// Null when values of this type cannot be passed. Static lifetime.
const ModelElement* FindModelElement(std::string_view name);

/// A value of an argument or result. A memref is dense and row-major, `data` its elements; a scalar has one element.
struct ModelValue {
  ModelType type;
  std::vector<int64_t> sizes;  ///< Of a memref, without dynamic ones.
  std::vector<char> data;

  int64_t Elements() const;
};

/// Bytes of an element; InvalidArgument for types that cannot be passed ("vector", "complex").
absl::StatusOr<int64_t> ModelElementBytes(std::string_view element);

/// SetMgpuDevice() first. Not thread-safe.
class ModelRunner {
 public:
  /// Links the object of `model` (stage kObject) and runs its constructors, which load the device images.
  static absl::StatusOr<std::unique_ptr<ModelRunner>> Load(const CompiledModel& model);
  /// Unloads the images.
  virtual ~ModelRunner() = default;

  /// Calls `function`; arguments are as its type says, and hold what the function left in them afterwards. Results are
  /// copied out and their memory freed, each allocation once. Errors of the device are returned.
  virtual absl::StatusOr<std::vector<ModelValue>> Run(const ModelFunction& function,
                                                      std::vector<ModelValue>* arguments) = 0;
};

}  // namespace mmtune
