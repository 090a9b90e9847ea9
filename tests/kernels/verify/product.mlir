// C[16][16] = A[16][32] * B[32][16] by one block of 16 x 16 threads, a tile of 16 in k at a time. A right kernel; tests
// take the lines marked "remove:" out of it.
gpu.module @kernels {
  llvm.mlir.global internal @tile_a() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x f32>
  llvm.mlir.global internal @tile_b() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x f32>

  llvm.func @product(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %tile = arith.constant 16 : i32
    %extent = arith.constant 32 : i32
    %nothing = arith.constant 0.0 : f32
    %x = nvvm.read.ptx.sreg.tid.x : i32
    %y = nvvm.read.ptx.sreg.tid.y : i32
    %shared_a = llvm.mlir.addressof @tile_a : !llvm.ptr<3>
    %shared_b = llvm.mlir.addressof @tile_b : !llvm.ptr<3>
    %row = arith.muli %y, %tile : i32
    %place = arith.addi %row, %x : i32
    %own_a = llvm.getelementptr %shared_a[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %own_b = llvm.getelementptr %shared_b[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %sum = scf.for %step = %zero to %extent step %tile iter_args(%total = %nothing) -> (f32) : i32 {
      %row_a = arith.muli %y, %extent : i32
      %column_a = arith.addi %step, %x : i32
      %at_a = arith.addi %row_a, %column_a : i32
      %from_a = llvm.getelementptr %a[%at_a] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %line_b = arith.addi %step, %y : i32
      %row_b = arith.muli %line_b, %tile : i32
      %at_b = arith.addi %row_b, %x : i32
      %from_b = llvm.getelementptr %b[%at_b] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %value_a = llvm.load %from_a : !llvm.ptr -> f32
      %value_b = llvm.load %from_b : !llvm.ptr -> f32
      llvm.store %value_a, %own_a : f32, !llvm.ptr<3>
      llvm.store %value_b, %own_b : f32, !llvm.ptr<3>
      nvvm.barrier0 // remove: after the fill
      %part = scf.for %k = %zero to %tile step %one iter_args(%before = %total) -> (f32) : i32 {
        %k_a = arith.addi %row, %k : i32
        %k_row = arith.muli %k, %tile : i32
        %k_b = arith.addi %k_row, %x : i32
        %p_a = llvm.getelementptr %shared_a[%k_a] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
        %p_b = llvm.getelementptr %shared_b[%k_b] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
        %v_a = llvm.load %p_a : !llvm.ptr<3> -> f32
        %v_b = llvm.load %p_b : !llvm.ptr<3> -> f32
        %product = arith.mulf %v_a, %v_b : f32
        %after = arith.addf %before, %product : f32
        scf.yield %after : f32
      }
      nvvm.barrier0 // remove: before the refill
      scf.yield %part : f32
    }
    %to = llvm.getelementptr %c[%place] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr // remove: the result
    llvm.return
  }
}
