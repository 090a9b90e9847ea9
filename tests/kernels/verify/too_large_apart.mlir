// Two buffers that share their bytes when they are shipped; side by side they do not fit shared memory.
gpu.module @kernels {
  gpu.func @twice(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %last = arith.constant 63 : index
    %x = gpu.thread_id x
    %other = arith.subi %last, %x : index
    %value = memref.load %in[%x] : memref<64xf32>
    %first = memref.alloc() : memref<50000xf32, #gpu.address_space<workgroup>>
    memref.store %value, %first[%x] : memref<50000xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %mirror = memref.load %first[%other] : memref<50000xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %second = memref.alloc() : memref<50000xf32, #gpu.address_space<workgroup>>
    memref.store %mirror, %second[%x] : memref<50000xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %back = memref.load %second[%other] : memref<50000xf32, #gpu.address_space<workgroup>>
    memref.store %back, %out[%x] : memref<64xf32>
    gpu.return
  }
}
