// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(number-program-points))' | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(number-program-points),canonicalize{region-simplify=aggressive})' | FileCheck %s --check-prefix=APART
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(canonicalize{region-simplify=aggressive})' | FileCheck %s --check-prefix=MERGED

// What threads may wait at, or touch memory with, has a number of its own; what has no effects and terminators have none.

// CHECK-LABEL: gpu.func @branches
// CHECK: gpu.thread_id x
// CHECK-NOT: program_point
// CHECK: nvvm.bar.warp.sync %{{.*}} {program_point = 0 : i64}
// CHECK: gpu.barrier {program_point = 1 : i64}
// CHECK: gpu.barrier {program_point = 2 : i64}
// CHECK: gpu.return
// CHECK-NOT: program_point

// Two branches that would be the same without the numbers stay two.
// APART-LABEL: gpu.func @branches
// APART-COUNT-2: gpu.barrier
// MERGED-LABEL: gpu.func @branches
// MERGED-COUNT-1: gpu.barrier
// MERGED-NOT: gpu.barrier
gpu.module @kernels {
  gpu.func @branches(%condition: i1) kernel {
    %x = gpu.thread_id x
    %all = arith.constant -1 : i32
    nvvm.bar.warp.sync %all : i32
    cf.cond_br %condition, ^left, ^right
  ^left:
    gpu.barrier
    cf.br ^end
  ^right:
    gpu.barrier
    cf.br ^end
  ^end:
    gpu.return
  }
}
