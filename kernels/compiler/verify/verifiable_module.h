// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepares a user's module for verification, which runs the module's functions. If a module has kernels but no host
// code, a function that launches the kernel is generated for each kernel.
//
//   gpu.func @scale(%x: memref<64xf32>) kernel   ->   func.func @scale(%x: memref<64xf32>) { gpu.launch_func ... }
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"

namespace mmtune {

/// Launch sizes, for kernels that nothing launches and that do not state known_grid_size or known_block_size.
struct LaunchSizes {
  std::optional<std::array<int64_t, 3>> grid;   ///< One block if absent.
  std::optional<std::array<int64_t, 3>> block;  ///< Required unless the kernel states it.
  std::optional<uint32_t> shared_bytes;         ///< Bytes of dynamic shared memory; 0 if absent.

  bool any() const { return grid || block || shared_bytes; }
};

/// A module whose functions can be run.
struct VerifiableModule {
  std::string text;                    ///< MLIR assembly or bytecode, with the original locations.
  std::vector<std::string> functions;  ///< Functions to run: the module's public ones, or the generated ones.
  bool launchers = false;  ///< True if `functions` are generated, each with the name and arguments of a kernel.
};

/// Returns the module itself if it has public functions, otherwise the module with a generated function for each
/// gpu.func kernel. Returns InvalidArgument, with located diagnostics, if
/// - the module has no kernel, and nothing that is compiled to one;
/// - a kernel has an argument that cannot be created;
/// - the launch sizes of a kernel are unknown or contradict `sizes`;
/// - `sizes` are given for a module that launches its kernels itself.
absl::StatusOr<VerifiableModule> MakeVerifiable(std::string_view text, std::string_view name, const LaunchSizes& sizes,
                                                const ModelCompiler::DiagnosticSink& sink);

}  // namespace mmtune
