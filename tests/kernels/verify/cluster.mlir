// Clusters are more than the SIMT device models.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @first(%a: memref<4xf32>) kernel {
      gpu.return
    }
  }
  func.func @launch(%a: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func @kernels::@first clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4xf32>)
    return
  }
}
