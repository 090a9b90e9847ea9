// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' | FileCheck %s

// A warp operation is a constant (kind, site, words in, words out, mode, flags, tiles, m, n, k, types), and operands
// and results are words in a buffer on the thread's stack.

gpu.module @kernels {
  // CHECK-DAG: @[[DOWN:mmtune_simt_warp_op[_0-9]*]](dense<[0, 0, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>) {{.*}} : !llvm.array<14 x i32>
  // CHECK-DAG: @[[BFLY:mmtune_simt_warp_op[_0-9]*]](dense<[0, 0, 3, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>)
  // CHECK-DAG: @[[UP:mmtune_simt_warp_op[_0-9]*]](dense<[0, 0, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>)
  // CHECK-DAG: @[[INDEX:mmtune_simt_warp_op[_0-9]*]](dense<[0, 0, 3, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>)
  // CHECK-DAG: @[[ANY:mmtune_simt_warp_op[_0-9]*]](dense<[1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>)
  // CHECK-DAG: @[[BALLOT:mmtune_simt_warp_op[_0-9]*]](dense<[1, 0, 1, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>)
  // CHECK-DAG: @[[MAXU:mmtune_simt_warp_op[_0-9]*]](dense<[2, 0, 1, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>)
  // CHECK-DAG: @[[MINF:mmtune_simt_warp_op[_0-9]*]](dense<[2, 0, 1, 1, 8, 768, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>)
  // CHECK-DAG: @[[ELECT:mmtune_simt_warp_op[_0-9]*]](dense<[3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>)
  // CHECK-DAG: @[[MATCHANY:mmtune_simt_warp_op[_0-9]*]](dense<[4, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>)
  // CHECK-DAG: @[[MATCHALL:mmtune_simt_warp_op[_0-9]*]](dense<[4, 0, 2, 2, 1, 128, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>)

  // CHECK-LABEL: llvm.func internal @exchanges(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[MASK:[^:]*]]: i32, %[[X:[^:]*]]: f32, %[[P:[^:]*]]: i1, %[[WIDE:[^:]*]]: i64)
  llvm.func @exchanges(%mask: i32, %x: f32, %p: i1, %wide: i64) attributes {gpu.kernel, nvvm.kernel} {
    // CHECK: %[[IN:.*]] = llvm.alloca
    // CHECK: %[[OUT:.*]] = llvm.getelementptr inbounds %[[IN]][64]
    // CHECK: %[[VALUE:.*]] = llvm.getelementptr inbounds %[[IN]][0] : (!llvm.ptr) -> !llvm.ptr, i32
    // CHECK: llvm.store %[[X]], %[[VALUE]] {alignment = 4 : i64}
    // CHECK: %[[LANE:.*]] = llvm.getelementptr inbounds %[[IN]][1]
    // CHECK: llvm.store %[[MASK]], %[[LANE]]
    // CHECK: %[[OP:.*]] = llvm.mlir.addressof @[[DOWN]]
    // CHECK: llvm.call @mmtune_simt_warp(%[[CTX]], %[[OP]], %[[MASK]], %[[IN]], %[[OUT]]) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr) -> ()
    // CHECK: %[[RESULT:.*]] = llvm.getelementptr inbounds %[[OUT]][0]
    // CHECK: llvm.load %[[RESULT]] {alignment = 4 : i64} : !llvm.ptr -> f32
    %0 = nvvm.shfl.sync down %mask, %x, %mask, %mask : f32 -> f32
    // CHECK: llvm.mlir.addressof @[[BFLY]]
    // CHECK: %[[VALID:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> i32
    // CHECK: llvm.trunc %[[VALID]] : i32 to i1
    // CHECK: llvm.insertvalue
    %1 = nvvm.shfl.sync bfly %mask, %x, %mask, %mask {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
    // CHECK: llvm.mlir.addressof @[[UP]]
    %2 = nvvm.shfl.sync up %mask, %mask, %mask, %mask : i32 -> i32
    // CHECK: llvm.mlir.addressof @[[INDEX]]
    %3 = nvvm.shfl.sync idx %mask, %mask, %mask, %mask : i32 -> i32
    // The same operation again is the same constant.
    // CHECK: llvm.mlir.addressof @[[INDEX]]
    %again = nvvm.shfl.sync idx %mask, %3, %mask, %mask : i32 -> i32
    // CHECK: %[[PREDICATE:.*]] = llvm.zext %[[P]] : i1 to i32
    // CHECK: llvm.store %[[PREDICATE]]
    // CHECK: llvm.mlir.addressof @[[ANY]]
    %4 = nvvm.vote.sync any %mask, %p -> i1
    // CHECK: llvm.mlir.addressof @[[BALLOT]]
    %5 = nvvm.vote.sync ballot %mask, %p -> i32
    // CHECK: llvm.mlir.addressof @[[MAXU]]
    %6 = nvvm.redux.sync umax %mask, %mask : i32 -> i32
    // CHECK: llvm.mlir.addressof @[[MINF]]
    %7 = nvvm.redux.sync fmin %x, %mask {abs = true, nan = true} : f32 -> f32
    // CHECK: %[[ELECTOP:.*]] = llvm.mlir.addressof @[[ELECT]]
    // CHECK: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32)
    // CHECK: llvm.call @mmtune_simt_warp(%[[CTX]], %[[ELECTOP]], %[[ALL]],
    %8 = nvvm.elect.sync -> i1
    // CHECK: llvm.mlir.addressof @[[MATCHANY]]
    %9 = nvvm.match.sync any %mask, %mask : i32 -> i32
    // CHECK: llvm.store %[[WIDE]], %{{.*}} {alignment = 4 : i64} : i64, !llvm.ptr
    // CHECK: llvm.mlir.addressof @[[MATCHALL]]
    %10 = nvvm.match.sync all %mask, %wide : i64 -> !llvm.struct<(i32, i1)>
    llvm.return
  }
}
