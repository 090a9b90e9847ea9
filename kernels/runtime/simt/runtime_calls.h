// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime functions that compiled kernels call (abi.h), for a JIT's symbol table.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mmtune::simt {

std::vector<std::pair<std::string, void*>> RuntimeSymbols();

}  // namespace mmtune::simt
