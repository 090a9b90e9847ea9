// C = A B' with tensor cores of sm_90: A is m x k, B n x k, both f16 and row-major; C is m x n, f32. Blocks of 64 x 16,
// k in tiles of 64 through two stages of shared memory. One thread of the fifth warp loads them by tensor copies with a
// swizzle of 128 bytes, the first warpgroup multiplies. The loader waits until a stage is empty, the warpgroup until it
// is full. n is a multiple of 16; what lies beyond m and k is filled with zeros, and not stored.
gpu.module @kernels {
  // A stage: 64 rows of A, then 16 of B, each of 128 bytes.
  llvm.mlir.global internal @stages() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<20480 x i8>
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>

  llvm.func @matmul(%map_a: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant},
                    %map_b: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant},
                    %c: !llvm.ptr<1>, %m: i32, %n: i32, %k: i32)
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c63 = arith.constant 63 : i32
    %c64 = arith.constant 64 : i32
    %threads = arith.constant 128 : i32
    %stage_bytes = arith.constant 10240 : i32
    %ticks = arith.constant 10000000 : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %stages = llvm.mlir.addressof @stages : !llvm.ptr<3>
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %m0 = arith.muli %by, %c64 : i32
    %n0 = arith.muli %bx, %c16 : i32
    %rounded = arith.addi %k, %c63 : i32
    %tiles = arith.divui %rounded, %c64 : i32

    %is_first = arith.cmpi eq, %t, %c0 : i32
    scf.if %is_first {
      %full1 = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      %empty1 = llvm.getelementptr %empty[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      nvvm.mbarrier.init %full, %c1 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %full1, %c1 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %c4 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty1, %c4 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.barrier0

    %multiplies = arith.cmpi ult, %t, %threads : i32
    scf.if %multiplies {
      %warp = arith.divui %t, %c32 : i32
      %lane = arith.remui %t, %c32 : i32
      // One lane of each warp tells that the warp has read a stage.
      %speaks = arith.cmpi eq, %lane, %c0 : i32
      %none = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
      // Swizzle of 128 bytes; the next 8 rows are 1024 bytes on.
      %layout = arith.constant 4611686293305360384 : i64
      %address_bits = arith.constant 262143 : i64
      %four = arith.constant 4 : i64
      %slice_step = arith.constant 2 : i64
      %d = scf.for %tile = %c0 to %tiles step %c1 iter_args(%s = %none) -> (!llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>) : i32 {
        %stage = arith.remui %tile, %c2 : i32
        %round = arith.divui %tile, %c2 : i32
        %parity = arith.remui %round, %c2 : i32
        %its_full = llvm.getelementptr %full[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %its_empty = llvm.getelementptr %empty[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        nvvm.mbarrier.try_wait.parity %its_full, %parity, %ticks : !llvm.ptr<3>, i32, i32
        %at = arith.muli %stage, %stage_bytes : i32
        %tile_a = llvm.getelementptr %stages[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
        %tile_b = llvm.getelementptr %tile_a[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
        %address_a = llvm.ptrtoint %tile_a : !llvm.ptr<3> to i64
        %address_b = llvm.ptrtoint %tile_b : !llvm.ptr<3> to i64
        %masked_a = arith.andi %address_a, %address_bits : i64
        %masked_b = arith.andi %address_b, %address_bits : i64
        %start_a = arith.shrui %masked_a, %four : i64
        %start_b = arith.shrui %masked_b, %four : i64
        %desc_a = arith.ori %start_a, %layout : i64
        %desc_b = arith.ori %start_b, %layout : i64
        nvvm.wgmma.fence.aligned
        %sum = scf.for %slice = %c0 to %c4 step %c1 iter_args(%r = %s) -> (!llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>) : i32 {
          %wide = arith.extui %slice : i32 to i64
          %along_k = arith.muli %wide, %slice_step : i64
          %slice_a = arith.addi %desc_a, %along_k : i64
          %slice_b = arith.addi %desc_b, %along_k : i64
          %product = nvvm.wgmma.mma_async %slice_a, %slice_b, %r, <m = 64, n = 16, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
          scf.yield %product : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
        }
        nvvm.wgmma.commit.group.sync.aligned
        nvvm.wgmma.wait.group.sync.aligned 0
        scf.if %speaks {
          %token = nvvm.mbarrier.arrive %its_empty : !llvm.ptr<3> -> i64
        }
        scf.yield %sum : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
      }

      %g = arith.divui %lane, %c4 : i32
      %q = arith.remui %lane, %c4 : i32
      %q2 = arith.muli %q, %c2 : i32
      %warp_row = arith.muli %warp, %c16 : i32
      %0 = arith.addi %m0, %warp_row : i32
      %i0 = arith.addi %0, %g : i32
      %i1 = arith.addi %i0, %c8 : i32
      %j = arith.addi %n0, %q2 : i32
      %top_inside = arith.cmpi ult, %i0, %m : i32
      scf.if %top_inside {
        %row = arith.muli %i0, %n : i32
        %at = arith.addi %row, %j : i32
        %to = llvm.getelementptr %c[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
        %to1 = llvm.getelementptr %to[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
        %to8 = llvm.getelementptr %to[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
        %to9 = llvm.getelementptr %to[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
        %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
        %d1 = llvm.extractvalue %d[1] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
        %d4 = llvm.extractvalue %d[4] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
        %d5 = llvm.extractvalue %d[5] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
        llvm.store %d0, %to : f32, !llvm.ptr<1>
        llvm.store %d1, %to1 : f32, !llvm.ptr<1>
        llvm.store %d4, %to8 : f32, !llvm.ptr<1>
        llvm.store %d5, %to9 : f32, !llvm.ptr<1>
      }
      %bottom_inside = arith.cmpi ult, %i1, %m : i32
      scf.if %bottom_inside {
        %row = arith.muli %i1, %n : i32
        %at = arith.addi %row, %j : i32
        %to = llvm.getelementptr %c[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
        %to1 = llvm.getelementptr %to[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
        %to8 = llvm.getelementptr %to[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
        %to9 = llvm.getelementptr %to[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
        %d2 = llvm.extractvalue %d[2] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
        %d3 = llvm.extractvalue %d[3] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
        %d6 = llvm.extractvalue %d[6] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
        %d7 = llvm.extractvalue %d[7] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
        llvm.store %d2, %to : f32, !llvm.ptr<1>
        llvm.store %d3, %to1 : f32, !llvm.ptr<1>
        llvm.store %d6, %to8 : f32, !llvm.ptr<1>
        llvm.store %d7, %to9 : f32, !llvm.ptr<1>
      }
    }

    %loads = arith.cmpi eq, %t, %threads : i32
    scf.if %loads {
      scf.for %tile = %c0 to %tiles step %c1 : i32 {
        %stage = arith.remui %tile, %c2 : i32
        %round = arith.divui %tile, %c2 : i32
        %next_round = arith.addi %round, %c1 : i32
        // The phase before the first one counts as complete.
        %parity = arith.remui %next_round, %c2 : i32
        %its_full = llvm.getelementptr %full[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %its_empty = llvm.getelementptr %empty[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        nvvm.mbarrier.try_wait.parity %its_empty, %parity, %ticks : !llvm.ptr<3>, i32, i32
        nvvm.mbarrier.arrive.expect_tx %its_full, %stage_bytes : !llvm.ptr<3>, i32
        %at = arith.muli %stage, %stage_bytes : i32
        %tile_a = llvm.getelementptr %stages[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
        %tile_b = llvm.getelementptr %tile_a[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
        %to_a = llvm.addrspacecast %tile_a : !llvm.ptr<3> to !llvm.ptr<7>
        %to_b = llvm.addrspacecast %tile_b : !llvm.ptr<3> to !llvm.ptr<7>
        %k0 = arith.muli %tile, %c64 : i32
        nvvm.cp.async.bulk.tensor.shared.cluster.global %to_a, %map_a, %its_full, box[%k0, %m0] : !llvm.ptr<7>, !llvm.ptr
        nvvm.cp.async.bulk.tensor.shared.cluster.global %to_b, %map_b, %its_full, box[%k0, %n0] : !llvm.ptr<7>, !llvm.ptr
      }
    }
    llvm.return
  }
}
