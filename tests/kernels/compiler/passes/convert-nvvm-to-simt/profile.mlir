// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt{race-detection=1 profile=1}))' | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt{race-detection=1}))' | FileCheck %s --check-prefix=CHECKS

// CHECKS-NOT: mmtune_simt_branch
// CHECKS-NOT: mmtune_simt_iterate
// CHECKS-NOT: mmtune_simt_access_widths

gpu.module @kernels {
  // CHECK-LABEL: llvm.func internal @loop(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr
  llvm.func @loop(%g: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^header(%zero : i32)
  // The header announces an iteration, and what it branches on.
  // CHECK: ^bb1(%{{.*}}: i32):
  // CHECK-NEXT: llvm.call @mmtune_simt_iterate(%[[CTX]])
  // CHECK: %[[MORE:.*]] = llvm.icmp "slt"
  // CHECK: %[[TAKEN:.*]] = llvm.zext %[[MORE]] : i1 to i32
  // CHECK: llvm.call @mmtune_simt_branch(%[[CTX]], %[[TAKEN]], %{{.*}})
  // CHECK-NEXT: llvm.cond_br %[[MORE]]
  ^header(%i: i32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^body, ^end
  // CHECK-NOT: mmtune_simt_iterate
  ^body:
    // Equal operations of one place have sites of their own.
    // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}}, %[[FIRST]])
    %a = llvm.load volatile %g {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32> loc("load")
    // CHECK: %[[SECOND:.*]] = llvm.mlir.constant(3 : i32)
    // CHECK: llvm.call @mmtune_simt_access(%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}}, %[[SECOND]])
    %b = llvm.load volatile %g {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xf32> loc("load")
    %c = llvm.load volatile %g {alignment = 32 : i64} : !llvm.ptr<1> -> vector<8xf32> loc("load")
    %next = llvm.add %i, %one : i32
    llvm.br ^header(%next : i32)
  ^end:
    llvm.return
  }
  // Of the unknown site, the branch, and three loads: their alignment, at most 16.
  // CHECK: @mmtune_simt_access_widths(dense<[16, 16, 16, 8, 16]> : tensor<5xi32>)
}
