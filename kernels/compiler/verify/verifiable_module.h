// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a module whose kernels can be run.
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

/// Launch sizes for kernels without known_grid_size or known_block_size that nothing launches.
struct LaunchSizes {
  std::optional<std::array<int64_t, 3>> grid;   ///< One block if absent.
  std::optional<std::array<int64_t, 3>> block;  ///< Required unless the kernel states it.
  std::optional<uint32_t> shared_bytes;         ///< Dynamic shared memory; none if absent.

  bool any() const { return grid || block || shared_bytes; }
};

struct VerifiableModule {
  std::string text;                    ///< MLIR assembly or bytecode, with the original locations.
  std::vector<std::string> functions;  ///< Functions to run: the module's public ones, or launchers.
  bool launchers = false;              ///< `functions` are generated: one for each kernel, with its name and arguments.
};

/// Returns a module with public functions unchanged, and adds a launcher for each gpu.func kernel to a module without.
/// InvalidArgument, with located diagnostics: the module has no kernel and nothing that becomes one; clusters; a kernel
/// whose sizes are unknown or contradict `sizes`, or with an argument that cannot be created; sizes for a module that
/// launches its kernels.
absl::StatusOr<VerifiableModule> MakeVerifiable(std::string_view text, std::string_view name, const LaunchSizes& sizes,
                                                const ModelCompiler::DiagnosticSink& sink);

}  // namespace mmtune
