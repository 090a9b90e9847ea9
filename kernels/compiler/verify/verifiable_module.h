// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module whose kernels can be run.
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

/// The sizes of launches of kernels that state none (known_grid_size, known_block_size) and are launched nowhere.
struct LaunchSizes {
  std::optional<std::array<int64_t, 3>> grid;   ///< Without: one block.
  std::optional<std::array<int64_t, 3>> block;  ///< Without: an error.
  std::optional<uint32_t> shared_bytes;         ///< Of dynamic shared memory; without: none.

  bool any() const { return grid || block || shared_bytes; }
};

struct VerifiableModule {
  std::string text;                    ///< MLIR assembly or bytecode, with the locations of the original.
  std::vector<std::string> functions;  ///< Those that can be run: the module's public ones, or launchers.
  bool launchers = false;              ///< `functions` were made: one for each kernel, with its name and arguments.
};

/// A module with public functions is left as it is. One with kernels alone gets a function for each gpu.func kernel.
/// InvalidArgument, with located diagnostics: no kernel and nothing that would become one; clusters; a kernel whose
/// sizes are not known or not those given, or with an argument that nobody can make for it; sizes for a module that
/// launches its kernels.
absl::StatusOr<VerifiableModule> MakeVerifiable(std::string_view text, std::string_view name, const LaunchSizes& sizes,
                                                const ModelCompiler::DiagnosticSink& sink);

}  // namespace mmtune
