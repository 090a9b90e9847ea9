// RUN: mmtune-opt %s --launch-with-pointers | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(convert-memcpy-to-gpu,func.func(linearize-gpu-tokens),launch-with-pointers)' | FileCheck %s --check-prefix=COPIES

// A tensor map is written to the stack, and passed by value.
// COPIES-LABEL: func.func @fixed(
// COPIES:         gpu.memcpy
// COPIES-NOT:     gpu.memcpy
// COPIES:         gpu.launch_func
// COPIES:         gpu.memcpy
// COPIES:         return
module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func @fixed(
  // CHECK-SAME:    %[[A:.*]]: memref<20x36xf32>, %[[C:.*]]: memref<20x36xf32>
  func.func @fixed(%a: memref<20x36xf32>, %c: memref<20x36xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    // CHECK:     cf.assert %{{.*}}, "memory that kernel @copy is given as argument 0 begins at no multiple of 16 bytes
    // CHECK:     %[[ADDRESS:.*]] = llvm.inttoptr
    // CHECK-DAG: %[[C36:.*]] = arith.constant 36 : i64
    // CHECK-DAG: %[[C20:.*]] = arith.constant 20 : i64
    // CHECK-DAG: %[[C144:.*]] = arith.constant 144 : i64
    // CHECK:     %[[STACK:.*]] = llvm.intr.stacksave
    // CHECK:     %[[MAP:.*]] = llvm.alloca %{{.*}} x i64 {alignment = 64 : i64}
    // CHECK:     %[[NUMBERS:.*]] = llvm.alloca %{{.*}} x i64 {alignment = 8 : i64}
    // CHECK:     llvm.store %[[C36]]
    // CHECK:     llvm.store %[[C20]]
    // CHECK:     llvm.store %[[C144]]
    // CHECK:     llvm.call @mgpuTensorMapEncodeTiled(%[[MAP]], %[[ADDRESS]], %{{.*}}, %[[NUMBERS]])
    // CHECK:     %[[VALUE:.*]] = llvm.load %[[MAP]] {alignment = 64 : i64} : !llvm.ptr -> !llvm.array<16 x i64>
    // CHECK:     llvm.intr.stackrestore %[[STACK]]
    // CHECK:     gpu.launch_func @kernels::@copy clusters in (%{{[^)]*}}) blocks in (%{{[^)]*}})
    // CHECK-SAME:  args(%[[VALUE]] : !llvm.array<16 x i64>, %{{.*}} : !llvm.array<16 x i64>)
    // CHECK-NOT: mmtune.tensor_maps
    gpu.launch_func @kernels::@copy clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<20x36xf32>, %c : memref<20x36xf32>)
        {mmtune.tensor_maps = [
          {type = 7, extents = array<i64: 36, 20>, strides = array<i64: 144>, box = array<i64: 32, 8>},
          {type = 7, extents = array<i64: 36, 20>, strides = array<i64: 144>, box = array<i64: 32, 8>}]}
    return
  }

  // Rows and matrices at run time: rows are the last operand, matrices those that the memref has room for.
  // CHECK-LABEL: func.func @at_run_time(
  // CHECK-SAME:    %[[A:.*]]: memref<?x?x36xf32>, %[[ROWS:.*]]: i32
  func.func @at_run_time(%a: memref<?x?x36xf32>, %rows: i32) {
    %c1 = arith.constant 1 : index
    // CHECK:     %[[WIDE:.*]] = arith.extui %[[ROWS]] : i32 to i64
    // CHECK:     %[[ROW:.*]] = arith.constant 144 : i64
    // CHECK:     %[[MATRIX:.*]] = arith.muli %[[WIDE]], %[[ROW]] : i64
    // CHECK:     %[[NOT0:.*]] = arith.maxui %[[MATRIX]], %{{.*}} : i64
    // CHECK:     memref.dim %[[A]]
    // CHECK:     %[[MATRICES:.*]] = arith.divui %{{.*}}, %[[NOT0]] : i64
    // CHECK:     llvm.store %[[WIDE]]
    // CHECK:     llvm.store %[[MATRICES]]
    // CHECK:     llvm.store %[[MATRIX]]
    // CHECK:     llvm.call @mgpuTensorMapEncodeTiled
    // CHECK:     gpu.launch_func @kernels::@read {{.*}} args(%{{.*}} : !llvm.array<16 x i64>, %[[ROWS]] : i32)
    gpu.launch_func @kernels::@read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<?x?x36xf32>, %rows : i32)
        {mmtune.tensor_maps = [{type = 7, extents = array<i64: 36, 512, 16>, strides = array<i64: 144, 73728>,
                                box = array<i64: 32, 8, 1>, rows = 1, batch = 2}]}
    return
  }

  gpu.module @kernels {
    llvm.func @copy(%a: !llvm.ptr {llvm.byval = !llvm.array<16 x i64>, llvm.align = 64 : i64, nvvm.grid_constant, llvm.readonly},
                    %c: !llvm.ptr {llvm.byval = !llvm.array<16 x i64>, llvm.align = 64 : i64, nvvm.grid_constant, mmtune.overwrites})
        attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
    llvm.func @read(%a: !llvm.ptr {llvm.byval = !llvm.array<16 x i64>, llvm.align = 64 : i64, nvvm.grid_constant, llvm.readonly},
                    %rows: i32) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}
