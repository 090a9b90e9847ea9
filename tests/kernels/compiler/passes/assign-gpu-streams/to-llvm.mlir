// RUN: mmtune-opt %s --pass-pipeline='builtin.module(assign-gpu-streams,convert-scf-to-cf,gpu-to-llvm,reconcile-unrealized-casts)' \
// RUN:   | FileCheck %s

// All that asynchronous operations may be becomes calls of the runtime, and both kinds of declarations are one.
// CHECK-NOT: gpu.alloc
// CHECK-NOT: gpu.memcpy
// CHECK-NOT: gpu.memset
// CHECK-NOT: gpu.dealloc
// CHECK-NOT: gpu.wait
// CHECK-NOT: unrealized_conversion_cast

module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90">, bin = "X">]

  // CHECK-LABEL: llvm.func @joined(
  // CHECK:       %[[S0:.*]] = llvm.call @mgpuStreamCreate()
  // CHECK:       %[[S1:.*]] = llvm.call @mgpuStreamCreate()
  // CHECK:       llvm.call @mgpuMemcpy(%{{.*}}, %{{.*}}, %{{.*}}, %[[S0]])
  // CHECK:       %[[EVENT:.*]] = llvm.call @mgpuEventCreate()
  // CHECK:       llvm.call @mgpuEventRecord(%[[EVENT]], %[[S0]])
  // CHECK:       llvm.call @mgpuMemset32(%{{.*}}, %{{.*}}, %{{.*}}, %[[S1]])
  // CHECK:       llvm.call @mgpuStreamWaitEvent(%[[S1]], %[[EVENT]])
  // CHECK:       gpu.launch_func <%[[S1]] : !llvm.ptr> @k::@k1
  // CHECK:       llvm.call @mgpuStreamSynchronize(%[[S1]])
  // CHECK:       llvm.call @mgpuMemFree
  // CHECK:       llvm.call @mgpuMemFree
  // CHECK-DAG:   llvm.call @mgpuStreamDestroy(%[[S0]])
  // CHECK-DAG:   llvm.call @mgpuStreamDestroy(%[[S1]])
  // CHECK:       llvm.return
  func.func @joined(%h: memref<16xf32>, %v: f32) {
    %c1 = arith.constant 1 : index
    %d, %t0 = gpu.alloc async () : memref<16xf32>
    %e, %t1 = gpu.alloc async () : memref<16xf32>
    %t2 = gpu.memcpy async [%t0] %d, %h : memref<16xf32>, memref<16xf32>
    %t3 = gpu.memset async [%t1] %e, %v : memref<16xf32>, f32
    %t4 = gpu.launch_func async [%t2, %t3] @k::@k1 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%d : memref<16xf32>, %e : memref<16xf32>)
    %t5 = gpu.dealloc async [%t4, %t2] %d : memref<16xf32>
    %t6 = gpu.dealloc async [%t4] %e : memref<16xf32>
    gpu.wait [%t5, %t6]
    return
  }

  // CHECK-LABEL: llvm.func @regions(
  // CHECK:       llvm.return
  func.func @regions(%d: memref<16xf32>, %v: f32, %n: index, %p: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t0 = gpu.wait async
    %t1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!gpu.async.token) {
      %u = gpu.memset async [%t] %d, %v : memref<16xf32>, f32
      scf.yield %u : !gpu.async.token
    }
    %t2 = scf.if %p -> !gpu.async.token {
      %u = gpu.memset async [%t1] %d, %v : memref<16xf32>, f32
      scf.yield %u : !gpu.async.token
    } else {
      scf.yield %t1 : !gpu.async.token
    }
    cf.cond_br %p, ^bb1(%t2 : !gpu.async.token), ^bb2(%t2, %n : !gpu.async.token, index)
  ^bb1(%t3: !gpu.async.token):
    %t4 = gpu.memset async [%t3] %d, %v : memref<16xf32>, f32
    cf.br ^bb2(%t4, %c0 : !gpu.async.token, index)
  ^bb2(%t5: !gpu.async.token, %i: index):
    gpu.wait [%t5]
    return
  }
}
