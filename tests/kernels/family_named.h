// A kernel family by its name.
#pragma once

#include <string_view>

#include "kernels/families/registry.h"

namespace mmtune {

/// Null when there is none.
inline const KernelFamily* FamilyNamed(std::string_view name) {
  for (const KernelFamily* family : KernelFamilies()) {
    if (family->name() == name) return family;
  }
  return nullptr;
}

}  // namespace mmtune
