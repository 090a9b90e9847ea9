// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Architectures and their names.
#pragma once

#include <string>
#include <string_view>

namespace mmtune {

/// Whether code for an architecture is for one chip alone ("sm_90a"): no newer device runs it, as its features are that
/// chip's. Source: CUDA C++ Programming Guide, "Architecture-Specific Features".
inline bool IsOneChips(std::string_view arch) { return arch.ends_with('a'); }

/// The architecture without what is one chip's: "sm_90" of "sm_90a". Its code runs on that chip, too, and a schedule
/// that is valid for it is so for both.
inline std::string PortableArchitecture(std::string_view arch) {
  return std::string(arch.substr(0, arch.size() - (IsOneChips(arch) ? 1 : 0)));
}

}  // namespace mmtune
