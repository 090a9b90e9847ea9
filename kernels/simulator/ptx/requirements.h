// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares a module's `.target` and `.version` with what its instructions, special registers and directives require.
// The rules are those of the PTX ISA; from sm_75 on they are what ptxas of CUDA 13.0 accepts and refuses, and
// ptx_requirements_test compares both. Uses neither LLVM nor MLIR.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mmtune::ptx {

/// An architecture that `.target` can name: sm_90a has the number 90 and the suffix 'a'. The suffix is 0 where there is
/// none.
struct Architecture {
  unsigned number = 0;
  char suffix = 0;
};

/// Returns the architecture of this name; nullopt if there is none.
std::optional<Architecture> findArchitecture(std::string_view name);

/// Returns the number of a version of PTX, 83 for "8.3"; nullopt if there is no such version.
std::optional<unsigned> findVersion(std::string_view name);

/// Returns an error message if there is no target of this name, or the version of PTX does not have it; otherwise an
/// empty string.
std::string targetError(std::string_view target, std::string_view version);

/// Returns the oldest version of PTX that has the architecture.
unsigned oldestVersion(const Architecture& architecture);

/// Returns an error message if an opcode, a special register or a directive ("ld.global.b32", "%tid.x", "noreturn")
/// requires another target or a newer version of PTX than the module has, or if its words exclude each other; otherwise
/// an empty string. `operands` is the number of operands of an instruction, because some have forms with one more; it
/// is 0 for a special register or directive.
std::string unmetRequirement(std::string_view opcode, size_t operands, std::string_view target,
                             std::string_view version);

/// The smallest target and the oldest version that an opcode requires.
struct Requirement {
  std::string target =
      "sm_20";  ///< "sm_90" means sm_90 and later; the comment of Rule (requirements.cpp) says what suffixes mean.
  unsigned version = 20;
};
Requirement requirementOf(std::string_view opcode, size_t operands);

}  // namespace mmtune::ptx
