// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR modules of host code and kernels, brought to this process by the passes under test.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/runtime/mgpu.h"

namespace mmtune {

struct ProgramOptions {
  /// Textual passes of the builtin.module that put device operations on streams.
  std::string passes;
  /// Compile the kernels for the SIMT device; otherwise the device knows them by name (ReorderingDevice).
  bool simt_kernels = false;
  /// Takes every wait for an event out again: what a test must notice.
  bool drop_event_waits = false;
};

/// A memref of rank 1 as C sees it.
struct MemrefDescriptor {
  explicit MemrefDescriptor(std::vector<int32_t>* data)
      : allocated(data->data()), aligned(data->data()), size(static_cast<int64_t>(data->size())) {}
  int32_t *allocated, *aligned;
  int64_t offset = 0, size, stride = 1;
};

/// Compiled code; SetMgpuDevice() comes before Load().
class StreamProgram {
 public:
  /// The object's code; InvalidArgument with the first diagnostic when a pass fails or leaves something that is not in
  /// the LLVM dialect.
  static absl::StatusOr<std::string> Compile(std::string_view text, const ProgramOptions& options);

  /// Loads what Compile made, and its images onto the device.
  static absl::StatusOr<std::unique_ptr<StreamProgram>> Load(const std::string& object);
  ~StreamProgram();

  /// Calls a function with `llvm.emit_c_interface` whose arguments are memref<?xi32> or of a static size, and which
  /// returns nothing. Errors are those of the device.
  absl::Status Run(const std::string& function, std::vector<std::vector<int32_t>>* arguments);

 private:
  explicit StreamProgram(std::unique_ptr<LoadedObject> object) : object_(std::move(object)) {}
  std::unique_ptr<LoadedObject> object_;
};

/// Empty when everything made since `before` is gone again, else what is not.
std::string Unbalanced(const MgpuCounters& before, const MgpuCounters& after);

}  // namespace mmtune
