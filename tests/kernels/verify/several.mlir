// Two right kernels and, between them, one whose threads all write to one element.
gpu.module @kernels {
  gpu.func @first(%out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    memref.store %one, %out[%x] : memref<64xf32>
    gpu.return
  }
  gpu.func @second(%out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %out[%zero] : memref<64xf32>
    gpu.return
  }
  gpu.func @third(%out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.thread_id x
    %two = arith.constant 2.0 : f32
    memref.store %two, %out[%x] : memref<64xf32>
    gpu.return
  }
}
