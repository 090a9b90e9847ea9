// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel family and a parameter may be called, and the older names of families.
#pragma once

#include <string>
#include <string_view>

namespace mmtune {

/// 1 to 32 of [a-z0-9_]: what ParseSchedule accepts.
bool IsScheduleName(std::string_view name);

/// The present name of a family: "fma" for "simt", its name in older logs, specs and command lines; any other name as
/// it is. Every reader of a schedule calls it, so that a schedule has one name and one digest in a program.
std::string_view CurrentFamilyName(std::string_view name);
/// The same for every name of Toolchain::families: "direct=1 fma=1" for "direct=1 simt=1".
std::string CurrentFamilyVersions(std::string_view families);

}  // namespace mmtune
