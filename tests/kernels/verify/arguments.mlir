// Arguments of each kind, and no known sizes of grid and block: out[i] += in[i] * factor for i < count.
gpu.module @kernels {
  gpu.func @scale(%in: memref<?xf32>, %out: memref<64xf32>, %factor: f32, %count: index) kernel {
    %i = gpu.thread_id x
    %inside = arith.cmpi ult, %i, %count : index
    scf.if %inside {
      %v = memref.load %in[%i] : memref<?xf32>
      %scaled = arith.mulf %v, %factor : f32
      %old = memref.load %out[%i] : memref<64xf32>
      %sum = arith.addf %old, %scaled : f32
      memref.store %sum, %out[%i] : memref<64xf32>
    }
    gpu.return
  }
}
