// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(order-atomics))' | FileCheck %s

// CHECK-LABEL: llvm.func @orders
gpu.module @kernels {
  llvm.func @orders(%p: !llvm.ptr, %x: i32, %y: f32) {
    // CHECK-NEXT: llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic
    %0 = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr, i32
    // CHECK-NEXT: llvm.atomicrmw xchg %{{.*}}, %{{.*}} monotonic
    // CHECK-NEXT: llvm.fence acquire
    %1 = llvm.atomicrmw xchg %p, %x acquire : !llvm.ptr, i32
    // CHECK-NEXT: llvm.fence syncscope("device") release
    // CHECK-NEXT: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic
    %2 = llvm.atomicrmw fadd %p, %y syncscope("device") release : !llvm.ptr, f32
    // CHECK-NEXT: llvm.fence syncscope("block") release
    // CHECK-NEXT: llvm.atomicrmw max %{{.*}}, %{{.*}} syncscope("block") monotonic
    // CHECK-NEXT: llvm.fence syncscope("block") acquire
    %3 = llvm.atomicrmw max %p, %x syncscope("block") acq_rel : !llvm.ptr, i32
    // CHECK-NEXT: llvm.fence seq_cst
    // CHECK-NEXT: llvm.atomicrmw _or %{{.*}}, %{{.*}} monotonic
    // CHECK-NEXT: llvm.fence acquire
    // CHECK-NEXT: llvm.return
    %4 = llvm.atomicrmw _or %p, %x seq_cst : !llvm.ptr, i32
    llvm.return
  }
}
