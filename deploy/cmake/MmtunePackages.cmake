# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every external package, found once. docs/dependencies.md says why each is here.

find_package(Threads REQUIRED)
find_package(absl REQUIRED CONFIG)
find_package(Protobuf REQUIRED)
find_package(gRPC REQUIRED CONFIG)
find_package(SQLite3 REQUIRED)
find_path(MMTUNE_LIBPQ_INCLUDE libpq-fe.h PATH_SUFFIXES postgresql REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED CONFIG)
find_package(CLI11 REQUIRED CONFIG)
find_package(OpenSSL REQUIRED)
find_package(prometheus-cpp REQUIRED CONFIG)
find_package(Eigen3 3.4 REQUIRED CONFIG)

if(MMTUNE_WITH_MLIR)
  find_package(MLIR REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir)
  list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
  include(TableGen)
  include(AddLLVM)
  include(AddMLIR)
  # The two dylibs and their headers; compiled as LLVM itself is, without exceptions.
  add_library(mmtune_mlir INTERFACE)
  target_include_directories(mmtune_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  separate_arguments(MMTUNE_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_options(mmtune_mlir INTERFACE ${MMTUNE_LLVM_DEFINITIONS})
  target_link_libraries(mmtune_mlir INTERFACE MLIR LLVM)
  # The fibers of the SIMT device; static, so that programs need no library of Boost.
  set(Boost_USE_STATIC_LIBS ON)
  find_package(boost_context 1.74 REQUIRED CONFIG)
  # LLVM's library of mathematical functions, as bitcode (kernels/compiler/codegen/device_math.ll).
  find_file(MMTUNE_LIBCLC nvptx64--.bc PATHS /usr/lib/clc NO_DEFAULT_PATH REQUIRED)
endif()

if(MMTUNE_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
