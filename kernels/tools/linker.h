// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links the object of a model to a shared library.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// libmmtune_runtime.so beside the running program: in ../lib, or in its own folder. NotFound says where it was looked
/// for.
absl::StatusOr<std::string> FindRuntimeLibrary();

/// The first of cc, gcc, clang and ld on PATH. NotFound when there is none.
absl::StatusOr<std::string> FindLinker();

/// The paths of libraries to link with, absolute. InvalidArgument for one that is no file.
absl::StatusOr<std::vector<std::string>> FindLibraries(const std::vector<std::string>& names);

/// Writes `library` from `object`, linked with the runtime library; at run time that is looked for beside the library
/// itself, then where it was found now. `soname` is the library's name. `libraries`, absolute paths, have the functions
/// that the model only declares, and are looked for where they are now; one that is not needed is left out. What the
/// linker says goes to the file `messages`. Internal with its complaint, or with every symbol that nothing defines.
absl::Status LinkSharedLibrary(const std::string& object, const std::string& library, const std::string& soname,
                               const std::vector<std::string>& libraries, const std::string& messages);

}  // namespace mmtune
