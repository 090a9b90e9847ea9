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

/// The content of a header beside the functions.
struct HeaderOptions {
  std::string file_name;          ///< File name of the header, from which the include guard is derived.
  std::string source;             ///< Name of the module, for a comment.
  std::string target;             ///< Name of the target, for a comment.
  bool device_arguments = false;  ///< True if the functions take device memory.
  /// The kernels, of which those of dispatch tables are described; may be null.
  const std::vector<ModelKernel>* kernels = nullptr;
};

/// Returns ranges of rows as text: "1..4,9..12" or "13..".
std::string RowsText(const std::vector<RowRange>& ranges);

/// Returns a header for C99 and C++, with a struct for every kind of memref and the prototypes of the functions. Names
/// become C identifiers; symbols stay as they are. Functions with types that C cannot pass are listed in a comment.
/// With dispatch tables, mmtune_dispatch(problem, m) returns the schedule of the kernel that computes a problem of m
/// rows. It is a macro for a function with the file's name in its own, so that a program can include several headers.
std::string ModelHeader(const std::vector<ModelFunction>& functions, const HeaderOptions& options);

/// Returns a C identifier: other characters become '_', and a leading digit gets one before it.
std::string CIdentifier(std::string_view name);

/// Returns the path of libmmtune_runtime.so: in ../lib of the program's folder, or in that folder. Returns NotFound,
/// naming both.
absl::StatusOr<std::string> FindRuntimeLibrary();

/// Returns the path of the first of cc, gcc, clang and ld on PATH, or NotFound.
absl::StatusOr<std::string> FindLinker();

/// Returns the absolute paths of libraries to link with, or InvalidArgument if one is not a file.
absl::StatusOr<std::vector<std::string>> FindLibraries(const std::vector<std::string>& names);

/// Links `object` to the shared library `library` with the soname `soname`. `libraries` (absolute paths) define
/// functions that the model only declares; those that are not needed are left out. At run time the runtime library is
/// searched beside the new library, then at its present path. The linker's messages go to the file `messages`. Returns
/// Internal with the linker's error, or with all undefined symbols.
absl::Status LinkSharedLibrary(const std::string& object, const std::string& library, const std::string& soname,
                               const std::vector<std::string>& libraries, const std::string& messages);

}  // namespace mmtune
