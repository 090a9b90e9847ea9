// Two right kernels and, between them, one whose threads all write a value of their own to one element.
gpu.module @kernels {
  gpu.func @first(%out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    memref.store %one, %out[%x] : memref<64xf32>
    gpu.return
  }
  gpu.func @second(%out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : index
    %x = gpu.thread_id x
    %number = arith.index_cast %x : index to i32
    %value = arith.sitofp %number : i32 to f32
    memref.store %value, %out[%zero] : memref<64xf32>
    gpu.return
  }
  gpu.func @third(%out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.thread_id x
    %two = arith.constant 2.0 : f32
    memref.store %two, %out[%x] : memref<64xf32>
    gpu.return
  }
}
