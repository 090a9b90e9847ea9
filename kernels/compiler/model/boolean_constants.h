// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace mmtune {

/// The text of a module with its hexadecimal constants of i1 as this version of MLIR reads them: newer ones write a
/// byte for each element, this one reads a bit. Anything else stays as it is, at its line and column.
std::string PackBooleanConstants(std::string_view text);

}  // namespace mmtune
