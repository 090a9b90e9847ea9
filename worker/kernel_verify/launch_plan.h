// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the texts of launches (proto/json/kernel_request_json.h) for one shape of a matmul. The result is the buffers
// that the launches need, and each launch with its sizes and arguments. The text of an argument is one of
//
//   [NAME=]buffer:TYPE[DIM,DIM...][=FILL]   a new buffer, by default named by its position: "0"
//   NAME                                    a buffer of an earlier argument or launch
//   map:NAME[DIM,DIM...][:swizzle=BYTES]    a tensor map of a buffer; DIM are its box's extents, the innermost last
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
  std::vector<int64_t> extents;  ///< The elements along the last extent are contiguous.
  std::string fill;              ///< The initial contents, such as "random" (CheckFill()).

  int64_t elements() const;
  size_t bytes() const { return static_cast<size_t>(elements() * type->bytes); }
};

/// An argument of a kernel: a buffer's address, a tensor map of a buffer, or bytes (a scalar, or a struct that may
/// contain other arguments).
struct KernelArgument {
  std::optional<size_t> buffer;        ///< Index in KernelLaunchPlan::buffers; nullopt for bytes.
  bool is_map = false;                 ///< True for a tensor map of the buffer; false for its address.
  std::vector<uint32_t> box;           ///< The extents of a tensor map's box, the innermost first.
  int swizzle = 0;                     ///< The CUtensorMapSwizzle of a tensor map; 0: none.
  std::string bytes;                   ///< The value of a scalar or of a struct.
  std::vector<KernelArgument> fields;  ///< The arguments inside a struct; they do not overlap.
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

/// Returns the buffers and launches for a shape. Returns InvalidArgument naming the launch and argument if a text is
/// malformed, or if the arguments do not match the kernel's parameters in number or size.
absl::StatusOr<KernelLaunchPlan> PlanLaunches(const std::vector<KernelLaunch>& launches,
                                              const std::vector<ptx::PtxKernel>& kernels,
                                              const std::optional<ShapeSizes>& shape);

/// True if a size or argument of the launches contains M, N or K.
bool NamesShape(const std::vector<KernelLaunch>& launches);

}  // namespace mmtune
