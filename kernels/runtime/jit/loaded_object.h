// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links a relocatable object file, such as the host code of a kernel, into this process and finds its symbols. It does
// what a JIT does after code generation. No LLVM type appears in this interface. HostFunction, ModelRunner and the SIMT
// device use it.
//
//   auto object = *LoadedObject::Load(bytes, {{"puts", &my_puts}});
//   object->RunConstructors();
//   auto* entry = reinterpret_cast<void (*)()>(*object->Lookup("main"));
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

/// Returns the names and addresses of functions that convert to and from f16 and bf16 (__truncsfbf2, ...). Compiled
/// code calls them where the processor has no such instruction. They behave like the functions of compiler-rt: they
/// round to nearest even, and NaN stays NaN. We define them because the support library of GCC 12 lacks those for bf16.
std::vector<std::pair<std::string, void*>> SupportRoutines();

/// An object file in executable memory. The destructor unmaps it. Undefined symbols are looked up in `symbols`, then in
/// SupportRoutines(), then among those symbols of the process that `is_open` allows. Symbols of other loaded objects
/// are not found. Not thread-safe.
class LoadedObject {
 public:
  using Symbols = std::vector<std::pair<std::string, void*>>;
  /// Returns true for symbols of the process (such as the C library's) that an object may use.
  using SymbolFilter = std::function<bool(std::string_view)>;

  /// Links the object file `image` without running its constructors. Returns InvalidArgument if it is not an object
  /// file for this machine, or if it needs an unknown symbol, which the message names.
  static absl::StatusOr<std::unique_ptr<LoadedObject>> Load(
      std::string_view image, const Symbols& symbols,
      const SymbolFilter& is_open = [](std::string_view) { return true; });

  virtual ~LoadedObject() = default;

  /// Runs the functions of .init_array and .ctors, in order of priority.
  virtual void RunConstructors() = 0;
  /// Runs the functions of .fini_array and .dtors, in the opposite order. The C++ destructor does not do this.
  virtual void RunDestructors() = 0;

  /// Returns the address of an exported symbol, or NotFound.
  virtual absl::StatusOr<void*> Lookup(std::string_view symbol) = 0;
};

}  // namespace mmtune
