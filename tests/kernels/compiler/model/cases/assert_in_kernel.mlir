func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %c = arith.cmpf oge, %x, %z : f32
    cf.assert %c, "expected a value that is not negative"
    %s = math.sqrt %x : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
