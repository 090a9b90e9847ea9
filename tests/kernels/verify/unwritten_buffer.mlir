// Reads a buffer that nobody wrote. The shipped code may put it where the other buffer was.
gpu.module @kernels {
  gpu.func @read(%in: memref<64xf32>, %mirrored: memref<64xf32>, %out: memref<64xf32>)
      workgroup(%written: memref<64xf32, #gpu.address_space<workgroup>>,
                %unwritten: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %last = arith.constant 63 : index
    %x = gpu.thread_id x
    %other = arith.subi %last, %x : index
    %value = memref.load %in[%x] : memref<64xf32>
    memref.store %value, %written[%x] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %mirror = memref.load %written[%other] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %mirror, %mirrored[%x] : memref<64xf32>
    gpu.barrier
    %stale = memref.load %unwritten[%other] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %stale, %out[%x] : memref<64xf32>
    gpu.return
  }
}
