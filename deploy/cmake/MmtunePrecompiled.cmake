# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Headers that are read once for the whole build: MLIR's take most of the time of each source that includes them.
#
# A source still includes what it uses (deploy/tidy reads it without these). The file is 1.4 GB; -DMMTUNE_PRECOMPILE=OFF
# does without it.

# mmtune_precompile(NAME): the library NAME reads them. Its flags are those of every library; GCC ignores the file, with a
# warning, where they are not. Loading it takes seconds, too: it is for libraries whose sources include MLIR's headers.
function(mmtune_precompile NAME)
  target_precompile_headers(${NAME} REUSE_FROM mmtune_mlir_headers)
  # ccache preprocesses, and must see that the headers come from a file.
  target_compile_options(${NAME} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
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
