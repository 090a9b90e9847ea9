// The last thread writes one element past its buffer, to where the next one lies in shipped code.
gpu.module @kernels {
  gpu.func @shift(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %one = arith.constant 1 : index
    %x = gpu.thread_id x
    %next = arith.addi %x, %one : index
    %first = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %second = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %value = memref.load %in[%x] : memref<64xf32>
    memref.store %value, %first[%next] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %value, %second[%x] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %shifted = memref.load %first[%next] : memref<64xf32, #gpu.address_space<workgroup>>
    %kept = memref.load %second[%x] : memref<64xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %shifted, %kept : f32
    memref.store %sum, %out[%x] : memref<64xf32>
    memref.dealloc %first : memref<64xf32, #gpu.address_space<workgroup>>
    memref.dealloc %second : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
