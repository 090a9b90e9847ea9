// Memory of the module's own, which a kernel writes and the host reads.
memref.global "private" @scratch : memref<8xf32> = uninitialized
func.func @main(%x: memref<8xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %t = memref.get_global @scratch : memref<8xf32>
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1) threads(%g, %h, %i) in (%j = %n, %k = %c1, %l = %c1) {
    %v = memref.load %x[%g] : memref<8xf32>
    memref.store %v, %t[%g] : memref<8xf32>
    gpu.terminator
  }
  %v = memref.load %t[%c1] : memref<8xf32>
  return %v : f32
}
