// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which architecture has which instruction.
#pragma once

#include <string_view>

#include "mlir/IR/Operation.h"

namespace mmtune {

/// What an operation needs of the target. LLVM aborts the process, or ptxas refuses the code, where it is missing.
struct ArchitectureNeed {
  int compute_capability = 0;   ///< At least: 80 for sm_80.
  int ptx = 0;                  ///< Version of the PTX ISA, at least: 78 for 7.8.
  std::string_view chips = {};  ///< Not empty: these alone have it, whatever is newer ("sm_90a, sm_100a").
};

/// Returns what an operation of the NVVM or LLVM dialect needs; nothing for most.
ArchitectureNeed needOf(mlir::Operation* op);

/// True if code for `arch` may have what needs that.
bool isMet(const ArchitectureNeed& need, std::string_view arch);

}  // namespace mmtune
