// Mirrors a block through dynamic shared memory, whose size only a launch says.
gpu.module @kernels {
  gpu.func @mirror(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : index
    %last = arith.constant 63 : index
    %x = gpu.thread_id x
    %other = arith.subi %last, %x : index
    %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %buffer = memref.view %memory[%zero][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    %value = memref.load %in[%x] : memref<64xf32>
    memref.store %value, %buffer[%x] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %mirrored = memref.load %buffer[%other] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %mirrored, %out[%x] : memref<64xf32>
    gpu.return
  }
}
