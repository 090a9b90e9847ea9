// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C header of a compiled model.
#pragma once

#include <string>
#include <vector>

#include "kernels/compiler/model/model_compiler.h"

namespace mmtune {

struct HeaderOptions {
  std::string file_name;          ///< Of the header; its include guard is made of it.
  std::string source;             ///< What was compiled, for the comment.
  std::string target;             ///< What it was compiled for, for the comment.
  bool device_arguments = false;  ///< The functions take device memory.
};

/// Declares the functions for C99 and C++: a struct for every kind of memref, the prototypes, and who owns results.
/// Names that are no C identifiers are made ones; the symbols stay as they are. Functions with types that C cannot pass
/// are listed in a comment.
std::string ModelHeader(const std::vector<ModelFunction>& functions, const HeaderOptions& options);

/// Every character that a C identifier cannot have becomes '_'; a leading digit gets one before it.
std::string CIdentifier(std::string_view name);

}  // namespace mmtune
