func.func @f(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  %r = tm_tensor.scatter {dimension_map = array<i64: 1>} unique_indices(true) ins(%u, %i : tensor<2xf32>, tensor<2x1xi32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
