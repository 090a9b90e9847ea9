// A product that the compiler makes kernels of; its sums depend on their order.
func.func @multiply(%a: tensor<40x50xf32>, %b: tensor<50x60xf32>) -> tensor<40x60xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<40x60xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<40x60xf32>) -> tensor<40x60xf32>
  %c = linalg.matmul ins(%a, %b : tensor<40x50xf32>, tensor<50x60xf32>) outs(%filled : tensor<40x60xf32>) -> tensor<40x60xf32>
  return %c : tensor<40x60xf32>
}
