// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of a build, and the commit of its source.
//
// deploy/cmake/MmtuneVersion.cmake asks git for the commit in every build, and writes the source of these functions.
// Tuning logs, and peers that compare versions, use only the version of the project, a macro that the build defines.
#pragma once

#include <string_view>

namespace mmtune {

/// Returns the line that --version prints in all programs: "mmtune 0.1.0 (commit b8b3b8201234)", or "mmtune 0.1.0 (no
/// commit: not built from a git checkout)" if the source came from an archive.
std::string_view VersionLine();

/// Returns the date of the commit, or of the build if there is no commit: "2026-11-28". Manual pages show it in their
/// footer. $SOURCE_DATE_EPOCH sets it for reproducible builds.
std::string_view VersionDate();

}  // namespace mmtune
