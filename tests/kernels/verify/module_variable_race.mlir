// Every thread writes to the same element of a variable of the module.
gpu.module @kernels {
  memref.global "private" @total : memref<4xi32> = uninitialized
  gpu.func @sum(%in: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : index
    %x = gpu.thread_id x
    %v = memref.load %in[%x] : memref<64xi32>
    %total = memref.get_global @total : memref<4xi32>
    memref.store %v, %total[%zero] : memref<4xi32>
    gpu.return
  }
}
