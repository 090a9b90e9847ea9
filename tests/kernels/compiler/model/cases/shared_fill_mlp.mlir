#map = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @forward(%x: tensor<64x64xf32>, %w0: tensor<64x64xf32>, %w1: tensor<64x64xf32>, %w2: tensor<64x64xf32>, %b0: tensor<64xf32>, %b1: tensor<64xf32>, %b2: tensor<64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m0 = linalg.matmul ins(%x, %w0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a0 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%b0, %m0 : tensor<64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %15 = arith.addf %in, %in_6 : f32
    linalg.yield %15 : f32
  } -> tensor<64x64xf32>
  %r0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.cmpf ugt, %in, %z : f32
    %16 = arith.select %15, %in, %z : f32
    linalg.yield %16 : f32
  } -> tensor<64x64xf32>
  %m1 = linalg.matmul ins(%r0, %w1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a1 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%b1, %m1 : tensor<64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %15 = arith.addf %in, %in_6 : f32
    linalg.yield %15 : f32
  } -> tensor<64x64xf32>
  %r1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a1 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.cmpf ugt, %in, %z : f32
    %16 = arith.select %15, %in, %z : f32
    linalg.yield %16 : f32
  } -> tensor<64x64xf32>
  %m2 = linalg.matmul ins(%r1, %w2 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a2 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%b2, %m2 : tensor<64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %15 = arith.addf %in, %in_6 : f32
    linalg.yield %15 : f32
  } -> tensor<64x64xf32>
  %r2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a2 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.cmpf ugt, %in, %z : f32
    %16 = arith.select %15, %in, %z : f32
    linalg.yield %16 : f32
  } -> tensor<64x64xf32>
  return %r2 : tensor<64x64xf32>
}
