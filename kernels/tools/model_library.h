// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the object file of a compiled model into what a C program can use: a shared library and a header.
//
//   model.o  ->  LinkSharedLibrary  ->  model.so      ModelHeader  ->  model.h with   void _mlir_ciface_main(...);
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"

namespace mmtune {

/// Options of a generated header.
struct HeaderOptions {
  std::string file_name;          ///< File name of the header, from which the include guard is derived.
  std::string source;             ///< Name of the module; a comment in the header contains it.
  std::string target;             ///< Name of the target; a comment in the header contains it.
  bool device_arguments = false;  ///< True if the functions take device memory.
  /// The kernels of the model. The header describes those that are in dispatch tables, which select a kernel by the
  /// number of rows. May be null.
  const std::vector<ModelKernel>* kernels = nullptr;
};

/// Returns ranges of rows as text: "1..4,9..12" or "13..".
std::string RowsText(const std::vector<RowRange>& ranges);

/// Returns a header for C99 and C++, with a struct for every kind of memref and the prototypes of the functions. Names
/// are changed to C identifiers where necessary; the symbols in the library stay as they are. Functions with types that
/// C cannot pass are listed in a comment. If there are dispatch tables, mmtune_dispatch(problem, m) returns the
/// schedule of the kernel that computes a problem of m rows. It is a macro for a function whose name contains the name
/// of the file, so that a program can include several headers.
std::string ModelHeader(const std::vector<ModelFunction>& functions, const HeaderOptions& options);

/// Returns `name` as a C identifier: replaces characters that are not allowed by '_', and puts a '_' before a leading
/// digit.
std::string CIdentifier(std::string_view name);

/// Returns the path of libmmtune_runtime.so, which is in ../lib relative to the folder of the program, or in that
/// folder itself. Returns NotFound, naming both folders, if it is in neither.
absl::StatusOr<std::string> FindRuntimeLibrary();

/// Returns the path of the first of cc, gcc, clang and ld on PATH, or NotFound.
absl::StatusOr<std::string> FindLinker();

/// Returns the absolute paths of libraries to link with, or InvalidArgument if one is not a file.
absl::StatusOr<std::vector<std::string>> FindLibraries(const std::vector<std::string>& names);

/// Links the object file `object` to the shared library `library` with the soname `soname`. `libraries` (absolute
/// paths) define functions that the model only declares; libraries that are not needed are left out. The new library
/// depends on the runtime library, which is searched in the folder of the new library, then at its present path. The
/// linker's messages go to the file `messages`. If linking fails, returns Internal with the linker's error, or with all
/// undefined symbols.
absl::Status LinkSharedLibrary(const std::string& object, const std::string& library, const std::string& soname,
                               const std::vector<std::string>& libraries, const std::string& messages);

}  // namespace mmtune
