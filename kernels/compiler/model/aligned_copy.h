// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module where MLIR can read it.
#pragma once

#include <memory>
#include <string_view>

#include "llvm/Support/MemoryBuffer.h"

namespace mmtune {

/// A copy of a module, aligned as all that lies in it: MLIR reads bytecode of which a part (a resource) asks for an
/// alignment only from a buffer that has it.
std::unique_ptr<llvm::MemoryBuffer> AlignedCopy(std::string_view module, std::string_view name);

}  // namespace mmtune
