// Row r of A is r, column c of B is c: element (r, c) of the product of 16x16 by 16x8 is 16 r c, and 1 was there.
func.func @main(%d: memref<16x8xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%x, %y, %z) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %k1 = arith.constant 1 : index
    %row = arith.divui %x, %c4 : index
    %low = arith.addi %row, %c8 : index
    %row32 = arith.index_cast %row : index to i32
    %low32 = arith.index_cast %low : index to i32
    %r = arith.sitofp %row32 : i32 to bf16
    %s = arith.sitofp %low32 : i32 to bf16
    %rs = vector.broadcast %r : bf16 to vector<2xbf16>
    %ss = vector.broadcast %s : bf16 to vector<2xbf16>
    %a0 = arith.constant dense<0.0> : vector<4x2xbf16>
    %a1 = vector.insert %rs, %a0[0] : vector<2xbf16> into vector<4x2xbf16>
    %a2 = vector.insert %ss, %a1[1] : vector<2xbf16> into vector<4x2xbf16>
    %a3 = vector.insert %rs, %a2[2] : vector<2xbf16> into vector<4x2xbf16>
    %a = vector.insert %ss, %a3[3] : vector<2xbf16> into vector<4x2xbf16>
    %b = vector.broadcast %r : bf16 to vector<2x2xbf16>
    %one = arith.constant dense<1.0> : vector<2x2xf32>
    %p = nvgpu.mma.sync(%a, %b, %one) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %in_row = arith.remui %x, %c4 : index
    %column = arith.muli %in_row, %c2 : index
    %next = arith.addi %column, %k1 : index
    %p00 = vector.extract %p[0, 0] : f32 from vector<2x2xf32>
    %p01 = vector.extract %p[0, 1] : f32 from vector<2x2xf32>
    %p10 = vector.extract %p[1, 0] : f32 from vector<2x2xf32>
    %p11 = vector.extract %p[1, 1] : f32 from vector<2x2xf32>
    memref.store %p00, %d[%row, %column] : memref<16x8xf32>
    memref.store %p01, %d[%row, %next] : memref<16x8xf32>
    memref.store %p10, %d[%low, %column] : memref<16x8xf32>
    memref.store %p11, %d[%low, %next] : memref<16x8xf32>
    gpu.terminator
  }
  return
}
