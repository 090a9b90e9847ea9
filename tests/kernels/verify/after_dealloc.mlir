// Uses a shared buffer that has been deallocated.
gpu.module @kernels {
  gpu.func @late(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.thread_id x
    %value = memref.load %in[%x] : memref<64xf32>
    %buffer = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %value, %buffer[%x] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.dealloc %buffer : memref<64xf32, #gpu.address_space<workgroup>>
    %late = memref.load %buffer[%x] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %late, %out[%x] : memref<64xf32>
    gpu.return
  }
}
