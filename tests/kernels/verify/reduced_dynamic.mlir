// A reduction over the block beside dynamic shared memory that the kernel lays out itself: 160 bytes.
gpu.module @kernels {
  gpu.func @norm(%in: memref<40xf32>, %out: memref<40xf32>) kernel attributes {known_block_size = array<i32: 40, 1, 1>} {
    %zero = arith.constant 0 : index
    %last = arith.constant 39 : index
    %x = gpu.thread_id x
    %other = arith.subi %last, %x : index
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %buffer = memref.view %bytes[%zero][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<40xf32, #gpu.address_space<workgroup>>
    %value = memref.load %in[%x] : memref<40xf32>
    memref.store %value, %buffer[%x] : memref<40xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %mirror = memref.load %buffer[%other] : memref<40xf32, #gpu.address_space<workgroup>>
    %largest = gpu.all_reduce maximumf %mirror uniform {} : (f32) -> (f32)
    %norm = arith.divf %mirror, %largest : f32
    memref.store %norm, %out[%x] : memref<40xf32>
    gpu.return
  }
}
