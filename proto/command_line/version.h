// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of a build. The functions are in a source that the build writes (deploy/cmake/MmtuneVersion.cmake).
#pragma once

#include <string_view>

namespace mmtune {

/// Returns the line of --version, alike in all programs: "mmtune 0.1.0 (commit b8b3b8201234)", or "mmtune 0.1.0 (no
/// commit: not built from a git checkout)" for a build of a source archive.
std::string_view VersionLine();

/// Returns the day of the commit, or of the build where there is no commit: "2026-11-28". Manual pages show it.
std::string_view VersionDate();

}  // namespace mmtune
