// Reads one element more than the table has, of which a second table may follow.
gpu.module @kernels {
  memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
  memref.global "private" constant @other : memref<4xf32> = dense<[5.0, 6.0, 7.0, 8.0]>
  memref.global "private" @scratch : memref<64xf32> = uninitialized
  gpu.func @look_up(%out: memref<5xf32>, %out2: memref<4xf32>) kernel attributes {known_block_size = array<i32: 5, 1, 1>} {
    %four = arith.constant 4 : index
    %x = gpu.thread_id x
    %table = memref.get_global @table : memref<4xf32>
    %other = memref.get_global @other : memref<4xf32>
    %scratch = memref.get_global @scratch : memref<64xf32>
    %exists = arith.cmpi ult, %x, %four : index
    scf.if %exists {
      %b = memref.load %other[%x] : memref<4xf32>
      memref.store %b, %scratch[%x] : memref<64xf32>
      %again = memref.load %scratch[%x] : memref<64xf32>
      memref.store %again, %out2[%x] : memref<4xf32>
    }
    %a = memref.load %table[%x] : memref<4xf32>
    memref.store %a, %out[%x] : memref<5xf32>
    gpu.return
  }
}
