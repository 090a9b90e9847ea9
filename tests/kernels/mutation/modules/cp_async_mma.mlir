// C = A B with tensor cores of sm_80: A is m x k, B k x n, both f16 and row-major; C is m x n, f32. Blocks of 64 x 64,
// k in tiles of 32 through two stages of shared memory that cp.async fills; 16 warps compute 16 x 16 each.
// m and n are multiples of 64, k is one of 8: what a tile has beyond k is zero-filled.
// Rows of a tile of A are 80 bytes apart, those of B 144: ldmatrix then meets every bank once.
gpu.module @kernels {
  llvm.mlir.global internal @tiles_a() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<10240 x i8>
  llvm.mlir.global internal @tiles_b() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<9216 x i8>

  // Copies 16 bytes of tile `tile` to its stage: threads below 256 of A, the others of B.
  llvm.func internal @copy_chunk(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %n: i32, %k: i32, %tile: i32) {
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c256 = arith.constant 256 : i32
    %none = arith.constant 0 : i32
    %pitch_a = arith.constant 80 : i32
    %pitch_b = arith.constant 144 : i32
    %stage_a = arith.constant 5120 : i32
    %stage_b = arith.constant 4608 : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %u = arith.remui %t, %c256 : i32
    %stage = arith.remui %tile, %c2 : i32
    %k0 = arith.muli %tile, %c32 : i32
    %is_a = arith.cmpi ult, %t, %c256 : i32
    scf.if %is_a {
      %row = arith.divui %u, %c4 : i32
      %chunk = arith.remui %u, %c4 : i32
      %column = arith.muli %chunk, %c8 : i32
      %m0 = arith.muli %by, %c64 : i32
      %i = arith.addi %m0, %row : i32
      %l = arith.addi %k0, %column : i32
      %row_start = arith.muli %i, %k : i32
      %element = arith.addi %row_start, %l : i32
      %from = llvm.getelementptr %a[%element] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
      %base = llvm.mlir.addressof @tiles_a : !llvm.ptr<3>
      %stage_at = arith.muli %stage, %stage_a : i32
      %row_at = arith.muli %row, %pitch_a : i32
      %column_at = arith.muli %chunk, %c16 : i32
      %0 = arith.addi %stage_at, %row_at : i32
      %at = arith.addi %0, %column_at : i32
      %to = llvm.getelementptr %base[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %inside = arith.cmpi ult, %l, %k : i32
      %bytes = arith.select %inside, %c16, %none : i32
      nvvm.cp.async.shared.global %to, %from, 16, cache = cg, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32
    } else {
      %row = arith.divui %u, %c8 : i32
      %chunk = arith.remui %u, %c8 : i32
      %column = arith.muli %chunk, %c8 : i32
      %n0 = arith.muli %bx, %c64 : i32
      %l = arith.addi %k0, %row : i32
      %j = arith.addi %n0, %column : i32
      %row_start = arith.muli %l, %n : i32
      %element = arith.addi %row_start, %j : i32
      %from = llvm.getelementptr %b[%element] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
      %base = llvm.mlir.addressof @tiles_b : !llvm.ptr<3>
      %stage_at = arith.muli %stage, %stage_b : i32
      %row_at = arith.muli %row, %pitch_b : i32
      %column_at = arith.muli %chunk, %c16 : i32
      %0 = arith.addi %stage_at, %row_at : i32
      %at = arith.addi %0, %column_at : i32
      %to = llvm.getelementptr %base[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %inside = arith.cmpi ult, %l, %k : i32
      %bytes = arith.select %inside, %c16, %none : i32
      nvvm.cp.async.shared.global %to, %from, 16, cache = cg, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32
    }
    llvm.return
  }

  llvm.func @matmul(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %n: i32, %k: i32)
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 512, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %pitch_a = arith.constant 80 : i32
    %pitch_b = arith.constant 144 : i32
    %stage_a = arith.constant 5120 : i32
    %stage_b = arith.constant 4608 : i32
    %slice_b = arith.constant 2304 : i32
    %zero = arith.constant 0.0 : f32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %base_a = llvm.mlir.addressof @tiles_a : !llvm.ptr<3>
    %base_b = llvm.mlir.addressof @tiles_b : !llvm.ptr<3>
    %rounded = arith.addi %k, %c31 : i32
    %tiles = arith.divui %rounded, %c32 : i32
    %lane = arith.remui %t, %c32 : i32
    %warp = arith.divui %t, %c32 : i32
    %warp_row = arith.divui %warp, %c4 : i32
    %warp_column = arith.remui %warp, %c4 : i32
    %wm = arith.muli %warp_row, %c16 : i32
    %wn = arith.muli %warp_column, %c16 : i32

    // Where this lane's rows of the 8x8 tiles begin, in the first stage.
    %lane_row = arith.remui %lane, %c16 : i32
    %lane_half = arith.divui %lane, %c16 : i32
    %half_bytes = arith.muli %lane_half, %c16 : i32
    %row_a = arith.addi %wm, %lane_row : i32
    %row_a_at = arith.muli %row_a, %pitch_a : i32
    %lane_a = arith.addi %row_a_at, %half_bytes : i32
    %row_b_at = arith.muli %lane_row, %pitch_b : i32
    %wn_bytes = arith.muli %wn, %c2 : i32
    %1 = arith.addi %row_b_at, %wn_bytes : i32
    %lane_b = arith.addi %1, %half_bytes : i32

    llvm.call @copy_chunk(%a, %b, %n, %k, %c0) : (!llvm.ptr<1>, !llvm.ptr<1>, i32, i32, i32) -> ()
    nvvm.cp.async.commit.group
    %sums:8 = scf.for %tile = %c0 to %tiles step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero,
        %s4 = %zero, %s5 = %zero, %s6 = %zero, %s7 = %zero) -> (f32, f32, f32, f32, f32, f32, f32, f32) : i32 {
      %next = arith.addi %tile, %c1 : i32
      %more = arith.cmpi ult, %next, %tiles : i32
      scf.if %more {
        llvm.call @copy_chunk(%a, %b, %n, %k, %next) : (!llvm.ptr<1>, !llvm.ptr<1>, i32, i32, i32) -> ()
      }
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 1
      nvvm.barrier0
      %stage = arith.remui %tile, %c2 : i32
      %stage_a_at = arith.muli %stage, %stage_a : i32
      %stage_b_at = arith.muli %stage, %stage_b : i32
      %first_a = arith.addi %stage_a_at, %lane_a : i32
      %first_b = arith.addi %stage_b_at, %lane_b : i32
      %tile_sums:8 = scf.for %slice = %c0 to %c2 step %c1 iter_args(%d0 = %s0, %d1 = %s1, %d2 = %s2, %d3 = %s3,
          %d4 = %s4, %d5 = %s5, %d6 = %s6, %d7 = %s7) -> (f32, f32, f32, f32, f32, f32, f32, f32) : i32 {
        %slice_a_at = arith.muli %slice, %c32 : i32
        %slice_b_at = arith.muli %slice, %slice_b : i32
        %at_a = arith.addi %first_a, %slice_a_at : i32
        %at_b = arith.addi %first_b, %slice_b_at : i32
        %from_a = llvm.getelementptr %base_a[%at_a] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
        %from_b = llvm.getelementptr %base_b[%at_b] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
        %fa = nvvm.ldmatrix %from_a {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
        %fb = nvvm.ldmatrix %from_b {num = 4 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
        %a0 = llvm.extractvalue %fa[0] : !llvm.struct<(i32, i32, i32, i32)>
        %a1 = llvm.extractvalue %fa[1] : !llvm.struct<(i32, i32, i32, i32)>
        %a2 = llvm.extractvalue %fa[2] : !llvm.struct<(i32, i32, i32, i32)>
        %a3 = llvm.extractvalue %fa[3] : !llvm.struct<(i32, i32, i32, i32)>
        %b0 = llvm.extractvalue %fb[0] : !llvm.struct<(i32, i32, i32, i32)>
        %b1 = llvm.extractvalue %fb[1] : !llvm.struct<(i32, i32, i32, i32)>
        %b2 = llvm.extractvalue %fb[2] : !llvm.struct<(i32, i32, i32, i32)>
        %b3 = llvm.extractvalue %fb[3] : !llvm.struct<(i32, i32, i32, i32)>
        %ha0 = llvm.bitcast %a0 : i32 to vector<2xf16>
        %ha1 = llvm.bitcast %a1 : i32 to vector<2xf16>
        %ha2 = llvm.bitcast %a2 : i32 to vector<2xf16>
        %ha3 = llvm.bitcast %a3 : i32 to vector<2xf16>
        %hb0 = llvm.bitcast %b0 : i32 to vector<2xf16>
        %hb1 = llvm.bitcast %b1 : i32 to vector<2xf16>
        %hb2 = llvm.bitcast %b2 : i32 to vector<2xf16>
        %hb3 = llvm.bitcast %b3 : i32 to vector<2xf16>
        %left = nvvm.mma.sync A[%ha0, %ha1, %ha2, %ha3] B[%hb0, %hb1] C[%d0, %d1, %d2, %d3] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
        %right = nvvm.mma.sync A[%ha0, %ha1, %ha2, %ha3] B[%hb2, %hb3] C[%d4, %d5, %d6, %d7] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
        %e0 = llvm.extractvalue %left[0] : !llvm.struct<(f32, f32, f32, f32)>
        %e1 = llvm.extractvalue %left[1] : !llvm.struct<(f32, f32, f32, f32)>
        %e2 = llvm.extractvalue %left[2] : !llvm.struct<(f32, f32, f32, f32)>
        %e3 = llvm.extractvalue %left[3] : !llvm.struct<(f32, f32, f32, f32)>
        %e4 = llvm.extractvalue %right[0] : !llvm.struct<(f32, f32, f32, f32)>
        %e5 = llvm.extractvalue %right[1] : !llvm.struct<(f32, f32, f32, f32)>
        %e6 = llvm.extractvalue %right[2] : !llvm.struct<(f32, f32, f32, f32)>
        %e7 = llvm.extractvalue %right[3] : !llvm.struct<(f32, f32, f32, f32)>
        scf.yield %e0, %e1, %e2, %e3, %e4, %e5, %e6, %e7 : f32, f32, f32, f32, f32, f32, f32, f32
      }
      // The next turn's copies overwrite this stage.
      nvvm.barrier0
      scf.yield %tile_sums#0, %tile_sums#1, %tile_sums#2, %tile_sums#3, %tile_sums#4, %tile_sums#5, %tile_sums#6, %tile_sums#7 : f32, f32, f32, f32, f32, f32, f32, f32
    }

    %g = arith.divui %lane, %c4 : i32
    %q = arith.remui %lane, %c4 : i32
    %q2 = arith.muli %q, %c2 : i32
    %m0 = arith.muli %by, %c64 : i32
    %n0 = arith.muli %bx, %c64 : i32
    %2 = arith.addi %m0, %wm : i32
    %i0 = arith.addi %2, %g : i32
    %i1 = arith.addi %i0, %c8 : i32
    %3 = arith.addi %n0, %wn : i32
    %j = arith.addi %3, %q2 : i32
    %top = arith.muli %i0, %n : i32
    %bottom = arith.muli %i1, %n : i32
    %at0 = arith.addi %top, %j : i32
    %at1 = arith.addi %bottom, %j : i32
    %to0 = llvm.getelementptr %c[%at0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %to1 = llvm.getelementptr %to0[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %to2 = llvm.getelementptr %c[%at1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %to3 = llvm.getelementptr %to2[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %to4 = llvm.getelementptr %to0[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %to5 = llvm.getelementptr %to0[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %to6 = llvm.getelementptr %to2[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %to7 = llvm.getelementptr %to2[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %sums#0, %to0 : f32, !llvm.ptr<1>
    llvm.store %sums#1, %to1 : f32, !llvm.ptr<1>
    llvm.store %sums#2, %to2 : f32, !llvm.ptr<1>
    llvm.store %sums#3, %to3 : f32, !llvm.ptr<1>
    llvm.store %sums#4, %to4 : f32, !llvm.ptr<1>
    llvm.store %sums#5, %to5 : f32, !llvm.ptr<1>
    llvm.store %sums#6, %to6 : f32, !llvm.ptr<1>
    llvm.store %sums#7, %to7 : f32, !llvm.ptr<1>
    llvm.return
  }
}
