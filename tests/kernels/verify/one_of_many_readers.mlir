// The second warp reads and, ordered behind its own reads, writes; thread 0 has read, too, and nothing orders that.
gpu.module @kernels {
  gpu.func @update(%cell: memref<1xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : index
    %second_warp = arith.constant 32 : index
    %all = arith.constant -1 : i32
    %one = arith.constant 1.0 : f32
    %x = gpu.thread_id x
    %is_first = arith.cmpi eq, %x, %zero : index
    %is_second_warp = arith.cmpi uge, %x, %second_warp : index
    %reads = arith.ori %is_first, %is_second_warp : i1
    scf.if %reads {
      %value = memref.load %cell[%zero] : memref<1xf32>
      memref.store %value, %out[%x] : memref<64xf32>
    }
    scf.if %is_second_warp {
      nvvm.bar.warp.sync %all : i32
      %is_writer = arith.cmpi eq, %x, %second_warp : index
      scf.if %is_writer {
        memref.store %one, %cell[%zero] : memref<1xf32>
      }
    }
    gpu.return
  }
}
