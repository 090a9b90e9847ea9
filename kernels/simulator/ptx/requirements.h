// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares a module's `.target` and `.version` with what its instructions, special registers and directives require.
// The rules are those of the PTX ISA; from sm_75 on they are what ptxas of CUDA 13.0 accepts and refuses, and
// ptx_requirements_test compares both.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mmtune::ptx {

/// An architecture that `.target` can name: sm_90a has the number 90 and the suffix 'a'. The suffix is 0 where there is
/// none.
struct Architecture {
  unsigned number = 0;
  char suffix = 0;
};

/// Returns the architecture of this name; nullopt if there is none.
std::optional<Architecture> findArchitecture(llvm::StringRef name);

/// Returns the number of a version of PTX, 83 for "8.3"; nullopt if there is no such version.
std::optional<unsigned> findVersion(llvm::StringRef name);

/// Returns an error message if there is no target of this name, or the version of PTX does not have it; otherwise an
/// empty string.
std::string targetError(llvm::StringRef target, llvm::StringRef version);

/// Returns the oldest version of PTX that has the architecture.
unsigned oldestVersion(const Architecture& architecture);

/// Returns an error message if the words of an opcode, a special register or a directive require another target or a
/// newer version of PTX than the module has, or exclude each other; an empty string if not. `operands` is the number of
/// operands of an instruction, as some have forms with one more.
std::string unmetRequirement(llvm::ArrayRef<llvm::StringRef> words, size_t operands, llvm::StringRef target,
                             llvm::StringRef version);

/// The smallest target and the oldest version that some words require.
struct Requirement {
  std::string target = "sm_20";  ///< "sm_90": it and later ones; see kRules for those with suffixes.
  unsigned version = 20;
};
Requirement requirementOf(llvm::ArrayRef<llvm::StringRef> words, size_t operands);

}  // namespace mmtune::ptx
