// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of f16 and bf16 that compiled code calls where the processor has no instruction for them. The compiler's
// own library has them too, but that of GCC 12 none to bf16, and a program linked by ld alone none at all.
//
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

/// Name and address of each: __truncsfbf2 and its like, as compiler-rt has them. Rounded to nearest, ties to even; NaNs
/// stay NaNs.
std::vector<std::pair<std::string, void*>> SupportRoutines();


/// An object in executable memory; unmapped when destroyed. Undefined symbols are looked up among the symbols given,
/// then among SupportRoutines(), then in the process (the C library, libm), where `is_open` lets them. Not thread-safe;
/// several objects do not see each other.
class LoadedObject {
 public:
  using Symbols = std::vector<std::pair<std::string, void*>>;
  /// True of symbols that an object may use of the process.
  using SymbolFilter = std::function<bool(std::string_view)>;

  /// Links the object; its constructors do not run. InvalidArgument when `image` is no object for this machine or needs
  /// an unknown symbol; the message names it.
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
