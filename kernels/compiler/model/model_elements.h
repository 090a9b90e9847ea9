// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types of what a compiled model's functions take and give, by MLIR's names.
#pragma once

#include <cstdint>
#include <string_view>

namespace mmtune {

struct ModelElement {
  std::string_view name;
  int64_t bytes;
  bool is_float;
  const char* c;    ///< What a C header calls it; null: no C header has it.
  bool c_by_value;  ///< C passes one by value as compiled code expects it.
};

/// Null when values of this type cannot be passed. Static lifetime.
const ModelElement* FindModelElement(std::string_view name);

}  // namespace mmtune
