// Never ends where the flag is 0, and no thread waits for anything.
gpu.module @kernels {
  gpu.func @spin(%flag: memref<1xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0 : index
    %nothing = arith.constant 0 : i32
    scf.while : () -> () {
      %v = memref.load %flag[%zero] : memref<1xi32>
      memref.store %v, %flag[%zero] : memref<1xi32>
      %again = arith.cmpi eq, %v, %nothing : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    gpu.return
  }
}
