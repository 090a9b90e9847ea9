// Thread 0 polls for what thread 1 says: it never comes where a thread that sleeps does not let others run.
gpu.module @kernels {
  gpu.func @wait(%flag: memref<1xi32>, %out: memref<1xi32>) kernel
      attributes {known_block_size = array<i32: 2, 1, 1>} {
    %zero = arith.constant 0 : index
    %nothing = arith.constant 0 : i32
    %seven = arith.constant 7 : i32
    %nanoseconds = arith.constant 100 : i32
    %x = gpu.thread_id x
    %first = arith.cmpi eq, %x, %zero : index
    scf.if %first {
      %seen = scf.while : () -> i32 {
        %v = memref.atomic_rmw addi %nothing, %flag[%zero] : (i32, memref<1xi32>) -> i32
        %again = arith.cmpi eq, %v, %nothing : i32
        scf.condition(%again) %v : i32
      } do {
      ^bb0(%v: i32):
        nvvm.nanosleep %nanoseconds
        scf.yield
      }
      memref.store %seen, %out[%zero] : memref<1xi32>
    } else {
      memref.atomic_rmw addi %seven, %flag[%zero] : (i32, memref<1xi32>) -> i32
    }
    gpu.return
  }
}
