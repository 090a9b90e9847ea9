# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Headers that are read once for the whole build: those of Abseil, the standard library and JSON take half of the time of
# most sources, MLIR's nine tenths, and GoogleTest's two fifths of a test's.
#
# A source still includes what it uses (deploy/tidy reads it without these). -DMMTUNE_PRECOMPILE=OFF does without.

# mmtune_precompile(NAME KIND): NAME, a library or executable, reads the precompiled headers of KIND: "" or "test_", as the flags
# of the compiler differ. Those of MLIR are for targets that are linked with it. Where MMTUNE_UNOPTIMIZED is set, targets without
# MLIR are not optimised.
function(mmtune_precompile NAME KIND)
  set(headers mmtune_${KIND}headers)
  get_target_property(packages ${NAME} MMTUNE_PACKAGES)
  if("mmtune_mlir" IN_LIST packages)
    set(headers mmtune_mlir_${KIND}headers)
  elseif(MMTUNE_UNOPTIMIZED)
    set(headers mmtune_unoptimized_${KIND}headers)
    target_compile_options(${NAME} PRIVATE $<$<CONFIG:Release>:-O0>)
  endif()
  if(TARGET ${headers})
    target_precompile_headers(${NAME} REUSE_FROM ${headers})
    # ccache must see what the headers are made of: GCC's preprocessor names the file, Clang's file has no time in it.
    target_compile_options(${NAME} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>" ${MMTUNE_PCH_WITHOUT_TIME})
  endif()
endfunction()

# mmtune_precompiled_headers(NAME LIBRARIES HEADERS <header> …): a target that precompiles HEADERS, found by LIBRARIES.
function(mmtune_precompiled_headers NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "LIBRARIES;HEADERS")
  if(NOT MMTUNE_PRECOMPILE)
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/empty.cc CONTENT "// CMake wants a source.\n")
  add_library(${NAME} OBJECT ${PROJECT_BINARY_DIR}/empty.cc)
  target_link_libraries(${NAME} PRIVATE ${ARG_LIBRARIES})
  target_compile_options(${NAME} PRIVATE ${MMTUNE_PCH_WITHOUT_TIME})
  target_precompile_headers(${NAME} PRIVATE ${ARG_HEADERS})
endfunction()

set(MMTUNE_PCH_WITHOUT_TIME "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")

set(MMTUNE_COMMON_HEADERS
  <absl/status/statusor.h>
  <absl/strings/str_cat.h>
  <absl/strings/str_format.h>
  <absl/strings/str_join.h>
  <absl/strings/str_split.h>
  <algorithm> <chrono> <filesystem> <fstream> <functional> <map> <optional> <set> <sstream> <variant> <vector>)
set(MMTUNE_PLAIN_HEADERS
  <absl/container/flat_hash_map.h>
  <absl/synchronization/mutex.h>
  <nlohmann/json.hpp>
  <random> <thread>)
# Chosen so that no compiler process needs more than 1.4 GB of memory. Linalg is left out, and the dialects that hardly a
# source without it includes: they would add 0.2 GB for nine units, which take 4 s of processor time longer without. NVVM
# adds 0.3 GB, but twenty units need it, at 6 s each.
set(MMTUNE_MLIR_HEADERS
  <llvm/ADT/TypeSwitch.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/GPU/IR/GPUDialect.h>
  <mlir/Dialect/LLVMIR/NVVMDialect.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/IR/ImplicitLocOpBuilder.h>
  <mlir/Parser/Parser.h>
  <mlir/Pass/PassManager.h>)

# mmtune_precompile_for(KIND [UNOPTIMIZED] [LIBRARY …] [HEADERS <header> …]): the two files of a KIND, with what else it includes;
# UNOPTIMIZED: also one for targets that are not optimised.
function(mmtune_precompile_for KIND)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "UNOPTIMIZED" "" "LIBRARIES;HEADERS")
  set(plain LIBRARIES absl::statusor nlohmann_json::nlohmann_json ${ARG_LIBRARIES}
            HEADERS ${MMTUNE_COMMON_HEADERS} ${MMTUNE_PLAIN_HEADERS} ${ARG_HEADERS})
  mmtune_precompiled_headers(mmtune_${KIND}headers ${plain})
  if(ARG_UNOPTIMIZED AND MMTUNE_PRECOMPILE)
    mmtune_precompiled_headers(mmtune_unoptimized_${KIND}headers ${plain})
    target_compile_options(mmtune_unoptimized_${KIND}headers PRIVATE $<$<CONFIG:Release>:-O0>)
  endif()
  if(MMTUNE_WITH_MLIR)
    mmtune_precompiled_headers(mmtune_mlir_${KIND}headers
      LIBRARIES mmtune_mlir absl::statusor nlohmann_json::nlohmann_json ${ARG_LIBRARIES}
      HEADERS ${MMTUNE_MLIR_HEADERS} ${MMTUNE_COMMON_HEADERS} ${ARG_HEADERS})
  endif()
endfunction()

mmtune_precompile_for("")
