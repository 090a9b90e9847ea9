# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the source of proto/command_line/version.h. Runs in every build, and leaves the file alone where the commit is
# the same: cmake -DSOURCE=<tree> -DVERSION=<x.y.z> -DOUTPUT=<file> -P MmtuneVersion.cmake

set(commit "")
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} log -1 --abbrev=12 --format=%h\ %cs OUTPUT_VARIABLE said ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(said MATCHES "^([0-9a-f]+) ([-0-9]+)$")
    set(commit ${CMAKE_MATCH_1})
    set(date ${CMAKE_MATCH_2})
  endif()
endif()
if(commit)
  set(line "mmtune ${VERSION} (commit ${commit})")
else()
  set(line "mmtune ${VERSION} (no commit: not built from a git checkout)")
  string(TIMESTAMP date "%Y-%m-%d" UTC)  # that of $SOURCE_DATE_EPOCH, if set
endif()
set(text "#include \"proto/command_line/version.h\"

namespace mmtune {
std::string_view VersionLine() { return \"${line}\"; }
std::string_view VersionDate() { return \"${date}\"; }
}  // namespace mmtune
")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${text}" @ONLY)
