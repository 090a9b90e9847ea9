// The last block to come sets the counter back: its update has acquired those of the other blocks.
gpu.module @kernels {
  gpu.func @count(%counter: memref<1xi32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %none = arith.constant 0 : i32
    %last = arith.constant 3 : i32
    %x = gpu.thread_id x
    %is_first = arith.cmpi eq, %x, %zero : index
    scf.if %is_first {
      %ticket = memref.atomic_rmw addi %one, %counter[%zero] : (i32, memref<1xi32>) -> i32
      %is_last = arith.cmpi eq, %ticket, %last : i32
      scf.if %is_last {
        memref.store %none, %counter[%zero] : memref<1xi32>
      }
    }
    gpu.return
  }
}
