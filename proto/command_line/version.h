// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of a build, and the commit of its source.
//
// deploy/cmake/MmtuneVersion.cmake asks git for the commit in every build, and writes the source of these functions.
// Logs keep, and peers compare, the version of the project alone, which the build defines as a macro.
#pragma once

#include <string_view>

namespace mmtune {

/// Returns the line of --version, alike in all programs: "mmtune 0.1.0 (commit b8b3b8201234)", or "mmtune 0.1.0 (no
/// commit: not built from a git checkout)" for a build of a source archive.
std::string_view VersionLine();

/// Returns the day of the commit, or of the build where there is no commit: "2026-11-28". Manual pages show it at their
/// foot; $SOURCE_DATE_EPOCH sets it for builds that are to be repeated exactly.
std::string_view VersionDate();

}  // namespace mmtune
