func.func @f(%x: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %r = tm_tensor.attention ins(%x, %x, %x : tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1x4x4xf32>) outs(%x : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  return %r : tensor<1x4x4xf32>
}
