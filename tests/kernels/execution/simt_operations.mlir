// Kernels of operations that threads do together, each of one block.
gpu.module @operations {
  llvm.mlir.global internal @tile_a() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<256 x f16>
  llvm.mlir.global internal @tile_b() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<128 x f16>
  llvm.mlir.global internal @landing() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x f32>
  llvm.mlir.global internal @arrived() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // y[t] is the sum of x over the warp of t.
  llvm.func @warp_sum(%x: !llvm.ptr, %y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %width = arith.constant 32 : i32
    %c16 = arith.constant 16 : i32
    %c8 = arith.constant 8 : i32
    %c4 = arith.constant 4 : i32
    %c2 = arith.constant 2 : i32
    %c1 = arith.constant 1 : i32
    %px = llvm.getelementptr %x[%t] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v0 = llvm.load %px : !llvm.ptr -> f32
    %s16, %ok16 = gpu.shuffle xor %v0, %c16, %width : f32
    %v1 = arith.addf %v0, %s16 : f32
    %s8, %ok8 = gpu.shuffle xor %v1, %c8, %width : f32
    %v2 = arith.addf %v1, %s8 : f32
    %s4, %ok4 = gpu.shuffle xor %v2, %c4, %width : f32
    %v3 = arith.addf %v2, %s4 : f32
    %s2, %ok2 = gpu.shuffle xor %v3, %c2, %width : f32
    %v4 = arith.addf %v3, %s2 : f32
    %s1, %ok1 = gpu.shuffle xor %v4, %c1, %width : f32
    %v5 = arith.addf %v4, %s1 : f32
    %py = llvm.getelementptr %y[%t] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %v5, %py : f32, !llvm.ptr
    llvm.return
  }

  // y[t] = how many of the block's threads have x[t] != 0; y[64 + warp] is the warp's sum of lanes, written by one lane.
  llvm.func @votes(%x: !llvm.ptr, %y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %warp = nvvm.read.ptx.sreg.warpid : i32
    %all = arith.constant -1 : i32
    %c64 = arith.constant 64 : i32
    %px = llvm.getelementptr %x[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %v = llvm.load %px : !llvm.ptr -> i32
    %count = nvvm.barrier #nvvm.reduction<popc> %v -> i32
    %py = llvm.getelementptr %y[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %count, %py : i32, !llvm.ptr
    %sum = nvvm.redux.sync add %lane, %all : i32 -> i32
    %leader = nvvm.elect.sync -> i1
    scf.if %leader {
      %slot = arith.addi %warp, %c64 : i32
      %pw = llvm.getelementptr %y[%slot] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %pw : i32, !llvm.ptr
    }
    llvm.return
  }

  // C (16 x 8, f32) = A (16 x 16, f16) * B (16 x 8, f16), by one warp: tiles to shared memory, fragments by ldmatrix. The
  // tile of A goes by way of a 32-bit shared address, as descriptors do.
  llvm.func @product(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %zero = arith.constant 0.0 : f32
    %symbol_a = llvm.mlir.addressof @tile_a : !llvm.ptr<3>
    %address_a = llvm.ptrtoint %symbol_a : !llvm.ptr<3> to i32
    %sa = llvm.inttoptr %address_a : i32 to !llvm.ptr<3>
    %sb = llvm.mlir.addressof @tile_b : !llvm.ptr<3>

    // Eight elements of A and four of B each.
    %first_a = arith.muli %lane, %c8 : i32
    %first_b = arith.muli %lane, %c4 : i32
    %ga = llvm.getelementptr %a[%first_a] : (!llvm.ptr, i32) -> !llvm.ptr, f16
    %gb = llvm.getelementptr %b[%first_b] : (!llvm.ptr, i32) -> !llvm.ptr, f16
    %va = llvm.load %ga : !llvm.ptr -> vector<8xf16>
    %vb = llvm.load %gb : !llvm.ptr -> vector<4xf16>
    %ta = llvm.getelementptr %sa[%first_a] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
    %tb = llvm.getelementptr %sb[%first_b] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
    llvm.store %va, %ta : vector<8xf16>, !llvm.ptr<3>
    llvm.store %vb, %tb : vector<4xf16>, !llvm.ptr<3>
    nvvm.barrier0

    // Lane l has the address of row l % 16 of A, columns from 8 * (l / 16); of row l % 16 of B.
    %row = arith.remui %lane, %c16 : i32
    %half = arith.divui %lane, %c16 : i32
    %column_a = arith.muli %half, %c8 : i32
    %row_a = arith.muli %row, %c16 : i32
    %at_a = arith.addi %row_a, %column_a : i32
    %at_b = arith.muli %row, %c8 : i32
    %pa = llvm.getelementptr %sa[%at_a] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
    %pb = llvm.getelementptr %sb[%at_b] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
    %fa = nvvm.ldmatrix %pa {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %a0 = llvm.extractvalue %fa[0] : !llvm.struct<(i32, i32, i32, i32)>
    %a1 = llvm.extractvalue %fa[1] : !llvm.struct<(i32, i32, i32, i32)>
    %a2 = llvm.extractvalue %fa[2] : !llvm.struct<(i32, i32, i32, i32)>
    %a3 = llvm.extractvalue %fa[3] : !llvm.struct<(i32, i32, i32, i32)>
    %fb = nvvm.ldmatrix %pb {num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    %b0 = llvm.extractvalue %fb[0] : !llvm.struct<(i32, i32)>
    %b1 = llvm.extractvalue %fb[1] : !llvm.struct<(i32, i32)>
    %ha0 = llvm.bitcast %a0 : i32 to vector<2xf16>
    %ha1 = llvm.bitcast %a1 : i32 to vector<2xf16>
    %ha2 = llvm.bitcast %a2 : i32 to vector<2xf16>
    %ha3 = llvm.bitcast %a3 : i32 to vector<2xf16>
    %hb0 = llvm.bitcast %b0 : i32 to vector<2xf16>
    %hb1 = llvm.bitcast %b1 : i32 to vector<2xf16>
    %d = nvvm.mma.sync A[%ha0, %ha1, %ha2, %ha3] B[%hb0, %hb1] C[%zero, %zero, %zero, %zero] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>

    // Elements 0 and 1 are at row lane / 4, columns 2 * (lane % 4) and the next; 2 and 3 are eight rows below.
    %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
    %d1 = llvm.extractvalue %d[1] : !llvm.struct<(f32, f32, f32, f32)>
    %d2 = llvm.extractvalue %d[2] : !llvm.struct<(f32, f32, f32, f32)>
    %d3 = llvm.extractvalue %d[3] : !llvm.struct<(f32, f32, f32, f32)>
    %g = arith.divui %lane, %c4 : i32
    %q = arith.remui %lane, %c4 : i32
    %q2 = arith.muli %q, %c2 : i32
    %row_c = arith.muli %g, %c8 : i32
    %at_c = arith.addi %row_c, %q2 : i32
    %p0 = llvm.getelementptr %c[%at_c] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %p1 = llvm.getelementptr %p0[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %p2 = llvm.getelementptr %p0[64] : (!llvm.ptr) -> !llvm.ptr, f32
    %p3 = llvm.getelementptr %p0[65] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %d0, %p0 : f32, !llvm.ptr
    llvm.store %d1, %p1 : f32, !llvm.ptr
    llvm.store %d2, %p2 : f32, !llvm.ptr
    llvm.store %d3, %p3 : f32, !llvm.ptr
    llvm.return
  }

  // y = x reversed, 64 floats: a bulk copy lands in shared memory, and an mbarrier says when.
  llvm.func @bulk(%x: !llvm.ptr, %y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c63 = arith.constant 63 : i32
    %bytes = arith.constant 256 : i32
    %ticks = arith.constant 1000 : i32
    %landing = llvm.mlir.addressof @landing : !llvm.ptr<3>
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %cluster = llvm.addrspacecast %landing : !llvm.ptr<3> to !llvm.ptr<7>
    %global = llvm.addrspacecast %x : !llvm.ptr to !llvm.ptr<1>
    %first = arith.cmpi eq, %t, %c0 : i32
    nvvm.mbarrier.init %barrier, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.barrier0
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %cluster, %global, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %barrier, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %from = arith.subi %c63, %t : i32
    %ps = llvm.getelementptr %landing[%from] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %v = llvm.load %ps : !llvm.ptr<3> -> f32
    %py = llvm.getelementptr %y[%t] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %v, %py : f32, !llvm.ptr
    llvm.return
  }
}
