// RUN: mmtune-opt %s --pass-pipeline='builtin.module(func.func(linearize-gpu-tokens))' | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(func.func(linearize-gpu-tokens),convert-scf-to-cf,gpu-to-llvm,reconcile-unrealized-casts)' \
// RUN:   | FileCheck %s --check-prefix=LLVM

// Where tokens cross blocks and regions the host waits, and what is carried on is complete.
// LLVM-NOT: gpu.memset
// LLVM-NOT: gpu.wait
// LLVM-NOT: unrealized_conversion_cast

// CHECK-LABEL: func.func @loop(
// CHECK:       %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:       %[[DONE:.*]] = builtin.unrealized_conversion_cast %[[NULL]] : !llvm.ptr to !gpu.async.token
// CHECK:       %[[T0:.*]] = gpu.wait async
// CHECK-NEXT:  %[[T1:.*]] = gpu.memset async [%[[T0]]]
// CHECK-NEXT:  gpu.wait [%[[T1]]]
// CHECK-NEXT:  scf.for {{.*}} iter_args(%{{.*}} = %[[DONE]]) -> (!gpu.async.token)
// CHECK-NEXT:    %[[T2:.*]] = gpu.wait async
// CHECK-NEXT:    %[[T3:.*]] = gpu.memset async [%[[T2]]]
// CHECK-NEXT:    gpu.wait [%[[T3]]]
// CHECK-NEXT:    scf.yield %[[DONE]]
// CHECK:       %[[T4:.*]] = gpu.wait async
// CHECK-NEXT:  %[[T5:.*]] = gpu.memset async [%[[T4]]]
// CHECK-NEXT:  gpu.wait [%[[T5]]]
// CHECK-NEXT:  return
func.func @loop(%d: memref<16xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = gpu.memset async %d, %v : memref<16xf32>, f32
  %t1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!gpu.async.token) {
    %u = gpu.memset async [%t] %d, %v : memref<16xf32>, f32
    scf.yield %u : !gpu.async.token
  }
  %t2 = gpu.memset async [%t1] %d, %v : memref<16xf32>, f32
  gpu.wait [%t2]
  return
}

// CHECK-LABEL: func.func @blocks(
// CHECK:       %[[DONE:.*]] = builtin.unrealized_conversion_cast
// CHECK:       gpu.wait [%
// CHECK-NEXT:  cf.cond_br %{{.*}}, ^bb1(%[[DONE]] : !gpu.async.token), ^bb2(%[[DONE]] : !gpu.async.token)
// CHECK:       gpu.wait [%
// CHECK-NEXT:  cf.br ^bb2(%[[DONE]] : !gpu.async.token)
func.func @blocks(%d: memref<16xf32>, %v: f32, %p: i1) {
  %t0 = gpu.memset async %d, %v : memref<16xf32>, f32
  cf.cond_br %p, ^bb1(%t0 : !gpu.async.token), ^bb2(%t0 : !gpu.async.token)
^bb1(%t1: !gpu.async.token):
  %t2 = gpu.memset async [%t1] %d, %v : memref<16xf32>, f32
  cf.br ^bb2(%t2 : !gpu.async.token)
^bb2(%t3: !gpu.async.token):
  gpu.wait [%t3]
  return
}

// A choice between tokens is a boundary too.
// CHECK-LABEL: func.func @select(
// CHECK:       %[[DONE:.*]] = builtin.unrealized_conversion_cast
// CHECK:       gpu.wait [%
// CHECK-NEXT:  arith.select %{{.*}}, %[[DONE]], %[[DONE]]
// CHECK:       gpu.memset async
func.func @select(%d: memref<16xf32>, %v: f32, %p: i1) {
  %t0 = gpu.memset async %d, %v : memref<16xf32>, f32
  %t1 = gpu.wait async
  %t2 = arith.select %p, %t0, %t1 : !gpu.async.token
  %t3 = gpu.memset async [%t2] %d, %v : memref<16xf32>, f32
  gpu.wait [%t3]
  return
}

// Synchronous, it is converted as it is.
// CHECK-LABEL: func.func @host_shared(
// CHECK-NEXT:  gpu.alloc host_shared ()
// CHECK-NEXT:  gpu.wait async
func.func @host_shared(%v: f32) {
  %d = gpu.alloc host_shared () : memref<16xf32>
  gpu.memset %d, %v : memref<16xf32>, f32
  gpu.dealloc %d : memref<16xf32>
  return
}
