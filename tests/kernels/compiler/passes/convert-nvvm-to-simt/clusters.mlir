// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' | FileCheck %s

// Registers, the barrier and addresses of a cluster are calls of the runtime; a shared::cluster pointer is a host pointer.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func internal @cluster(
  // CHECK-SAME: %[[CONTEXT:[a-z0-9]*]]: !llvm.ptr
  llvm.func @cluster(%s: !llvm.ptr<3>, %map: !llvm.ptr, %g: !llvm.ptr<1>, %n: i32, %mask: i16)
      attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1>} {
    // CHECK: %[[WHICH:.*]] = llvm.mlir.constant(7 : i32)
    // CHECK: llvm.call @mmtune_simt_cluster_register(%[[CONTEXT]], %[[WHICH]])
    %y = nvvm.read.ptx.sreg.cluster.ctaid.y : i32
    // CHECK: llvm.mlir.constant(12 : i32)
    // CHECK: llvm.call @mmtune_simt_cluster_register
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    // CHECK: %[[RELEASE:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: llvm.call @mmtune_simt_cluster_arrive(%[[CONTEXT]], %[[RELEASE]],
    nvvm.cluster.arrive {aligned}
    // CHECK: %[[RELAXED:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: llvm.call @mmtune_simt_cluster_arrive(%[[CONTEXT]], %[[RELAXED]],
    nvvm.cluster.arrive.relaxed
    // CHECK: llvm.call @mmtune_simt_cluster_wait(%[[CONTEXT]],
    nvvm.cluster.wait
    // CHECK: %[[THERE:.*]] = llvm.call @mmtune_simt_mapa(%[[CONTEXT]],
    %there = nvvm.mapa %s, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    // CHECK: llvm.store %{{.*}}, %[[THERE]] : i32, !llvm.ptr
    llvm.store %y, %there : i32, !llvm.ptr<7>
    // CHECK: %[[ADDRESS:.*]] = llvm.call @mmtune_simt_cluster_address(%[[CONTEXT]], %[[THERE]])
    %address = llvm.ptrtoint %there : !llvm.ptr<7> to i32
    // CHECK: %[[WIDE:.*]] = llvm.zext %[[ADDRESS]] : i32 to i64
    // CHECK: %[[BACK:.*]] = llvm.call @mmtune_simt_cluster_pointer(%[[CONTEXT]], %[[WIDE]])
    %back = llvm.inttoptr %address : i32 to !llvm.ptr<7>
    // CHECK: llvm.call @mmtune_simt_mbarrier_arrive(%[[CONTEXT]], %[[BACK]],
    nvvm.mbarrier.arrive %back : !llvm.ptr<7>
    // CHECK: %[[MASK:.*]] = llvm.zext %{{.*}} : i16 to i32
    // CHECK: llvm.call @mmtune_simt_tensor_load({{.*}}, %[[MASK]], %{{.*}})
    nvvm.cp.async.bulk.tensor.shared.cluster.global %back, %map, %s, box[%n, %n] multicast_mask = %mask : !llvm.ptr<7>, !llvm.ptr
    // CHECK: %[[MASK2:.*]] = llvm.zext %{{.*}} : i16 to i32
    // CHECK: llvm.call @mmtune_simt_bulk_load({{.*}}, %[[MASK2]], %{{.*}})
    nvvm.cp.async.bulk.shared.cluster.global %back, %g, %s, %n multicast_mask = %mask : !llvm.ptr<7>, !llvm.ptr<1>
    // CHECK: llvm.call @mmtune_simt_bulk_send(%[[CONTEXT]], %[[BACK]],
    nvvm.cp.async.bulk.shared.cluster.shared.cta %back, %s, %s, %n : !llvm.ptr<7>, !llvm.ptr<3>
    // CHECK-NOT: griddepcontrol
    nvvm.griddepcontrol wait
    // CHECK: llvm.return
    llvm.return
  }
  // CHECK: llvm.mlir.global external constant @cluster__simt_cluster(dense<[2, 1, 1]> : tensor<3xi32>)
}
