// An element that is read through a reshape to no dimensions; and what turns a product's result, which a reshape joins.
func.func @f(%x: tensor<4xf32>, %n: i32, %a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %bias: tensor<5xf32>) -> (tensor<4xf32>, tensor<10x3xf32>) {
  %e = tensor.empty() : tensor<1x1xi32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<1x1xi32>) {
  ^bb0(%out: i32):
    linalg.yield %n : i32
  } -> tensor<1x1xi32>
  %c = tensor.collapse_shape %g [] : tensor<1x1xi32> into tensor<i32>
  %e4 = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e4 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = tensor.extract %c[] : tensor<i32>
    %f = arith.sitofp %v : i32 to f32
    %s = arith.addf %in, %f : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>

  %zero = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<2x3x5xf32>
  %fp = linalg.fill ins(%zero : f32) outs(%ep : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%fp : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %et = tensor.empty() : tensor<5x2x3xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (k, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %bias : tensor<2x3x5xf32>, tensor<5xf32>) outs(%et : tensor<5x2x3xf32>) {
  ^bb0(%in: f32, %y: f32, %out: f32):
    %s = arith.addf %in, %y : f32
    %sin = math.sin %s : f32
    %u = arith.mulf %sin, %s : f32
    linalg.yield %u : f32
  } -> tensor<5x2x3xf32>
  %j = tensor.collapse_shape %t [[0, 1], [2]] : tensor<5x2x3xf32> into tensor<10x3xf32>
  return %r, %j : tensor<4xf32>, tensor<10x3xf32>
}
