// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' | FileCheck %s

// The target goes with the operations of its dialect.

// CHECK-LABEL: gpu.module @kernels {
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<5 x f32>
  llvm.mlir.global internal @flags() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<2 x i64>
  // CHECK: llvm.mlir.global internal constant @table(dense<[1, 2]> : tensor<2xi32>) {addr_space = 0 : i32}
  llvm.mlir.global internal constant @table(dense<[1, 2]> : tensor<2xi32>) {addr_space = 4 : i32} : !llvm.array<2 x i32>
  // CHECK-NOT: addr_space = 3

  // CHECK: llvm.func internal @gemm(%[[CTX:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr {llvm.noalias}, %[[N:.*]]: i32)
  // CHECK-SAME: attributes {gpu.kernel, no_unwind}
  llvm.func @gemm(%a: !llvm.ptr<1> {llvm.noalias}, %n: i32)
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.minctasm = 2 : i32} {
    // CHECK: %[[BIDYP:.*]] = llvm.getelementptr inbounds %[[CTX]][16]
    // CHECK: %[[BIDY:.*]] = llvm.load %[[BIDYP]] invariant : !llvm.ptr -> i32
    // CHECK: %[[ARENAP:.*]] = llvm.getelementptr inbounds %[[CTX]][64]
    // CHECK: %[[ARENA:.*]] = llvm.load %[[ARENAP]] invariant : !llvm.ptr -> !llvm.ptr
    // CHECK: %[[TIDX:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> i32
    %tid = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32
    %again = nvvm.read.ptx.sreg.tid.x : i32
    // CHECK: %[[TILE:.*]] = llvm.getelementptr inbounds %[[ARENA]][0]
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    // CHECK: llvm.getelementptr inbounds %[[ARENA]][128]
    %flags = llvm.mlir.addressof @flags : !llvm.ptr<3>
    // CHECK: llvm.getelementptr inbounds %[[ARENA]][1024]
    %dynamic = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    // CHECK: llvm.add %[[TIDX]], %[[TIDX]]
    %sum = llvm.add %tid, %again : i32
    // CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[TILE]][%{{.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %slot = llvm.getelementptr %tile[%sum] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(16 : i32) : i32
    // CHECK: llvm.call @mmtune_simt_cp_async(%[[CTX]], %[[SLOT]], %[[A]], %[[SIZE]], %[[SIZE]], %{{.*}})
    nvvm.cp.async.shared.global %slot, %a, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    // CHECK: llvm.call @mmtune_simt_cp_async(%[[CTX]], %{{.*}}, %[[A]], %{{.*}}, %[[N]], %{{.*}})
    nvvm.cp.async.shared.global %dynamic, %a, 4, cache = ca, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
    // CHECK: llvm.call @mmtune_simt_cp_async_commit(%[[CTX]])
    nvvm.cp.async.commit.group
    // CHECK: %[[GROUPS:.*]] = llvm.mlir.constant(2 : i32) : i32
    // CHECK: llvm.call @mmtune_simt_cp_async_wait(%[[CTX]], %[[GROUPS]], %{{.*}})
    nvvm.cp.async.wait.group 2
    // Without race detection a site is 0.
    // CHECK: llvm.mlir.constant(0 : i32) : i32
    // CHECK-NEXT: llvm.mlir.constant(0 : i32) : i32
    // CHECK-NEXT: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
    // CHECK-NEXT: llvm.call @mmtune_simt_barrier(%[[CTX]], %{{.*}}, %{{.*}}, %[[ZERO]]) : (!llvm.ptr, i32, i32, i32) -> ()
    nvvm.barrier0
    // CHECK: llvm.call @mmtune_simt_barrier(%[[CTX]], %[[BIDY]], %[[N]], %{{.*}})
    %id = nvvm.read.ptx.sreg.ctaid.y : i32
    nvvm.barrier id = %id number_of_threads = %n
    // CHECK: llvm.call @mmtune_simt_barrier_warp(%[[CTX]], %[[N]], %{{.*}})
    nvvm.bar.warp.sync %n : i32
    // CHECK: llvm.mlir.constant(32 : i32) : i32
    %warp = nvvm.read.ptx.sreg.warpsize : i32
    // CHECK: llvm.fence seq_cst
    nvvm.memory.barrier #nvvm.mem_scope<gpu>
    // CHECK-NOT: addrspacecast
    %generic = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr
    %value = llvm.call @load(%generic) : (!llvm.ptr) -> f32
    // CHECK: %[[VALUE:.*]] = llvm.call @load(%[[CTX]], %[[TILE]]) : (!llvm.ptr, !llvm.ptr) -> f32
    // CHECK: llvm.atomicrmw fadd %[[A]], %[[VALUE]] monotonic : !llvm.ptr, f32
    %old = llvm.atomicrmw fadd %a, %value syncscope("device") monotonic : !llvm.ptr<1>, f32
    llvm.call @use(%warp, %flags) : (i32, !llvm.ptr<3>) -> ()
    llvm.return
  }

  // CHECK: llvm.func @gemm__simt(%[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) attributes {no_unwind} {
  // CHECK: %[[SLOT0:.*]] = llvm.getelementptr inbounds %[[ARGS]][0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  // CHECK: %[[ADDRESS0:.*]] = llvm.load %[[SLOT0]]
  // CHECK: %[[A:.*]] = llvm.load %[[ADDRESS0]] : !llvm.ptr -> !llvm.ptr
  // CHECK: %[[SLOT1:.*]] = llvm.getelementptr inbounds %[[ARGS]][1]
  // CHECK: %[[ADDRESS1:.*]] = llvm.load %[[SLOT1]]
  // CHECK: %[[N:.*]] = llvm.load %[[ADDRESS1]] : !llvm.ptr -> i32
  // CHECK: llvm.call @gemm(%[[CTX]], %[[A]], %[[N]])
  // CHECK: llvm.mlir.global external constant @gemm__simt_static_shared(1024 : i32)

  // CHECK: llvm.func internal @load(%{{.*}}: !llvm.ptr, %[[P:.*]]: !llvm.ptr) -> f32
  llvm.func @load(%p: !llvm.ptr) -> f32 attributes {convergent} {
    %value = llvm.load %p : !llvm.ptr -> f32
    llvm.return %value : f32
  }
  llvm.func @use(%warp: i32, %p: !llvm.ptr<3>) {
    llvm.return
  }
}
