// A variable of the module in shared memory.
gpu.module @kernels {
  memref.global "private" @buffer : memref<64xf32, #gpu.address_space<workgroup>> = uninitialized
  gpu.func @mirror(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %last = arith.constant 63 : index
    %x = gpu.thread_id x
    %other = arith.subi %last, %x : index
    %value = memref.load %in[%x] : memref<64xf32>
    %buffer = memref.get_global @buffer : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %value, %buffer[%x] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %mirror = memref.load %buffer[%other] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %mirror, %out[%x] : memref<64xf32>
    gpu.return
  }
}
