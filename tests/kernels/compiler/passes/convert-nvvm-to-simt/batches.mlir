// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt{race-detection=1}))' | FileCheck %s --check-prefix=CHECKS

!tile = !llvm.struct<(i32, i32)>
!sum = !llvm.struct<(f32, f32, f32, f32)>

// Two loads meet once, then the two products that need them. What needs a load's result moves behind the call; a store
// and a barrier end a run.
// CHECK:       @[[PRODUCTS:mmtune_simt_warp_op[_0-9]*]](dense<[7, {{.*}}, 7, {{.*}}]> : tensor<28xi32>)
// CHECK:       @[[LOADS:mmtune_simt_warp_op[_0-9]*]](dense<[5, {{.*}}, 5, {{.*}}]> : tensor<28xi32>)
// CHECK-LABEL: llvm.func internal @products(
// CHECK:       %[[LOADSP:.*]] = llvm.mlir.addressof @[[LOADS]]
// CHECK:       %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK:       llvm.call @mmtune_simt_warp_batch(%{{.*}}, %[[LOADSP]], %[[TWO]], %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr) -> ()
// CHECK:       llvm.extractvalue
// CHECK:       llvm.extractvalue
// CHECK:       llvm.mlir.addressof @[[PRODUCTS]]
// CHECK:       llvm.call @mmtune_simt_warp_batch(
// CHECK:       llvm.store
// CHECK:       llvm.call @mmtune_simt_barrier(
// CHECK:       llvm.call @mmtune_simt_warp(
// CHECK-NOT:   mmtune_simt_warp

// Where each operation has a site of its own, each meets alone.
// CHECKS-NOT:  mmtune_simt_warp_batch
gpu.module @kernels {
  llvm.func @products(%s: !llvm.ptr<3>, %t: !llvm.ptr<3>, %g: !llvm.ptr<1>, %b: i32, %c: f32)
      attributes {gpu.kernel, nvvm.kernel} {
    %0 = nvvm.ldmatrix %s {num = 2 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !tile
    %a0 = llvm.extractvalue %0[0] : !tile
    %x = llvm.load %g : !llvm.ptr<1> -> f32
    %1 = nvvm.ldmatrix %t {num = 2 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !tile
    %a1 = llvm.extractvalue %1[0] : !tile
    %d0 = nvvm.mma.sync A[%a0, %a0] B[%b] C[%c, %c, %c, %c] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !sum
    %d1 = nvvm.mma.sync A[%a1, %a1] B[%b] C[%x, %c, %c, %c] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !sum
    %r = llvm.extractvalue %d0[0] : !sum
    llvm.store %r, %g : f32, !llvm.ptr<1>
    nvvm.barrier0
    %2 = nvvm.ldmatrix %s {num = 2 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !tile
    llvm.return
  }
}
