// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' | FileCheck %s

// Intrinsics called by name are the operations that stand for them.

gpu.module @kernels {
  // CHECK-DAG: @[[SHUFFLE:mmtune_simt_warp_op[_0-9]*]](dense<[0, 0, 3, 2, 2,
  // CHECK-DAG: @[[VOTE:mmtune_simt_warp_op[_0-9]*]](dense<[1, 0, 1, 1, 3,
  // CHECK-DAG: @[[SUM:mmtune_simt_warp_op[_0-9]*]](dense<[2, 0, 1, 1, 0,
  // CHECK-DAG: @[[ELECT:mmtune_simt_warp_op[_0-9]*]](dense<[3, 0, 0, 2,
  // CHECK-DAG: @[[MATCH:mmtune_simt_warp_op[_0-9]*]](dense<[4, 0, 1, 2, 1,
  // CHECK-DAG: @[[TILES:mmtune_simt_warp_op[_0-9]*]](dense<[5, 0, 2, 2, 0, 1, 2, 8, 8,
  // CHECK-DAG: @[[HALVES:mmtune_simt_warp_op[_0-9]*]](dense<[7, 0, 10, 4, 0, 0, 0, 16, 8, 16, 1, 1, 4, 4]>
  // CHECK-DAG: @[[BYTES:mmtune_simt_warp_op[_0-9]*]](dense<[7, 0, 10, 4, 0, 2, 0, 16, 8, 32, 7, 6, 8, 8]>
  // CHECK-LABEL: llvm.func internal @intrinsics(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[S:[^:]*]]: !llvm.ptr, %[[G:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32, %[[X:[^:]*]]: f32, %[[P:[^:]*]]: i1)
  llvm.func @intrinsics(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %n: i32, %x: f32, %p: i1) attributes {gpu.kernel, nvvm.kernel} {
    // CHECK: llvm.getelementptr inbounds %[[CTX]][0]
    %tid = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"() : () -> i32
    // CHECK: llvm.call @mmtune_simt_barrier(%[[CTX]], %[[N]],
    llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%n) : (i32) -> ()
    // CHECK: llvm.call @mmtune_simt_barrier(%[[CTX]], %[[N]], %[[N]],
    llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.count"(%n, %n) : (i32, i32) -> ()
    // CHECK: llvm.call @mmtune_simt_barrier_arrive(
    llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"(%n, %n) : (i32, i32) -> ()
    // CHECK: %[[FLAG:.*]] = llvm.zext %[[P]] : i1 to i32
    // CHECK: llvm.call @mmtune_simt_barrier_reduce(%[[CTX]], %[[N]], %[[N]], %{{.*}}, %{{.*}}, %{{.*}})
    // CHECK: llvm.icmp "ne"
    %any = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.or.aligned.count"(%n, %n, %p) : (i32, i32, i1) -> i1
    // CHECK: llvm.call @mmtune_simt_barrier_warp(%[[CTX]], %[[N]],
    llvm.call_intrinsic "llvm.nvvm.bar.warp.sync"(%n) : (i32) -> ()
    // CHECK: llvm.fence seq_cst
    llvm.call_intrinsic "llvm.nvvm.membar.gl"() : () -> ()
    // CHECK: llvm.mlir.addressof @[[SHUFFLE]]
    %0 = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"(%n, %x, %n, %n) : (i32, f32, i32, i32) -> f32
    // CHECK: llvm.mlir.addressof @[[VOTE]]
    %1 = llvm.call_intrinsic "llvm.nvvm.vote.ballot.sync"(%n, %p) : (i32, i1) -> i32
    // CHECK: llvm.mlir.addressof @[[SUM]]
    %2 = llvm.call_intrinsic "llvm.nvvm.redux.sync.add"(%n, %n) : (i32, i32) -> i32
    // CHECK: llvm.mlir.addressof @[[ELECT]]
    // CHECK: llvm.insertvalue %{{.*}}[1] : !llvm.struct<(i32, i1)>
    %3 = llvm.call_intrinsic "llvm.nvvm.elect.sync"(%n) : (i32) -> !llvm.struct<(i32, i1)>
    // CHECK: llvm.mlir.addressof @[[MATCH]]
    %4 = llvm.call_intrinsic "llvm.nvvm.match.all.sync.i32p"(%n, %n) : (i32, i32) -> !llvm.struct<(i32, i1)>
    // CHECK: llvm.mlir.addressof @[[TILES]]
    %5 = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16"(%s) : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    // CHECK: llvm.call @mmtune_simt_mbarrier_init(%[[CTX]], %[[S]], %[[N]],
    llvm.call_intrinsic "llvm.nvvm.mbarrier.init.shared"(%s, %n) : (!llvm.ptr<3>, i32) -> ()
    // CHECK: llvm.call @mmtune_simt_mbarrier_arrive(%[[CTX]], %[[S]],
    %state = llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.shared"(%s) : (!llvm.ptr<3>) -> i64
    // CHECK: llvm.call @mmtune_simt_mbarrier_test(%[[CTX]], %[[S]],
    %6 = llvm.call_intrinsic "llvm.nvvm.mbarrier.test.wait.shared"(%s, %state) : (!llvm.ptr<3>, i64) -> i1
    // CHECK: %[[SIXTEEN:.*]] = llvm.mlir.constant(16 : i32)
    // CHECK: llvm.call @mmtune_simt_cp_async(%[[CTX]], %[[S]], %[[G]], %[[SIXTEEN]], %[[SIXTEEN]],
    llvm.call_intrinsic "llvm.nvvm.cp.async.cg.shared.global.16"(%s, %g) : (!llvm.ptr<3>, !llvm.ptr<1>) -> ()
    // CHECK: llvm.call @mmtune_simt_cp_async(%[[CTX]], %[[S]], %[[G]], %{{.*}}, %[[N]],
    llvm.call_intrinsic "llvm.nvvm.cp.async.ca.shared.global.4.s"(%s, %g, %n) : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    // CHECK: llvm.call @mmtune_simt_cp_async_mbarrier_arrive(%[[CTX]], %[[S]],
    llvm.call_intrinsic "llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared"(%s) : (!llvm.ptr<3>) -> ()
    // CHECK: llvm.call @mmtune_simt_cp_async_commit(
    llvm.call_intrinsic "llvm.nvvm.cp.async.commit.group"() : () -> ()
    %c3 = llvm.mlir.constant(3 : i32) : i32
    // CHECK: %[[THREE:.*]] = llvm.mlir.constant(3 : i32)
    // CHECK: llvm.call @mmtune_simt_cp_async_wait(%[[CTX]], %{{.*}}, %{{.*}})
    llvm.call_intrinsic "llvm.nvvm.cp.async.wait.group"(%c3) : (i32) -> ()
    // CHECK: llvm.call @mmtune_simt_wgmma_fence(
    llvm.call_intrinsic "llvm.nvvm.wgmma.fence.sync.aligned"() : () -> ()
    llvm.return
  }

  // CHECK-LABEL: llvm.func internal @wide(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[S:[^:]*]]: !llvm.ptr, %[[MAP:[^:]*]]: !llvm.ptr, %[[G:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32
  llvm.func @wide(%s: !llvm.ptr<3>, %map: !llvm.ptr, %g: !llvm.ptr<1>, %n: i32, %x: f32, %h: vector<2xf16>) attributes {gpu.kernel, nvvm.kernel} {
    %cluster = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<7>
    %none = llvm.mlir.constant(0 : i32) : i32
    %mask = llvm.mlir.constant(0 : i16) : i16
    %hint = llvm.mlir.constant(0 : i64) : i64
    %no = llvm.mlir.constant(false) : i1
    // CHECK: llvm.call @mmtune_simt_tensor_load(%[[CTX]], %[[S]], %[[MAP]], %{{.*}}, %{{.*}}, %[[S]], %{{.*}})
    llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d"(%cluster, %s, %map, %n, %n, %mask, %hint, %no, %no, %none) : (!llvm.ptr<7>, !llvm.ptr<3>, !llvm.ptr, i32, i32, i16, i64, i1, i1, i32) -> ()
    // CHECK: llvm.call @mmtune_simt_tensor_store(%[[CTX]], %[[MAP]], %[[S]],
    llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.tensor.s2g.tile.1d"(%s, %map, %n, %hint, %no) : (!llvm.ptr<3>, !llvm.ptr, i32, i64, i1) -> ()
    // CHECK: llvm.call @mmtune_simt_bulk_load(%[[CTX]], %[[S]], %[[G]], %[[N]], %[[S]], %{{.*}})
    llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.global.to.shared.cluster"(%cluster, %s, %g, %n, %mask, %hint, %no, %no) : (!llvm.ptr<7>, !llvm.ptr<3>, !llvm.ptr<1>, i32, i16, i64, i1, i1) -> ()
    // CHECK: llvm.call @mmtune_simt_bulk_store(%[[CTX]], %[[G]], %[[S]], %[[N]], %{{.*}})
    llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.shared.cta.to.global"(%g, %s, %n, %hint, %no) : (!llvm.ptr<1>, !llvm.ptr<3>, i32, i64, i1) -> ()
    // CHECK-NOT: fence.proxy
    llvm.call_intrinsic "llvm.nvvm.fence.proxy.async.shared_cta"() : () -> ()
    // CHECK: llvm.mlir.addressof @[[HALVES]]
    %0 = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"(%h, %h, %h, %h, %h, %h, %x, %x, %x, %x) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.call_intrinsic "llvm.nvvm.membar.gl"() : () -> ()
    // CHECK: llvm.mlir.addressof @[[BYTES]]
    %1 = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.satfinite.u8.s8"(%n, %n, %n, %n, %n, %n, %n, %n, %n, %n) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
    llvm.return
  }
}
