// RUN: mmtune-opt %s --launch-with-pointers | FileCheck %s

// Memory of a caller is asserted to be as aligned as the kernel takes it to be; what is allocated here is.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%a: !llvm.ptr {llvm.align = 16 : i64}, %b: !llvm.ptr {llvm.align = 16 : i64}) attributes {gpu.kernel} {
      llvm.return
    }
  }
  // CHECK-LABEL: func.func @f(
  // CHECK-SAME:    %[[A:.*]]: memref<8xf32>
  func.func @f(%a: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %b = gpu.alloc () : memref<8xf32>
    // CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
    // CHECK: %[[MASK:.*]] = arith.constant 15 : index
    // CHECK: %[[REST:.*]] = arith.andi %[[ADDRESS]], %[[MASK]]
    // CHECK: %[[ALIGNED:.*]] = arith.cmpi eq, %[[REST]], %{{.*}}
    // CHECK: cf.assert %[[ALIGNED]], "memory that kernel @k is given as argument 0 begins at no multiple of 16 bytes
    // CHECK-NOT: cf.assert
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<8xf32>, %b : memref<8xf32>)
    return
  }
}
