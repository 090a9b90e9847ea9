// Each iteration of the loop has a buffer of its own, with undefined contents at first. The even iterations write it,
// the odd ones read what they have not written.
gpu.module @kernels {
  gpu.func @turns(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %x = gpu.thread_id x
    %value = memref.load %in[%x] : memref<64xf32>
    scf.for %i = %zero to %two step %one {
      %buffer = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      %is_even = arith.cmpi eq, %i, %zero : index
      scf.if %is_even {
        memref.store %value, %buffer[%x] : memref<64xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %stale = memref.load %buffer[%x] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %stale, %out[%x] : memref<64xf32>
      memref.dealloc %buffer : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
}
