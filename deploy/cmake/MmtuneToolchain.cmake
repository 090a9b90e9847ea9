# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiler settings common to every target: ccache when present, warnings, sanitizers.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(MMTUNE_CCACHE ccache)
if(MMTUNE_CCACHE)
  # What ccache asks for where headers are precompiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_INODECACHE=1 ${MMTUNE_CCACHE})
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  add_link_options(-fuse-ld=lld)
  # libstdc++ 12 itself calls what it deprecates.
  add_compile_options(-Wno-deprecated-declarations)
endif()

# -fPIC, -pthread and -fno-math-errno for all: what is precompiled has the flags of every source. Nothing reads errno of a
# mathematical function.
add_compile_options(-fPIC -pthread -fno-math-errno -Wall -Wextra -Wno-unused-parameter)

if(MMTUNE_SANITIZE)
  add_compile_options(-fsanitize=${MMTUNE_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${MMTUNE_SANITIZE})
endif()
