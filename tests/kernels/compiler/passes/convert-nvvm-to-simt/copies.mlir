// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' | FileCheck %s

gpu.module @kernels {
  llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @barrier() {addr_space = 3 : i32} : i64
  // CHECK-LABEL: llvm.func internal @copies(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[MAP:[^:]*]]: !llvm.ptr, %[[G:[^:]*]]: !llvm.ptr, %[[X:[^:]*]]: i32, %[[Y:[^:]*]]: i32, %[[P:[^:]*]]: i1)
  llvm.func @copies(%map: !llvm.ptr, %g: !llvm.ptr<1>, %x: i32, %y: i32, %p: i1) attributes {gpu.kernel, nvvm.kernel} {
    // Coordinates go through words on the thread's stack, which all calls share.
    // CHECK-DAG: %[[SIZE:.*]] = llvm.mlir.constant(32 : i32)
    // CHECK-DAG: %[[WORDS:.*]] = llvm.alloca %[[SIZE]] x i32 {alignment = 64 : i64}
    // CHECK-DAG: %[[S:.*]] = llvm.getelementptr inbounds %{{.*}}[1024]
    %s = llvm.mlir.addressof @shared : !llvm.ptr<3>
    // CHECK-DAG: %[[B:.*]] = llvm.getelementptr inbounds %{{.*}}[0]
    %b = llvm.mlir.addressof @barrier : !llvm.ptr<3>
    %cluster = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<7>
    // CHECK: llvm.cond_br %[[P]]
    // CHECK: %[[SLOT0:.*]] = llvm.getelementptr %[[WORDS]][0]
    // CHECK: llvm.store %[[X]], %[[SLOT0]]
    // CHECK: %[[SLOT1:.*]] = llvm.getelementptr %[[WORDS]][1]
    // CHECK: llvm.store %[[Y]], %[[SLOT1]]
    // CHECK: %[[RANK:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: llvm.call @mmtune_simt_tensor_load(%[[CTX]], %[[S]], %[[MAP]], %[[RANK]], %[[WORDS]], %[[B]], %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr, i32, i32) -> ()
    nvvm.cp.async.bulk.tensor.shared.cluster.global %cluster, %map, %b, box[%x, %y] predicate = %p : !llvm.ptr<7>, !llvm.ptr
    // CHECK: %[[RANK3:.*]] = llvm.mlir.constant(3 : i32)
    // CHECK: %[[COPY:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: llvm.call @mmtune_simt_tensor_store(%[[CTX]], %[[MAP]], %[[S]], %[[RANK3]], %[[WORDS]], %[[COPY]], %{{.*}})
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %s, box[%x, %y, %x] : !llvm.ptr, !llvm.ptr<3>
    // CHECK: %[[MAX:.*]] = llvm.mlir.constant(3 : i32)
    // CHECK: llvm.call @mmtune_simt_tensor_store(%[[CTX]], %[[MAP]], %[[S]], %{{.*}}, %[[WORDS]], %[[MAX]], %{{.*}})
    nvvm.cp.async.bulk.tensor.reduce %map, %s, box[%x] {redKind = #nvvm.tma_redux_kind<max>} : !llvm.ptr, !llvm.ptr<3>
    // CHECK: llvm.call @mmtune_simt_bulk_load(%[[CTX]], %[[S]], %[[G]], %[[X]], %[[B]], %{{.*}})
    nvvm.cp.async.bulk.shared.cluster.global %cluster, %g, %b, %x : !llvm.ptr<7>, !llvm.ptr<1>
    // CHECK: llvm.call @mmtune_simt_bulk_store(%[[CTX]], %[[G]], %[[S]], %[[X]], %{{.*}})
    nvvm.cp.async.bulk.global.shared.cta %g, %s, %x : !llvm.ptr<1>, !llvm.ptr<3>
    // CHECK: llvm.call @mmtune_simt_bulk_commit(%[[CTX]])
    nvvm.cp.async.bulk.commit.group
    // CHECK: %[[GROUPS:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: %[[READ:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: llvm.call @mmtune_simt_bulk_wait(%[[CTX]], %[[GROUPS]], %[[READ]], %{{.*}})
    nvvm.cp.async.bulk.wait_group 1 {read}
    // CHECK: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32)
    // CHECK: llvm.call @mmtune_simt_cp_async_wait(%[[CTX]], %[[ALL]], %{{.*}})
    llvm.call_intrinsic "llvm.nvvm.cp.async.wait.all"() : () -> ()
    // CHECK-NOT: prefetch
    nvvm.prefetch level = L2, %g : !llvm.ptr<1>
    nvvm.cp.async.bulk.tensor.prefetch %map, box[%x] : !llvm.ptr
    // CHECK: llvm.return
    llvm.return
  }
}
