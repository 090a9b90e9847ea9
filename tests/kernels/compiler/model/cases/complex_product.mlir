// (a + bi) * (1 + 2i) of each thread's two numbers.
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1)  {
    %re = memref.load %a[%tx] : memref<4xf32>
    %im = memref.load %b[%tx] : memref<4xf32>
    %v = complex.create %re, %im : complex<f32>
    %w = complex.mul %v, %k : complex<f32>
    %x = complex.re %w : complex<f32>
    %y = complex.im %w : complex<f32>
    memref.store %x, %a[%tx] : memref<4xf32>
    memref.store %y, %b[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}
