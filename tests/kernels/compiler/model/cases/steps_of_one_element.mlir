// Slices that leave one of several dimensions with one element out, with steps: MLIR crashed where it looked for that
// dimension. Of a buffer in host code, in a function that is inlined, and in a kernel, too.
func.func private @part(%x: memref<4x8x1xf32>, %y: memref<4x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.subview %x[%c1, %c0, 0] [1, 4, 1] [1, 2, 1] : memref<4x8x1xf32> to memref<4x1xf32, strided<[2, 1], offset: ?>>
  memref.copy %0, %y : memref<4x1xf32, strided<[2, 1], offset: ?>> to memref<4x1xf32>
  return
}
func.func @forward(%a: tensor<1x8x1xf32>, %b: tensor<4x3x8xf32>, %x: memref<4x8x1xf32>, %y: memref<4x1xf32>, %z: memref<1x1xf32>) -> (tensor<4x1xf32>, tensor<4x3x8xf32>) {
  %0 = tensor.extract_slice %a[0, 0, 0] [1, 4, 1] [1, 2, 1] : tensor<1x8x1xf32> to tensor<4x1xf32>
  %1 = tensor.empty() : tensor<4x1xf32>
  %2 = linalg.negf ins(%0 : tensor<4x1xf32>) outs(%1 : tensor<4x1xf32>) -> tensor<4x1xf32>
  %3 = tensor.extract_slice %b[0, 1, 0] [1, 1, 8] [2, 2, 1] : tensor<4x3x8xf32> to tensor<1x8xf32>
  %4 = tensor.empty() : tensor<1x8xf32>
  %5 = linalg.negf ins(%3 : tensor<1x8xf32>) outs(%4 : tensor<1x8xf32>) -> tensor<1x8xf32>
  %6 = tensor.insert_slice %5 into %b[3, 2, 0] [1, 1, 8] [2, 2, 1] : tensor<1x8xf32> into tensor<4x3x8xf32>
  call @part(%x, %y) : (memref<4x8x1xf32>, memref<4x1xf32>) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %7 = memref.subview %x[3, 1, 0] [1, 4, 1] [1, 2, 1] : memref<4x8x1xf32> to memref<4x1xf32, strided<[2, 1], offset: 25>>
    %8 = memref.load %7[%c1, %c0] : memref<4x1xf32, strided<[2, 1], offset: 25>>
    memref.store %8, %z[%c0, %c0] : memref<1x1xf32>
    gpu.terminator
  }
  return %2, %6 : tensor<4x1xf32>, tensor<4x3x8xf32>
}
