// C = A by tensor copies: each block loads a box of 8 x 32 f32 of a matrix of the batch, and stores it. The maps are
// parameters by value. Blocks run in clusters of two; without them, all boxes would be the first of their rows.
gpu.module @kernels {
  llvm.mlir.global internal @box() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<256 x f32>
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  llvm.func @copy(%from: !llvm.ptr {llvm.byval = !llvm.array<16 x i64>, llvm.align = 64 : i64, nvvm.grid_constant, llvm.readonly},
                  %to: !llvm.ptr {llvm.byval = !llvm.array<16 x i64>, llvm.align = 64 : i64, nvvm.grid_constant})
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %bytes = arith.constant 1024 : i32
    %ticks = arith.constant 10000000 : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %z = nvvm.read.ptx.sreg.ctaid.z : i32
    %cluster = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
    %is_pair = arith.subi %cluster, %c1 : i32
    %box_x = arith.muli %bx, %c32 : i32
    %x = arith.muli %box_x, %is_pair : i32
    %y = arith.muli %by, %c8 : i32
    %box = llvm.mlir.addressof @box : !llvm.ptr<3>
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %is_first = arith.cmpi eq, %t, %c0 : i32
    scf.if %is_first {
      nvvm.mbarrier.init %full, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
      %landing = llvm.addrspacecast %box : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.cp.async.bulk.tensor.shared.cluster.global %landing, %from, %full, box[%x, %y, %z] : !llvm.ptr<7>, !llvm.ptr
      nvvm.mbarrier.try_wait.parity %full, %c0, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.cp.async.bulk.tensor.global.shared.cta %to, %box, box[%x, %y, %z] : !llvm.ptr, !llvm.ptr<3>
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0
    }
    llvm.return
  }
}
