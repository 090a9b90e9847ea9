// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared library of a compiled model and its C header.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"

namespace mmtune {

struct HeaderOptions {
  std::string file_name;          ///< Name of the header, from which its include guard is made.
  std::string source;             ///< Name of the module, for the comment.
  std::string target;             ///< Name of the target, for the comment.
  bool device_arguments = false;  ///< The functions take device memory.
};

/// Returns a header for C99 and C++ with a struct for every kind of memref and the prototypes. Names become C
/// identifiers; symbols stay as they are. Functions with types that C cannot pass are listed in a comment.
std::string ModelHeader(const std::vector<ModelFunction>& functions, const HeaderOptions& options);

/// Replaces every character that a C identifier cannot have by '_', and puts one before a leading digit.
std::string CIdentifier(std::string_view name);

/// Finds libmmtune_runtime.so in ../lib of the running program's folder, or in that folder. NotFound names both.
absl::StatusOr<std::string> FindRuntimeLibrary();

/// Finds the first of cc, gcc, clang and ld on PATH. NotFound if there is none.
absl::StatusOr<std::string> FindLinker();

/// Returns the absolute paths of libraries to link with. InvalidArgument if one is not a file.
absl::StatusOr<std::vector<std::string>> FindLibraries(const std::vector<std::string>& names);

/// Links `object` to the shared library `library` with the name `soname`. The runtime library is searched at run time
/// beside the library itself, then at its present path. `libraries` (absolute paths) define functions that the model
/// only declares; those not needed are left out. The linker writes to the file `messages`. Internal, with the linker's
/// error or every undefined symbol.
absl::Status LinkSharedLibrary(const std::string& object, const std::string& library, const std::string& soname,
                               const std::vector<std::string>& libraries, const std::string& messages);

}  // namespace mmtune
