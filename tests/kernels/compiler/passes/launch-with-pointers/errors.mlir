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

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-note @below {{the kernel}}
    llvm.func @by_value(%a: !llvm.ptr {llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant})
        attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
    llvm.func @pointer(%a: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  func.func @no_map(%a: memref<4x4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{argument 0 of type 'memref<4x4xf32>' is no '!llvm.array<16 x i64>', which the kernel takes by value: for a tensor map of a memref, describe it in mmtune.tensor_maps}}
    gpu.launch_func @kernels::@by_value blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4x4xf32>)
    return
  }
  func.func @no_parameter_by_value(%a: memref<4x4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{the tensor map of argument 0 in mmtune.tensor_maps is 128 bytes by value, but the kernel takes a '!llvm.ptr'}}
    gpu.launch_func @kernels::@pointer blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4x4xf32>)
        {mmtune.tensor_maps = [{type = 7, extents = array<i64: 4>, strides = array<i64>, box = array<i64: 4>}]}
    return
  }
  func.func @sizes(%a: memref<4x4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{the tensor map of argument 0 in mmtune.tensor_maps has 2 extents, 0 strides and 1 extents of the box}}
    gpu.launch_func @kernels::@by_value blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4x4xf32>)
        {mmtune.tensor_maps = [{type = 7, extents = array<i64: 4, 4>, box = array<i64: 4>}]}
    return
  }
  func.func @no_type(%a: memref<4x4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{the tensor map of argument 0 in mmtune.tensor_maps has the type -1: it must be a CUtensorMapDataType}}
    gpu.launch_func @kernels::@by_value blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4x4xf32>)
        {mmtune.tensor_maps = [{extents = array<i64: 4, 4>, strides = array<i64: 16>, box = array<i64: 4, 4>}]}
    return
  }
  func.func @not_dense(%a: memref<4x4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{has the stride 100, which is no multiple of its 3 rows}}
    gpu.launch_func @kernels::@by_value blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4x4xf32>)
        {mmtune.tensor_maps = [{type = 7, extents = array<i64: 4, 3, 2>, strides = array<i64: 16, 100>,
                                box = array<i64: 4, 4, 1>, rows = 1}]}
    return
  }
  func.func @of_memrefs(%a: memref<4x4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{mmtune.tensor_maps needs a kernel that is an llvm.func in a gpu.module of this module}}
    gpu.launch_func @memrefs::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4x4xf32>)
        {mmtune.tensor_maps = [{type = 7, extents = array<i64: 4, 4>, strides = array<i64: 16>, box = array<i64: 4, 4>}]}
    return
  }
  gpu.module @memrefs {
    gpu.func @kernel(%a: memref<4x4xf32>) kernel {
      gpu.return
    }
  }
}
