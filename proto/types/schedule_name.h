// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel family and a parameter may be called, and what families were called before.
#pragma once

#include <string>
#include <string_view>

namespace mmtune {

/// 1 to 32 of [a-z0-9_]: what ParseSchedule accepts.
bool IsScheduleName(std::string_view name);

/// Today's name of a family: "fma" for "simt", as logs, specs and command lines of before have it; any other as it is.
/// Whatever reads a schedule asks, so that a schedule has one name and one digest in a program.
std::string_view CurrentFamilyName(std::string_view name);
/// The same for every name of Toolchain::families: "direct=1 fma=1" for "direct=1 simt=1".
std::string CurrentFamilyVersions(std::string_view families);

}  // namespace mmtune
