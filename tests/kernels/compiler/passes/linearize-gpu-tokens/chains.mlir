// RUN: mmtune-opt %s --pass-pipeline='builtin.module(func.func(linearize-gpu-tokens))' | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(func.func(linearize-gpu-tokens),convert-scf-to-cf,gpu-to-llvm{use-bare-pointers-for-kernels=1},reconcile-unrealized-casts)' \
// RUN:   | FileCheck %s --check-prefix=LLVM

// Everything becomes calls of the runtime, and every stream is destroyed once.
// LLVM-NOT: gpu.alloc
// LLVM-NOT: gpu.memcpy
// LLVM-NOT: gpu.dealloc
// LLVM-NOT: gpu.wait

module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90">, bin = "X">]

  // Two dependencies, forks and a stream that nobody waits for.
  // CHECK-LABEL: func.func @forks_and_joins(
  // CHECK-NEXT:  %[[T0:.*]] = gpu.wait async
  // CHECK-NEXT:  %[[D:.*]], %[[T1:.*]] = gpu.alloc async [%[[T0]]] ()
  // CHECK-NEXT:  %[[E:.*]], %[[T2:.*]] = gpu.alloc async [%[[T1]]] ()
  // CHECK-NEXT:  %[[T3:.*]] = gpu.memcpy async [%[[T2]]] %[[D]], %{{.*}}
  // CHECK-NEXT:  %[[T4:.*]] = gpu.dealloc async [%[[T3]]] %[[D]]
  // CHECK-NEXT:  %[[T5:.*]] = gpu.dealloc async [%[[T4]]] %[[E]]
  // CHECK-NEXT:  gpu.wait [%[[T5]]]
  // CHECK-NEXT:  return
  // LLVM-LABEL: llvm.func @forks_and_joins(
  // LLVM-COUNT-1: llvm.call @mgpuStreamCreate
  // LLVM-COUNT-1: llvm.call @mgpuStreamDestroy
  // LLVM-NOT:   llvm.call @mgpuStream
  func.func @forks_and_joins(%h: memref<16xf32>) {
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<16xf32>
    %t2 = gpu.wait async
    %e, %t3 = gpu.alloc async [%t2] () : memref<16xf32>
    %t4 = gpu.memcpy async [%t1, %t3] %d, %h : memref<16xf32>, memref<16xf32>
    %t5 = gpu.dealloc async [%t4] %d : memref<16xf32>
    %t6 = gpu.dealloc async [%t4, %t3] %e : memref<16xf32>
    gpu.wait [%t5, %t6]
    return
  }

  // CHECK-LABEL: func.func @joined_by_waits(
  // CHECK:       gpu.launch_func async [%{{[a-z0-9_]+}}] @k::@k1
  // CHECK-NOT:   gpu.wait async
  // CHECK:       gpu.launch_func async [%{{[a-z0-9_]+}}] @k::@k1
  // CHECK-NEXT:  gpu.wait [%
  // CHECK-NEXT:  return
  // LLVM-LABEL: llvm.func @joined_by_waits(
  // LLVM-COUNT-1: llvm.call @mgpuStreamCreate
  // LLVM-COUNT-1: llvm.call @mgpuStreamDestroy
  // LLVM-NOT:   llvm.call @mgpuStream
  func.func @joined_by_waits(%a: memref<16xf32>) {
    %c1 = arith.constant 1 : index
    %t0 = gpu.wait async
    %t1 = gpu.wait async
    %t2 = gpu.wait async [%t0, %t1]
    %t3 = gpu.launch_func async [%t2] @k::@k1 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>)
    %t4 = gpu.wait async
    %t5 = gpu.launch_func async [%t3, %t4] @k::@k1 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>)
    gpu.wait [%t5]
    return
  }

  // Synchronous operations: the host waits before it looks, not before what cannot matter to it.
  // CHECK-LABEL: func.func @synchronous(
  // CHECK:       gpu.wait async
  // CHECK-NEXT:  gpu.alloc async [
  // CHECK-NEXT:  gpu.memcpy async [
  // CHECK-NEXT:  %[[OUT:.*]] = memref.alloc()
  // CHECK-NEXT:  gpu.memset async [
  // CHECK-NEXT:  arith.addi
  // CHECK-NEXT:  gpu.memcpy async [%{{.*}}] %[[OUT]]
  // CHECK-NEXT:  %[[T:.*]] = gpu.dealloc async [
  // CHECK-NEXT:  gpu.wait [%[[T]]]
  // CHECK-NEXT:  memref.load %[[OUT]]
  // CHECK-NEXT:  return
  // LLVM-LABEL: llvm.func @synchronous(
  func.func @synchronous(%h: memref<16xf32>, %v: f32, %i: index) -> f32 {
    %d = gpu.alloc () : memref<16xf32>
    gpu.memcpy %d, %h : memref<16xf32>, memref<16xf32>
    %out = memref.alloc() : memref<16xf32>
    gpu.memset %d, %v : memref<16xf32>, f32
    %j = arith.addi %i, %i : index
    gpu.memcpy %out, %d : memref<16xf32>, memref<16xf32>
    gpu.dealloc %d : memref<16xf32>
    %x = memref.load %out[%j] : memref<16xf32>
    return %x : f32
  }

  // Blocks of regions have chains of their own.
  // CHECK-LABEL: func.func @regions(
  // CHECK:       %[[T0:.*]] = gpu.launch_func async
  // CHECK-NEXT:  gpu.wait [%[[T0]]]
  // CHECK-NEXT:  scf.if
  // CHECK-NEXT:    %[[T1:.*]] = gpu.wait async
  // CHECK-NEXT:    %[[T2:.*]] = gpu.launch_func async [%[[T1]]]
  // CHECK-NEXT:    gpu.wait [%[[T2]]]
  // CHECK-NEXT:  }
  // CHECK-NEXT:  return
  // LLVM-LABEL: llvm.func @regions(
  func.func @regions(%a: memref<16xf32>, %p: i1) {
    %c1 = arith.constant 1 : index
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@k1 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>)
    scf.if %p {
      %t2 = gpu.launch_func async [%t1] @k::@k1 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>)
      gpu.wait [%t2]
    }
    gpu.wait [%t1]
    return
  }
}
