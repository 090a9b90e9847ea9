// Links the object of a model to a shared library.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace mmtune {

/// libmmtune_runtime.so beside the running program: in ../lib, or in its own folder. NotFound says where it was looked
/// for.
absl::StatusOr<std::string> FindRuntimeLibrary();

/// The first of cc, gcc, clang and ld on PATH. NotFound when there is none.
absl::StatusOr<std::string> FindLinker();

/// Writes `library` from `object`, linked with the runtime library; at run time that is looked for beside the library
/// itself, then where it was found now. `soname` is the library's name; what the linker says goes to the file
/// `messages`. Internal with its complaint.
absl::Status LinkSharedLibrary(const std::string& object, const std::string& library, const std::string& soname,
                               const std::string& messages);

}  // namespace mmtune
