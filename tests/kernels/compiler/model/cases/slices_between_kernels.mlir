// Slices, their concatenation and its padding, between operations on the device.
func.func @f(%a: tensor<4x6xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %twice = linalg.add ins(%a, %a : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %left = tensor.extract_slice %twice[0, 0] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  %right = tensor.extract_slice %twice[0, 3] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  %turned = tensor.concat dim(1) %right, %left : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %padded = tensor.pad %turned low[1, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x6xf32> to tensor<6x8xf32>
  %p = tensor.empty() : tensor<6x8xf32>
  %r = linalg.mul ins(%padded, %padded : tensor<6x8xf32>, tensor<6x8xf32>) outs(%p : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}
