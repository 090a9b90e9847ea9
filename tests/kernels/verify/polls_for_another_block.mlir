// A block waits for a flag that the next block raises.
gpu.module @kernels {
  gpu.func @wait(%flag: memref<1xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0 : index
    %raised = arith.constant 1 : i32
    %block = gpu.block_id x
    %waits = arith.cmpi eq, %block, %zero : index
    scf.if %waits {
      scf.while : () -> () {
        %unchanged = arith.constant 0 : i32
        %now = memref.atomic_rmw addi %unchanged, %flag[%zero] : (i32, memref<1xi32>) -> i32
        %down = arith.cmpi eq, %now, %unchanged : i32
        scf.condition(%down)
      } do {
        scf.yield
      }
    } else {
      %before = memref.atomic_rmw addi %raised, %flag[%zero] : (i32, memref<1xi32>) -> i32
    }
    gpu.return
  }
}
