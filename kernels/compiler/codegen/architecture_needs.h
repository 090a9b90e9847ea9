// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The architectures that support each instruction.
#pragma once

#include <string_view>

#include "mlir/IR/Operation.h"

namespace mmtune {

/// Requirements of an operation on the target. Without them LLVM aborts the process, or ptxas rejects the code.
struct ArchitectureNeed {
  int compute_capability = 0;   ///< Minimum: 80 for sm_80.
  int ptx = 0;                  ///< Minimum version of the PTX ISA: 78 for 7.8.
  std::string_view chips = {};  ///< If not empty, the only architectures with it ("sm_90a, sm_100a").
};

/// Returns the requirements of an operation of the NVVM or LLVM dialect; no requirement for most.
ArchitectureNeed needOf(mlir::Operation* op);

/// True if `arch` meets the requirement.
bool isMet(const ArchitectureNeed& need, std::string_view arch);

}  // namespace mmtune
