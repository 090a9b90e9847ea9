// Views on either side of copies: transposed, of one row, backwards, on one chain of tokens and without tokens, also by memref.copy.
func.func @f(%x: memref<3x4xf16>, %column: memref<3xf16>, %reversed: memref<4xf16>, %copied: memref<2x3xf16>,
             %scalar: memref<f16>) {
  %c0 = arith.constant 0 : index
  %wide = gpu.alloc () : memref<5x9xf16>
  %dense = gpu.alloc () : memref<4xf16>
  %part = memref.subview %wide[1, 2] [4, 3] [1, 2] : memref<5x9xf16> to memref<4x3xf16, strided<[9, 2], offset: 11>>
  %transposed = memref.transpose %x (i, j) -> (j, i) : memref<3x4xf16> to memref<4x3xf16, strided<[1, 4]>>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %part, %transposed : memref<4x3xf16, strided<[9, 2], offset: 11>>, memref<4x3xf16, strided<[1, 4]>>
  %row = memref.subview %wide[2, 2] [1, 3] [1, 2] : memref<5x9xf16> to memref<3xf16, strided<[2], offset: 20>>
  %t2 = gpu.memcpy async [%t1] %column, %row : memref<3xf16>, memref<3xf16, strided<[2], offset: 20>>
  %back = memref.reinterpret_cast %wide to offset: [38], sizes: [4], strides: [-9] : memref<5x9xf16> to memref<4xf16, strided<[-9], offset: 38>>
  %t3 = gpu.memcpy async [%t2] %dense, %back : memref<4xf16>, memref<4xf16, strided<[-9], offset: 38>>
  %t4 = gpu.memcpy async [%t3] %reversed, %dense : memref<4xf16>, memref<4xf16>
  gpu.wait [%t4]
  %block = memref.subview %part[1, 0] [2, 3] [1, 1] : memref<4x3xf16, strided<[9, 2], offset: 11>> to memref<2x3xf16, strided<[9, 2], offset: 20>>
  memref.copy %block, %copied : memref<2x3xf16, strided<[9, 2], offset: 20>> to memref<2x3xf16>
  %none = memref.subview %wide[%c0, 0] [%c0, 3] [1, 1] : memref<5x9xf16> to memref<?x3xf16, strided<[9, 1], offset: ?>>
  %nothing = memref.subview %x[0, 0] [%c0, 3] [1, 1] : memref<3x4xf16> to memref<?x3xf16, strided<[4, 1]>>
  gpu.memcpy %none, %nothing : memref<?x3xf16, strided<[9, 1], offset: ?>>, memref<?x3xf16, strided<[4, 1]>>
  %one = memref.subview %part[2, 1] [1, 1] [1, 1] : memref<4x3xf16, strided<[9, 2], offset: 11>> to memref<f16, strided<[], offset: 31>>
  gpu.memcpy %scalar, %one : memref<f16>, memref<f16, strided<[], offset: 31>>
  gpu.dealloc %dense : memref<4xf16>
  gpu.dealloc %wide : memref<5x9xf16>
  return
}
