// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' | FileCheck %s

gpu.module @kernels {
  llvm.mlir.global internal @barrier() {addr_space = 3 : i32} : i64
  // CHECK-LABEL: llvm.func internal @mbarriers(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32, %[[P:[^:]*]]: i1)
  llvm.func @mbarriers(%n: i32, %p: i1) attributes {gpu.kernel, nvvm.kernel} {
    // CHECK: %[[B:.*]] = llvm.getelementptr inbounds %{{.*}}[0]
    %b = llvm.mlir.addressof @barrier : !llvm.ptr<3>
    // CHECK: llvm.cond_br %[[P]], ^[[DO:.*]], ^[[GOON:bb[0-9]+]]
    // CHECK: ^[[DO]]:
    // CHECK: llvm.call @mmtune_simt_mbarrier_init(%[[CTX]], %[[B]], %[[N]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, i32, i32) -> ()
    // CHECK-NEXT: llvm.br ^[[GOON]]
    // CHECK: ^[[GOON]]:
    nvvm.mbarrier.init %b, %n, predicate = %p : !llvm.ptr<3>, i32, i1
    // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: %[[NONE:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: %[[KEEP:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: %[[STATE:.*]] = llvm.call @mmtune_simt_mbarrier_arrive(%[[CTX]], %[[B]], %[[ONE]], %[[NONE]], %[[KEEP]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, i32, i32, i32, i32) -> i64
    %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
    // CHECK: llvm.call @mmtune_simt_mbarrier_arrive(%[[CTX]], %[[B]], %[[N]],
    %2 = nvvm.mbarrier.arrive.nocomplete %b, %n : !llvm.ptr<3>, i32 -> i64
    // CHECK: %[[DROP:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: llvm.call @mmtune_simt_mbarrier_arrive(%[[CTX]], %[[B]], %[[N]], %{{.*}}, %[[DROP]],
    %3 = nvvm.mbarrier.arrive_drop %b, %n : !llvm.ptr<3> -> i64
    // CHECK: llvm.cond_br %[[P]]
    // CHECK: llvm.call @mmtune_simt_mbarrier_arrive(%[[CTX]], %[[B]], %{{.*}}, %[[N]],
    nvvm.mbarrier.arrive.expect_tx %b, %n, predicate = %p : !llvm.ptr<3>, i32, i1
    // CHECK: llvm.call @mmtune_simt_mbarrier_expect_tx(%[[CTX]], %[[B]], %[[N]], %{{.*}})
    nvvm.mbarrier.expect_tx %b, %n : !llvm.ptr<3>, i32
    // CHECK: llvm.call @mmtune_simt_mbarrier_complete_tx(%[[CTX]], %[[B]], %[[N]], %{{.*}})
    nvvm.mbarrier.complete_tx %b, %n : !llvm.ptr<3>, i32
    // CHECK: %[[TOKEN:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: %[[ONCE:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: %[[DONE:.*]] = llvm.call @mmtune_simt_mbarrier_test(%[[CTX]], %[[B]], %[[STATE]], %[[TOKEN]], %[[ONCE]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64, i32, i32, i32) -> i32
    // CHECK: llvm.icmp "ne" %[[DONE]]
    %4 = nvvm.mbarrier.test.wait %b, %state : !llvm.ptr<3>, i64 -> i1
    // CHECK: %[[PARITY:.*]] = llvm.zext %[[N]] : i32 to i64
    // CHECK: %[[ISPARITY:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: llvm.call @mmtune_simt_mbarrier_test(%[[CTX]], %[[B]], %[[PARITY]], %[[ISPARITY]],
    %5 = nvvm.mbarrier.try_wait %b, %n : !llvm.ptr<3>, i32 -> i1
    // CHECK: llvm.zext
    // CHECK-NEXT: %[[AGAINPARITY:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK-NEXT: %[[BLOCKING:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: llvm.call @mmtune_simt_mbarrier_test(%[[CTX]], %[[B]], %{{.*}}, %[[AGAINPARITY]], %[[BLOCKING]], %{{.*}})
    nvvm.mbarrier.try_wait.parity %b, %n, %n : !llvm.ptr<3>, i32, i32
    // CHECK: llvm.call @mmtune_simt_cp_async_mbarrier_arrive(%[[CTX]], %[[B]], %{{.*}}, %{{.*}})
    nvvm.cp.async.mbarrier.arrive %b {noinc = true} : !llvm.ptr<3>
    // CHECK: llvm.call @mmtune_simt_mbarrier_inval(%[[CTX]], %[[B]], %{{.*}})
    nvvm.mbarrier.inval %b : !llvm.ptr<3>
    llvm.return
  }
}
