// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relocatable host objects, linked into this process.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace mmtune {

/// Returns name and address of the conversions to and from f16 and bf16 that compiled code calls where the processor
/// has no instruction (__truncsfbf2, ...), as in compiler-rt: rounded to nearest even, NaNs stay NaNs. GCC 12's library
/// lacks those to bf16.
std::vector<std::pair<std::string, void*>> SupportRoutines();

/// An object in executable memory, unmapped when destroyed. Undefined symbols are looked up among the symbols given,
/// then among SupportRoutines(), then, if the filter allows it, in the process (the C library, libm). Objects do not
/// see each other. Not thread-safe.
class LoadedObject {
 public:
  using Symbols = std::vector<std::pair<std::string, void*>>;
  /// True for symbols of the process that an object may use.
  using SymbolFilter = std::function<bool(std::string_view)>;

  /// Links the object without running its constructors. InvalidArgument if `image` is not an object for this machine or
  /// needs an unknown symbol, which the message names.
  static absl::StatusOr<std::unique_ptr<LoadedObject>> Load(
      std::string_view image, const Symbols& symbols,
      const SymbolFilter& is_open = [](std::string_view) { return true; });

  virtual ~LoadedObject() = default;

  /// Runs the functions of .init_array and .ctors, by priority.
  virtual void RunConstructors() = 0;
  /// Runs the functions of .fini_array and .dtors, in the opposite order. Not implied by destruction.
  virtual void RunDestructors() = 0;

  /// NotFound when the object exports no such symbol.
  virtual absl::StatusOr<void*> Lookup(std::string_view symbol) = 0;
};

}  // namespace mmtune
