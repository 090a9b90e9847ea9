// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a module of PTX.
#pragma once

#include "absl/status/statusor.h"
#include "kernels/simulator/ptx/lexer.h"
#include "kernels/simulator/ptx/module.h"

namespace mmtune::ptx {

/// Returns the syntax tree, whose names refer to the source's text. InvalidArgument with line, column and the line's
/// text at what is no PTX, or is a directive that this reader does not know.
absl::StatusOr<Module> parse(const Source& source);

}  // namespace mmtune::ptx
