func.func @f(%a: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %z = arith.constant 0.0 : f32
  %w = arith.constant dense<1.5> : tensor<64x64xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = linalg.matmul ins(%a, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%i : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
