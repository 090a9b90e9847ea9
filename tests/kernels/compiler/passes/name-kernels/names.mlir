// RUN: mmtune-opt %s --name-kernels | FileCheck %s

module attributes {gpu.container_module} {
  // CHECK: gpu.module @kernels
  gpu.module @kernels {
    // CHECK: llvm.mlir.global external @k_sca_les
    llvm.mlir.global external @"sca les"() : i32
    // CHECK: llvm.func @k_main_1(
    // CHECK: llvm.mlir.addressof @k_sca_les
    llvm.func @"main.1"() attributes {gpu.kernel} {
      %0 = llvm.mlir.addressof @"sca les" : !llvm.ptr
      llvm.return
    }
    // CHECK: llvm.func @k_main_1_2(
    llvm.func @"main-1"() attributes {gpu.kernel} {
      llvm.return
    }
    // CHECK: llvm.func @k__(
    llvm.func @_() attributes {gpu.kernel} {
      llvm.return
    }
    // CHECK: llvm.func @_plain$1(
    llvm.func @_plain$1() attributes {gpu.kernel} {
      llvm.return
    }
  }
  // CHECK: func.func @main.1(
  func.func @"main.1"() {
    %c1 = arith.constant 1 : index
    // CHECK: gpu.launch_func @kernels::@k_main_1 blocks
    gpu.launch_func @kernels::@"main.1" blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    // CHECK: gpu.launch_func @kernels::@k_main_1_2 blocks
    gpu.launch_func @kernels::@"main-1" blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    // CHECK: gpu.launch_func @kernels::@_plain$1 blocks
    gpu.launch_func @kernels::@_plain$1 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}
