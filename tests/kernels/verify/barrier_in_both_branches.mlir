// Threads of one block wait at two barriers. Merged into one, they would look like the same.
gpu.module @kernels {
  gpu.func @both(%out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %half = arith.constant 16 : index
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %x = gpu.thread_id x
    %low = arith.cmpi ult, %x, %half : index
    scf.if %low {
      memref.store %one, %out[%x] : memref<64xf32>
      gpu.barrier
    } else {
      memref.store %two, %out[%x] : memref<64xf32>
      gpu.barrier
    }
    gpu.return
  }
}
