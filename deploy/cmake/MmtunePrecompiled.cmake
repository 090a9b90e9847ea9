# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Headers that are read once for the whole build: MLIR's take most of the time of each source that includes them, those of
# GoogleTest two fifths of a test's.
#
# A source still includes what it uses (deploy/tidy reads it without these). The files are 1.4 GB and 0.15 GB;
# -DMMTUNE_PRECOMPILE=OFF does without them.

# mmtune_precompile(NAME HEADERS): NAME reads the file of HEADERS, a target below. Its flags are those of every library (of
# every test); GCC ignores the file, with a warning, where they are not. Loading MLIR's takes seconds, too: it is for libraries
# whose sources include MLIR's headers.
function(mmtune_precompile NAME HEADERS)
  target_precompile_headers(${NAME} REUSE_FROM ${HEADERS})
  # ccache preprocesses, and must see that the headers come from a file.
  target_compile_options(${NAME} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

# mmtune_precompile_for_tests(): what every test includes, in two files: MLIR brings definitions of its own. To be called where
# the flags of tests are set.
function(mmtune_precompile_for_tests)
  if(NOT MMTUNE_PRECOMPILE)
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/no_main.cc CONTENT "int main() { return 0; }\n")
  set(targets mmtune_test_headers)
  if(MMTUNE_WITH_MLIR)
    list(APPEND targets mmtune_mlir_test_headers)
  endif()
  foreach(target IN LISTS targets)
    add_executable(${target} EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/no_main.cc)
    target_link_libraries(${target} PRIVATE GTest::gmock)
    target_precompile_headers(${target} PRIVATE
      <absl/status/statusor.h> <absl/strings/str_cat.h> <absl/strings/str_join.h> <absl/strings/str_split.h> <absl/synchronization/mutex.h>
      <gmock/gmock.h> <gtest/gtest.h>
      <algorithm> <chrono> <filesystem> <fstream> <functional> <map> <optional> <random> <set> <sstream> <thread> <vector>)
  endforeach()
  if(MMTUNE_WITH_MLIR)
    target_link_libraries(mmtune_mlir_test_headers PRIVATE mmtune_mlir)
  endif()
endfunction()

if(NOT MMTUNE_WITH_MLIR OR NOT MMTUNE_PRECOMPILE)
  return()
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/mlir_headers.cc CONTENT "// An empty source, as CMake wants one.\n")
add_library(mmtune_mlir_headers OBJECT ${PROJECT_BINARY_DIR}/mlir_headers.cc)
target_link_libraries(mmtune_mlir_headers PRIVATE mmtune_mlir)
target_precompile_headers(mmtune_mlir_headers PRIVATE
  <llvm/ADT/TypeSwitch.h>
  <mlir/Dialect/Affine/IR/AffineOps.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Bufferization/IR/Bufferization.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/GPU/IR/GPUDialect.h>
  <mlir/Dialect/LLVMIR/NVVMDialect.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/IR/ImplicitLocOpBuilder.h>
  <mlir/Parser/Parser.h>
  <mlir/Pass/PassManager.h>
  <mlir/Transforms/DialectConversion.h>)
