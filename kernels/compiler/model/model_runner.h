// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the functions of a compiled model in this process, with arguments and results as plain bytes. mmtune-compile
// --run and the verification of models use it.
//
//   auto runner = *ModelRunner::Load(model);
//   std::vector<ModelValue> results = *runner->Run(model.functions[0], &arguments);
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"

namespace mmtune {

/// An element type that arguments and results may have.
struct ModelElement {
  std::string_view name;
  int64_t bytes;
  bool is_float;
  const char* c;    ///< The C type in generated headers; null if C has no such type.
  bool c_by_value;  ///< True if C code passes a scalar of this type by value as compiled models expect it.
};

/// Returns the element type with this MLIR name, or null if values of the type cannot be passed. The object lives until
/// the process ends.
const ModelElement* FindModelElement(std::string_view name);

/// The value of an argument or result: the elements of a dense, row-major memref, or one scalar.
struct ModelValue {
  ModelType type;
  std::vector<int64_t> sizes;  ///< Actual sizes of a memref, also of dynamic dimensions.
  std::vector<char> data;

  /// Returns the number of elements.
  int64_t Elements() const;
};

/// Returns the bytes of an element, or InvalidArgument for types that cannot be passed, such as complex numbers.
absl::StatusOr<int64_t> ModelElementBytes(std::string_view element);

/// A loaded model. It runs on the device that SetMgpuDevice() (kernels/runtime/mgpu.h) has set, which must be called
/// first. Not thread-safe.
class ModelRunner {
 public:
  /// Links the object file of `model` (stage kObject) and runs its constructors, which load the device code. Returns
  /// the error of LoadedObject::Load() or of the device.
  static absl::StatusOr<std::unique_ptr<ModelRunner>> Load(const CompiledModel& model);
  /// Unloads the device code.
  virtual ~ModelRunner() = default;

  /// Calls `function` and returns copies of its results. `arguments` receive what the function wrote to them. All
  /// memory that the function returned is freed. Returns InvalidArgument if an argument does not fit its type or a type
  /// cannot be passed, ResourceExhausted if the host has no memory for the arguments, and errors of the device.
  virtual absl::StatusOr<std::vector<ModelValue>> Run(const ModelFunction& function,
                                                      std::vector<ModelValue>* arguments) = 0;
};

}  // namespace mmtune
