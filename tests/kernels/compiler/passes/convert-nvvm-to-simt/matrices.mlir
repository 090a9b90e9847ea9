// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt))' --split-input-file | FileCheck %s

gpu.module @kernels {
  // ldmatrix x4.trans, x1; stmatrix x2; mma of f16, bf16, tf32 and s8. Types: 1 f16, 2 bf16, 3 tf32, 4 f32, 6 s8, 8 s32.
  // CHECK-DAG: @[[LOAD4:mmtune_simt_warp_op[_0-9]*]](dense<[5, 0, 2, 4, 0, 1, 4, 8, 8, 0, 1, 0, 0, 0]> : tensor<14xi32>)
  // CHECK-DAG: @[[STORE2:mmtune_simt_warp_op[_0-9]*]](dense<[6, 0, 4, 0, 0, 0, 2, 8, 8, 0, 1, 0, 0, 0]> : tensor<14xi32>)
  // CHECK-DAG: @[[F16:mmtune_simt_warp_op[_0-9]*]](dense<[7, 0, 8, 2, 0, 0, 0, 16, 8, 16, 1, 1, 1, 1]> : tensor<14xi32>)
  // CHECK-DAG: @[[BF16:mmtune_simt_warp_op[_0-9]*]](dense<[7, 0, 10, 4, 0, 0, 0, 16, 8, 16, 2, 2, 4, 4]> : tensor<14xi32>)
  // CHECK-DAG: @[[TF32:mmtune_simt_warp_op[_0-9]*]](dense<[7, 0, 10, 4, 0, 0, 0, 16, 8, 8, 3, 3, 4, 4]> : tensor<14xi32>)
  // CHECK-DAG: @[[S8:mmtune_simt_warp_op[_0-9]*]](dense<[7, 0, 10, 4, 0, 2, 0, 16, 8, 32, 6, 6, 8, 8]> : tensor<14xi32>)
  // CHECK-DAG: @[[S8SMALL:mmtune_simt_warp_op[_0-9]*]](dense<[7, 0, 4, 2, 0, 0, 0, 8, 8, 16, 6, 6, 8, 8]> : tensor<14xi32>)
  // CHECK-LABEL: llvm.func internal @matrices(
  llvm.func @matrices(%s: !llvm.ptr<3>, %h: vector<2xf16>, %i: i32, %f: f32) attributes {gpu.kernel, nvvm.kernel} {
    // The pointer takes two words.
    // CHECK: llvm.store %arg1, %{{.*}} {alignment = 4 : i64} : !llvm.ptr, !llvm.ptr
    // CHECK: llvm.mlir.addressof @[[LOAD4]]
    %0 = nvvm.ldmatrix %s {num = 4 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    nvvm.barrier0
    // CHECK: llvm.store %arg1
    // CHECK: %[[WORD2:.*]] = llvm.getelementptr inbounds %{{.*}}[2] : (!llvm.ptr) -> !llvm.ptr, i32
    // CHECK: llvm.store %arg3, %[[WORD2]]
    // CHECK: llvm.mlir.addressof @[[STORE2]]
    nvvm.stmatrix %s, %i, %i {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32
    // CHECK: llvm.mlir.addressof @[[F16]]
    %1 = nvvm.mma.sync A[%h, %h, %h, %h] B[%h, %h] C[%h, %h] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    nvvm.barrier0
    // CHECK: llvm.mlir.addressof @[[BF16]]
    %2 = nvvm.mma.sync A[%i, %i, %i, %i] B[%i, %i] C[%f, %f, %f, %f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.barrier0
    // CHECK: llvm.mlir.addressof @[[TF32]]
    %3 = nvvm.mma.sync A[%i, %i, %i, %i] B[%i, %i] C[%f, %f, %f, %f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.barrier0
    // CHECK: llvm.mlir.addressof @[[S8]]
    %4 = nvvm.mma.sync A[%i, %i, %i, %i] B[%i, %i] C[%i, %i, %i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
    nvvm.barrier0
    // CHECK: llvm.mlir.addressof @[[S8SMALL]]
    %5 = nvvm.mma.sync A[%i] B[%i] C[%i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, shape = #nvvm.shape<m = 8, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
    llvm.return
  }
}

// -----

// A wgmma's accumulator does not fit the words that all calls share: it gets wider ones.
gpu.module @kernels {
  // In: 4 words of D, two descriptors, the scale of D. A and B are MN-major, B is negated.
  // CHECK-DAG: @[[OP:mmtune_simt_warp_op[_0-9]*]](dense<[8, 0, 9, 4, 0, 56, 0, 64, 8, 16, 1, 1, 4, 4]> : tensor<14xi32>)
  // CHECK-DAG: @[[OP16:mmtune_simt_warp_op[_0-9]*]](dense<[8, 0, 21, 16, 0, 0, 0, 64, 64, 16, 1, 1, 1, 1]> : tensor<14xi32>)
  // CHECK-DAG: @[[OPS8:mmtune_simt_warp_op[_0-9]*]](dense<[8, 0, 9, 4, 0, 2, 0, 64, 8, 32, 6, 6, 8, 8]> : tensor<14xi32>)
  // CHECK-LABEL: llvm.func internal @wgmma(
  // CHECK-SAME:  %[[CTX:[^:]*]]: !llvm.ptr, %[[A:[^:]*]]: i64, %[[B:[^:]*]]: i64
  llvm.func @wgmma(%a: i64, %b: i64) attributes {gpu.kernel, nvvm.kernel} {
    // CHECK-DAG: %[[NIN:.*]] = llvm.mlir.constant(21 : i32)
    // CHECK-DAG: llvm.alloca %[[NIN]] x i32
    // CHECK-DAG: %[[NOUT:.*]] = llvm.mlir.constant(16 : i32)
    // CHECK-DAG: llvm.alloca %[[NOUT]] x i32
    %d = llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32)>
    %h = llvm.mlir.undef : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)>
    // CHECK: llvm.call @mmtune_simt_wgmma_fence(%[[CTX]], %{{.*}})
    nvvm.wgmma.fence.aligned
    // CHECK: llvm.store %[[A]], %{{.*}} {alignment = 4 : i64} : i64
    // CHECK: llvm.store %[[B]], %{{.*}} {alignment = 4 : i64} : i64
    // CHECK: llvm.mlir.addressof @[[OP]]
    %0 = nvvm.wgmma.mma_async %a, %b, %d, <m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <col>], B [<f16>, #nvvm.wgmma_scale_in<neg>, <row>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    // CHECK: llvm.mlir.addressof @[[OP16]]
    %1 = nvvm.wgmma.mma_async %a, %b, %h, <m = 64, n = 64, k = 16>, D [<f16>, #nvvm.wgmma_scale_out<zero>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)>
    %i = llvm.mlir.undef : !llvm.struct<(i32, i32, i32, i32)>
    // CHECK: llvm.mlir.addressof @[[OPS8]]
    %2 = nvvm.wgmma.mma_async %a, %b, %i, <m = 64, n = 8, k = 32>, D [<s32>, #nvvm.wgmma_scale_out<one>, <satfinite>], A [<s8>, #nvvm.wgmma_scale_in<one>, <row>], B [<s8>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
    // CHECK: llvm.call @mmtune_simt_wgmma_commit(%[[CTX]], %{{.*}})
    nvvm.wgmma.commit.group.sync.aligned
    // CHECK: %[[GROUPS:.*]] = llvm.mlir.constant(1 : i64)
    // CHECK: llvm.call @mmtune_simt_wgmma_wait(%[[CTX]], %[[GROUPS]], %{{.*}})
    nvvm.wgmma.wait.group.sync.aligned 1
    llvm.return
  }
}
