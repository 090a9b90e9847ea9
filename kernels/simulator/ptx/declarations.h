// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of declarations: the types that variables and registers can have, and names that are declared twice. Uses
// neither LLVM nor MLIR.
#pragma once

#include <string>

#include "kernels/simulator/ptx/module.h"

namespace mmtune::ptx {

/// Returns an error message if PTX does not allow the variable or parameter, whatever uses it; otherwise an empty
/// string.
std::string declarationError(const Variable& variable);

/// Returns an error message if registers cannot have the type; otherwise an empty string.
std::string registerTypeError(const std::string& type);

/// Returns the type of a register that the scope declares as one of several, such as %r3 of `%r<100>`; null if it
/// declares no such register.
const std::string* numberedRegister(const Scope& scope, const std::string& name);

/// True if the scope declares a register, variable or label of this name.
bool isDeclared(const Scope& scope, const std::string& name);

/// Returns the first name of the scope that is also among the registers of `prefix<count>`; null if there is none.
const std::string* nameAmongNumbered(const Scope& scope, const std::string& prefix, uint64_t count);

}  // namespace mmtune::ptx
