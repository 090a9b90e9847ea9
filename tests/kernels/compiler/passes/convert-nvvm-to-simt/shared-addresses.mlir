// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' | FileCheck %s

// A shared pointer as an integer is its address in the shared window, as matrix descriptors want it: the offset in the
// arena, which is aligned to 256 KiB. A generic one is the host's.

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<5 x f32>
  // CHECK-LABEL: llvm.func internal @addresses(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[S:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32)
  llvm.func @addresses(%s: !llvm.ptr<3>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    // CHECK: %[[ARENA:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> !llvm.ptr
    // CHECK: %[[HOST:.*]] = llvm.ptrtoint %[[S]] : !llvm.ptr to i64
    // CHECK: %[[MASK:.*]] = llvm.mlir.constant(262143 : i64)
    // CHECK: %[[OFFSET:.*]] = llvm.and %[[HOST]], %[[MASK]]
    // CHECK: %[[WORD:.*]] = llvm.trunc %[[OFFSET]] : i64 to i32
    %0 = llvm.ptrtoint %s : !llvm.ptr<3> to i32
    // CHECK: %[[WIDE:.*]] = llvm.and
    %1 = llvm.ptrtoint %s : !llvm.ptr<3> to i64
    // CHECK: %[[INDEX:.*]] = llvm.zext %[[WORD]] : i32 to i64
    // CHECK: llvm.getelementptr inbounds %[[ARENA]][%[[INDEX]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %2 = llvm.inttoptr %0 : i32 to !llvm.ptr<3>
    // CHECK: llvm.getelementptr inbounds %[[ARENA]][%[[WIDE]]]
    %3 = llvm.inttoptr %1 : i64 to !llvm.ptr<3>
    // CHECK: %[[FULL:.*]] = llvm.ptrtoint %[[S]] : !llvm.ptr to i64
    %4 = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
    %5 = llvm.ptrtoint %4 : !llvm.ptr to i64
    // CHECK: llvm.inttoptr %[[FULL]] : i64 to !llvm.ptr
    %6 = llvm.inttoptr %5 : i64 to !llvm.ptr
    // CHECK: %[[TILE:.*]] = llvm.getelementptr inbounds %[[ARENA]][0]
    // CHECK: %[[TILEHOST:.*]] = llvm.ptrtoint %[[TILE]] : !llvm.ptr to i64
    // CHECK: llvm.trunc
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %7 = llvm.ptrtoint %tile : !llvm.ptr<3> to i32
    llvm.return
  }
}
