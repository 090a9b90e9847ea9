// RUN: mmtune-opt %s --launch-with-pointers --split-input-file --verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-note @below {{the kernel}}
    llvm.func @kernel(%a: !llvm.ptr, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  func.func @too_few(%a: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{passes 1 arguments to a kernel that has 2 parameters}}
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
    return
  }
  // Every launch is checked.
  func.func @other_scalar(%a: memref<4xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{argument 1 of type 'index' is no 'i32', which the kernel takes}}
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4xf32>, %n : index)
    return
  }
  func.func @buffer_for_a_scalar(%a: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{argument 1 of type 'memref<4xf32>' is no 'i32', which the kernel takes}}
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4xf32>, %a : memref<4xf32>)
    return
  }
  func.func @strided(%a: memref<4x4xf32, strided<[8, 1]>>, %n: i32) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{argument 0 of type 'memref<4x4xf32, strided<[8, 1]>>' has a layout that a pointer cannot describe: copy it to a buffer with the identity layout}}
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4x4xf32, strided<[8, 1]>>, %n : i32)
    return
  }
}
