// RUN: mmtune-opt %s --convert-memcpy-to-gpu | FileCheck %s

// The buffer allocated in an iteration of the loop is not the one that the iteration began with, though it becomes what the
// next one begins with: both get copies of their own.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<4xf32>
      memref.store %v, %y[%i] : memref<4xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @carried(
  // CHECK:         scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}})
  // CHECK:           %[[AFTER:.*]] = memref.alloc()
  // CHECK:           gpu.memcpy %[[X:.*]], %[[BEFORE]]
  // CHECK:           gpu.launch_func @kernels::@f {{.*}} args(%[[X]] : memref<4xf32>, %[[Y:.*]] : memref<4xf32>)
  // CHECK:           gpu.memcpy %[[AFTER]], %[[Y]]
  // CHECK:           scf.yield %[[AFTER]]
  func.func @carried(%start: memref<4xf32>, %n: index) -> memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%before = %start) -> (memref<4xf32>) {
      %after = memref.alloc() : memref<4xf32>
      gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%before : memref<4xf32>, %after : memref<4xf32>)
      scf.yield %after : memref<4xf32>
    }
    return %end : memref<4xf32>
  }
}
