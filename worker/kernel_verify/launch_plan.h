// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the texts of launches (proto/json/kernel_request_json.h) for one shape: the buffers that they need, and each
// launch with its sizes and arguments. An argument is one of
//
//   [NAME=]buffer:TYPE[DIM,DIM...][=FILL]   a new buffer, by default named by its position: "0"
//   NAME                                    a buffer of an earlier argument or launch
//   map:NAME[DIM,DIM...][:swizzle=BYTES]    a tensor map of a buffer; the sizes are those of its box
//   [NAME=]buffer:...:map[DIM,DIM...]...    a tensor map of a new buffer
//   TYPE=VALUE                              a scalar; integers may be expressions
//   struct:BYTES{OFFSET:ARG;...}[=HEX]      a struct by value: its bytes, and arguments that are put into them
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "proto/json/kernel_request_json.h"
#include "worker/kernel_verify/element_type.h"
#include "worker/kernel_verify/size_expression.h"

namespace mmtune {

struct KernelBuffer {
  std::string name;
  const ElementType* type = nullptr;
  std::vector<int64_t> extents;  ///< The last one is contiguous.
  std::string fill;              ///< See FillElements().

  int64_t elements() const;
  size_t bytes() const { return static_cast<size_t>(elements() * type->bytes); }
};

/// An argument: a buffer's address, a tensor map of a buffer, or bytes, with arguments in them.
struct KernelArgument {
  std::optional<size_t> buffer;  ///< Index in KernelLaunchPlan::buffers.
  bool is_map = false;
  std::vector<uint32_t> box;           ///< The box of a map, the innermost extent first.
  int swizzle = 0;                     ///< A map's CUtensorMapSwizzle.
  std::string bytes;                   ///< The value of a scalar or of a struct.
  std::vector<KernelArgument> fields;  ///< The arguments in the bytes of a struct; they do not overlap.
  size_t offset = 0;                   ///< The offset of a field in its struct.

  size_t size() const;
};

struct PlannedLaunch {
  std::string kernel;
  LaunchShape shape;
  std::vector<KernelArgument> arguments;
};

struct KernelLaunchPlan {
  std::vector<KernelBuffer> buffers;
  std::vector<PlannedLaunch> launches;
};

/// Returns the buffers and launches for a shape. InvalidArgument names the launch and argument, also where the
/// arguments are not those that the kernel takes, by number or size.
absl::StatusOr<KernelLaunchPlan> PlanLaunches(const std::vector<KernelLaunch>& launches,
                                              const std::vector<ptx::PtxKernel>& kernels,
                                              const std::optional<ShapeSizes>& shape);

/// True if a size or argument names M, N or K.
bool NamesShape(const std::vector<KernelLaunch>& launches);

}  // namespace mmtune
